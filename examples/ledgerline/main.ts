// The Ledgerline demo: four research children under a contract, one refused return, one approval, and what it all costs.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { computeAffected } from './affected.js';
import { runChecks } from './checks.js';
import { QUESTION } from './conversation.js';
import { freeSummary, measure } from './measure.js';
import { narrateApproval, narrator } from './narrate.js';
import { printer } from './print.js';
import { connect } from './provider.js';
import { reportChecks, reportFigures, reportSummary } from './report.js';
import { runStory } from './story.js';
import { Watch } from './watch.js';

const USAGE = readFileSync(new URL('usage.txt', import.meta.url), 'utf8').trimEnd();
const RETIRED = '2023-08';

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'string') {
    console.error(options);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  if (options.web) {
    const { servePage } = await import('./web/serve.js');
    return servePage(options);
  }
  const terminal = process.stdout.isTTY === true;
  const write = options.json ? () => {} : (text: string) => process.stdout.write(text);
  const out = printer(write, terminal && !process.env.NO_COLOR);

  // On a terminal the scripted turns stream at a readable pace.
  const provider = await connect(process.env, { chunkDelayMs: terminal && !options.json ? 12 : 0 });
  const line = provider.open();
  try {
    out.line(out.ink('Ledgerline: does any merchant break when Norvik retires API version 2023-08?', 'bold'));
    out.say(provider.label, { label: 'model   ' });
    out.say(
      'the tools search and query real fixture files; briefs, gate, envelopes, resume and every figure below are computed in this run.',
      { label: 'real    ' },
    );
    out.line();
    out.say(QUESTION, { label: 'user    ' });

    const watch = new Watch(narrator(out));
    const story = await runStory(line, watch, (interrupts) => narrateApproval(out, interrupts, watch.children));
    if (watch.runError !== undefined) throw new Error(`the run failed: ${watch.runError}`);

    const requests = [...line.requests];
    out.line();
    out.line(out.ink('For comparison, each transcript is now summarised freely by the same model ...', 'dim'));
    const summaries = new Map<string, string>();
    for (const child of watch.children) {
      summaries.set(child.subagentRunId, await freeSummary(line, child));
    }

    const figures = measure(requests, watch.children, summaries);
    const answer = watch.parentTexts.at(-1) ?? '';
    const computed = computeAffected(RETIRED);
    const outcome = { children: watch.children, spans: watch.spans, story, requests, answer, computed, figures };
    const checks = runChecks(outcome);
    reportFigures(out, figures, provider.scripted);
    reportChecks(out, checks, provider.scripted);
    reportSummary(out, outcome);

    if (options.json) {
      const children = watch.children.map(({ name, status, starts, brief, attempts, envelope }) => ({
        name,
        status,
        starts,
        brief,
        attempts,
        envelope,
      }));
      const { runs, approvals, posted, sealed } = story;
      console.log(
        JSON.stringify(
          {
            scripted: provider.scripted,
            children,
            runs,
            approvals,
            posted,
            sealed,
            answer,
            computed,
            spans: watch.spans,
            figures,
            checks,
            usage: watch.usage,
          },
          null,
          2,
        ),
      );
    }
    const failed = checks.filter(({ holds, scriptedOnly }) => !holds && (provider.scripted || !scriptedOnly));
    if (failed.length > 0) console.error(`${failed.length} of ${checks.length} checks do not hold`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    await provider.stop();
  }
}

interface Options {
  help: boolean;
  json: boolean;
  web: boolean;
  port?: number;
  delayMs?: number;
}

/** The options, or the sentence that refuses them. */
function readOptions(): Options | string {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        web: { type: 'boolean', default: false },
        port: { type: 'string' },
        delay: { type: 'string' },
      },
    });
    const { help, json, web } = values;
    const port = wholeNumber('--port', values.port, 65_535);
    const delayMs = wholeNumber('--delay', values.delay, 10_000);
    if (!web && (port !== undefined || delayMs !== undefined)) throw new Error('--port and --delay go with --web');
    if (web && json) throw new Error('--json goes with the run in the terminal');
    return { help, json, web, ...(port !== undefined && { port }), ...(delayMs !== undefined && { delayMs }) };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${USAGE}`;
  }
}

function wholeNumber(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw new Error(`${option} takes a number from 0 to ${most}, not ${JSON.stringify(text)}`);
  return value;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

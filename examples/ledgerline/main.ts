// The Ledgerline demo: four research children under a contract, one refused return, one approval, and what it all costs.
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

const USAGE = 'usage: npm run demo -- [--json]';
const RETIRED = '2023-08';

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'string') {
    console.error(options);
    return 2;
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

/** The options, or the sentence that refuses them. */
function readOptions(): { json: boolean } | string {
  try {
    const { values } = parseArgs({
      options: { json: { type: 'boolean', default: false }, web: { type: 'boolean', default: false } },
    });
    if (values.web)
      return 'the chat page (--web) is not built yet; run the demo without it to see the run in the terminal';
    return { json: values.json };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${USAGE}`;
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

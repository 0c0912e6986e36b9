// What must hold after the run. Each check compares what the run left behind with the fixture or with itself.
import { type Affected, merchantIdsIn } from './affected.js';
import { ARMS, type Figures, parentsLast, recordCaveats, returnTexts, toolMessage } from './measure.js';
import type { WireMessage } from './provider.js';
import type { Story } from './story.js';
import type { Child } from './watch.js';

export interface Check {
  what: string;
  holds: boolean;
  /** What was compared, for the reader. */
  detail: string;
  /** Only the scripted run can promise it: it depends on what the model says. */
  scriptedOnly: boolean;
}

export interface Outcome {
  children: Child[];
  /** What the parent read of transcripts. */
  spans: { args: string; result: string }[];
  story: Story;
  /** The requests of the run, as sent. */
  requests: WireMessage[][];
  answer: string;
  computed: Affected;
  figures: Figures;
}

export function runChecks({ children, spans, story, requests, answer, computed, figures }: Outcome): Check[] {
  const checks: Check[] = [];
  const check = (what: string, holds: boolean, detail: string, scriptedOnly = false) =>
    checks.push({ what, holds, detail, scriptedOnly });

  const all = [...computed.direct, ...computed.indirect].sort();
  const claimed = affectedIn(children);
  const total = `${all.length} computed by running the fixture's router`;
  check(
    'config_analyst lists exactly the affected merchants',
    same(claimed.all, all),
    `${claimed.all.length} in its findings, ${total}`,
    true,
  );
  check(
    '... and tells the fallback-only ones apart',
    same(claimed.indirect, [...computed.indirect].sort()),
    `${claimed.indirect.join(' ')} against ${computed.indirect.join(' ')}`,
    true,
  );
  check(
    "the parent's answer names every affected merchant",
    all.every((id) => answer.includes(id)),
    `${merchantIdsIn(answer).filter((id) => all.includes(id)).length} of ${all.length} named`,
    true,
  );

  const completed = children.filter(({ status }) => status === 'completed');
  check(
    'four children, all completed',
    children.length === 4 && completed.length === 4,
    children.map(({ name, status }) => `${name} ${status}`).join(', '),
    true,
  );

  const rejected = children.flatMap(({ attempts }) => attempts.filter(({ outcome }) => outcome !== 'accepted'));
  check(
    'one return was refused, and repaired by the child',
    rejected.length === 1 && (rejected[0]?.issues?.length ?? 0) === 3,
    `${rejected.length} refused, with ${rejected[0]?.issues?.length ?? 0} issues`,
    true,
  );

  const read = children.map((child) => {
    const message = toolMessage(parentsLast(requests), child.parentToolCallId);
    const judged = child.attempts.filter(({ via }) => via === 'return_tool');
    const accepted = judged.findIndex(({ outcome }) => outcome === 'accepted');
    return returnTexts(child).every((text, index) => message.includes(text) === (index === accepted));
  });
  check(
    'the parent read each accepted return to the letter, and no refused one',
    read.every(Boolean),
    `${children.flatMap(returnTexts).length} returns looked for in the last request of the parent`,
  );

  const resumed = story.runs.filter((run) => run.resumed);
  check(
    'one child was suspended and resumed',
    resumed.length === 1 && story.posted.length === 1,
    resumed.map(({ agent }) => agent).join(', ') || 'none',
    true,
  );
  check(
    'a resumed child saw the input that it started with',
    resumed.every((run) => {
      const start = story.runs.find((other) => other.subagentRunId === run.subagentRunId && !other.resumed);
      return JSON.stringify(start?.input) === JSON.stringify(run.input);
    }),
    `${resumed.length} compared, as JSON text`,
  );
  check(
    'an approved tool ran once',
    story.approvals.executions.length === resumed.length,
    `${story.approvals.executions.length} execution(s), ${resumed.length} approval(s)`,
  );

  const cited = children.map(citations);
  const unseen = cited.flatMap((one) => one.unseen);
  check(
    'every file:line and table.column cited was shown by a tool of that child',
    unseen.length === 0,
    unseen.length === 0 ? `${cited.reduce((sum, one) => sum + one.seen, 0)} citations looked up` : unseen.join(', '),
    true,
  );

  const { window } = figures;
  check(
    'envelopes fill less of the window than transcripts',
    window.envelopes < window.transcripts,
    `${window.envelopes} against ${window.transcripts} tokens`,
    true,
  );
  const steps = children.flatMap((child) => child.steps);
  const fetched = spans.map((span) => JSON.parse(span.result) as { tool_call_id?: string; result?: string });
  check(
    'the parent fetched one span of a transcript, and it says what that call had answered',
    fetched.length === 1 &&
      fetched.every(({ tool_call_id, result }) =>
        steps.some(
          (step) => step.kind === 'result' && step.callId.endsWith(`:${tool_call_id}`) && step.text === result,
        ),
      ),
    fetched.map(({ tool_call_id, result }) => `${tool_call_id}: ${result?.length ?? 0} characters`).join(', ') ||
      'none',
    true,
  );

  const { rendered } = figures;
  check(
    'a rendered record takes at most 1,240 tokens, all of them merged at most 5,000',
    rendered.records.every((tokens) => tokens <= 1240) && rendered.merged.tokens <= 5000,
    `${rendered.records.join(', ')}; merged ${rendered.merged.tokens}`,
    true,
  );
  check(
    'every caveat is in the merged text, to the letter',
    children.flatMap(recordCaveats).every(({ text }) => rendered.merged.text.includes(JSON.stringify(text))),
    `${children.flatMap(recordCaveats).length} looked for`,
  );
  check(
    'every caveat is kept by the envelopes',
    figures.caveats.every(({ presence }) => presence.envelopes === 'kept'),
    keptByArm(figures),
  );
  return checks;
}

function keptByArm({ caveats }: Figures): string {
  const kept = ARMS.map((arm) => {
    const count = caveats.filter(({ presence }) => presence[arm] === 'kept').length;
    return `${arm} ${count}`;
  });
  return `${kept.join(', ')} of ${caveats.length}`;
}

/** The merchant ids that config_analyst's record claims, in all and fallback-only, read from its findings. */
function affectedIn(children: Child[]): { all: string[]; indirect: string[] } {
  const record = children.findLast(({ name }) => name === 'config_analyst')?.envelope?.final_result;
  const claims = (record?.findings ?? []).map(({ claim }) => claim);
  return {
    all: merchantIdsIn(claims.join('\n')),
    indirect: merchantIdsIn(claims.filter((claim) => /fallback/i.test(claim)).join('\n')),
  };
}

/** Which citations of a child's record its own tools have shown it. Sources of other forms are left out. */
export function citations(child: Child): { seen: number; unseen: string[] } {
  const shown = shownBy(child);
  const cited = (child.envelope?.final_result?.findings ?? [])
    .flatMap(({ provenance }) => provenance)
    .filter((source) => /^[\w./-]+:\d+$/.test(source) || /^merchants\.\w+$/.test(source));
  const unseen = cited.filter((source) => !shown.has(source));
  return { seen: cited.length - unseen.length, unseen: unseen.map((source) => `${child.name}: ${source}`) };
}

function shownBy({ steps }: Child): Set<string> {
  const shown = new Set<string>();
  for (const step of steps) {
    if (step.kind === 'call' && step.name === 'query_merchants') {
      for (const column of step.args.matchAll(/"(\w+)"/g)) shown.add(`merchants.${column[1]}`);
    }
    if (step.kind !== 'result') continue;
    const file = /^(\S+), lines \d+-\d+ of \d+$/m.exec(step.text)?.[1];
    for (const line of step.text.split('\n')) {
      const match = /^(\S+:\d+): /.exec(line)?.[1];
      if (match !== undefined) shown.add(match);
      const number = /^(\d+)\t/.exec(line)?.[1];
      if (file !== undefined && number !== undefined) shown.add(`${file}:${number}`);
    }
  }
  return shown;
}

function same(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

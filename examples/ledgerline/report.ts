// The tables at the end: windows, caveats, inputs, returns, and what was checked.
import { DEFINITION } from './caveats.js';
import type { Check, Outcome } from './checks.js';
import { ARMS, type Figures } from './measure.js';
import type { Printer } from './print.js';

const number = (value: number) => value.toLocaleString('en-US');
const KINDS = ['assumption', 'open question', 'hedged finding', 'gap'] as const;

export function reportFigures(out: Printer, figures: Figures, scripted: boolean): void {
  const { window, children, caveats } = figures;

  out.heading("The parent's window, in tokens (o200k)");
  const growth = (tokens: number) => {
    const percent = Math.round((100 * (tokens - window.before)) / window.before);
    return `${percent >= 0 ? '+' : ''}${percent} %`;
  };
  out.table(
    ['what the children hand over', 'window', 'growth', ...children.map(({ name }) => name.split('_')[0] ?? '')],
    [
      ['before delegating', number(window.before), '', ...children.map(() => '')],
      ...ARMS.map((arm) => [
        arm,
        number(window[arm]),
        growth(window[arm]),
        ...children.map((child) => number(child.handedOver[arm])),
      ]),
    ],
  );
  out.say(
    "Counted on the messages of the parent's first and last request as sent; in the arms that were not run, the tool results are exchanged for the transcript or the summary.",
    { indent: 2, ink: 'dim' },
  );
  if (scripted) {
    out.say(
      'In this offline run the summaries are scripted, like every model turn. They were written for the demo: they show what a summary can lose, and prove nothing about how often one does.',
      { indent: 2, ink: 'warn' },
    );
  }

  out.heading("The children's caveats");
  out.table(
    ['kept, of all', ...ARMS],
    [
      ...KINDS.map((kind) => {
        const ofKind = caveats.filter((caveat) => caveat.kind === kind);
        return [`${kind} (${ofKind.length})`, ...ARMS.map((arm) => tally(ofKind, arm))];
      }),
      [`all (${caveats.length})`, ...ARMS.map((arm) => tally(caveats, arm))],
    ],
  );
  out.say(
    'A transcript here contains the record that the contract made its child write, so it has every caveat too. A child without a contract would not have written one.',
    { indent: 2, ink: 'dim' },
  );
  const lost = caveats.filter(({ presence }) => presence.summaries === 'hedge lost');
  if (lost.length > 0) {
    out.line('  Said in a summary without its hedge, for example:');
    for (const { child, text } of lost.slice(0, 2)) {
      out.say(text, { label: `${child}: `, indent: 4 });
    }
  }
  out.say(DEFINITION, { indent: 2, ink: 'dim' });

  const { rendered } = figures;
  out.heading('The records as renderForParent writes them, in tokens');
  out.table(
    ['', ...children.map(({ name }) => name.split('_')[0] ?? ''), 'all merged'],
    [['rendered', ...rendered.records.map(number), number(rendered.merged.tokens)]],
  );

  out.heading('Input tokens of each child: its brief, against a copy of the messages of the parent');
  out.table(
    ['child', 'calls', 'first call', '... with copy', 'all calls', '... with copy'],
    children.map(({ name, input }) => [
      name,
      number(input.calls),
      number(input.first),
      number(input.firstWithCopy),
      number(input.all),
      number(input.allWithCopy),
    ]),
  );

  out.say("Every call is counted in full; a provider's prompt cache can make repeated input cheaper.", {
    indent: 2,
    ink: 'dim',
  });

  out.heading('Output tokens of each return (a record costs more to write than a summary)');
  out.table(
    ['child', 'returns', 'free summary'],
    children.map(({ name, returns, handedOver }) => [
      name,
      returns.map(number).join(' + '),
      number(handedOver.summaries),
    ]),
  );
}

/** The run in three sentences, from the figures. */
export function reportSummary(out: Printer, { children, figures, computed, answer }: Outcome): void {
  const { window, caveats } = figures;
  const kept = (arm: (typeof ARMS)[number]) => caveats.filter(({ presence }) => presence[arm] === 'kept').length;
  const affected = [...computed.direct, ...computed.indirect];
  const named = affected.filter((id) => answer.includes(id)).length;
  const refused = children.flatMap(({ attempts }) => attempts).filter(({ outcome }) => outcome !== 'accepted').length;
  out.heading('In short');
  out.say(
    `${named} of the ${affected.length} affected merchants are in the answer, ${computed.indirect.length} of them affected through a fallback only. The gate refused ${refused} ${refused === 1 ? 'return' : 'returns'}; none of it reached the parent. ${children.length} envelopes brought ${kept('envelopes')} of ${caveats.length} caveats for ${number(window.envelopes - window.before)} tokens of window; transcripts would have taken ${number(window.transcripts - window.before)}, and the free summaries took ${number(window.summaries - window.before)} and brought ${kept('summaries')}.`,
    { indent: 2 },
  );
}

export function reportChecks(out: Printer, checks: Check[], scripted: boolean): void {
  out.heading('Checked');
  for (const { what, holds, detail, scriptedOnly } of checks) {
    const word = holds ? out.ink('ok ', 'good') : out.ink('NO ', 'bad');
    out.line(`  ${word} ${what}`);
    out.say(detail, { indent: 8, ink: 'dim' });
    if (!holds && scriptedOnly && !scripted) {
      out.say('depends on what the model says; does not fail a live run', { indent: 8, ink: 'dim' });
    }
  }
}

function tally(caveats: Figures['caveats'], arm: (typeof ARMS)[number]): string {
  const count = (wanted: string) => caveats.filter(({ presence }) => presence[arm] === wanted).length;
  const lost = count('hedge lost');
  return lost === 0 ? String(count('kept')) : `${count('kept')} (+${lost} without hedge)`;
}

// The tables at the end: windows, caveats, inputs, returns, and what was checked.
import { DEFINITION } from './caveats.js';
import type { Check } from './checks.js';
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
  const lost = caveats.filter(({ presence }) => presence.summaries === 'hedge lost');
  if (lost.length > 0) {
    out.line('  Said in a summary without its hedge, for example:');
    for (const { child, text } of lost.slice(0, 2)) {
      out.say(text, { label: `${child}: `, indent: 4 });
    }
  }
  out.say(DEFINITION, { indent: 2, ink: 'dim' });

  out.heading('Input tokens of each child: its brief, against a copy of the parent’s messages');
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

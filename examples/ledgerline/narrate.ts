// Tells the run as it happens: briefs, tool calls, refused returns, the approval, caveats.
import { type Interrupt, resumeTokenIn } from 'subcontract';
import { recordCaveats } from './measure.js';
import type { Printer } from './print.js';
import type { Child, Notice } from './watch.js';

const LABELS = {
  assumption: 'assumes    ',
  'open question': 'open       ',
  'hedged finding': 'hedged     ',
  gap: 'not seen   ',
};

/** A function that shows each notice. */
export function narrator(out: Printer): (notice: Notice) => void {
  return (notice) => {
    switch (notice.kind) {
      case 'parent-text':
        out.line();
        out.say(notice.text, { label: 'parent  ' });
        break;
      case 'span':
        span(out, notice.result);
        break;
      case 'started':
        started(out, notice.child);
        break;
      case 'resumed':
        out.line();
        out.line(`  ${out.ink(notice.child.name, 'name')} goes on under the same id`);
        break;
      case 'child-text':
        out.say(notice.text, { label: '- ', indent: 4, ink: 'dim' });
        break;
      case 'tool':
        tool(out, notice);
        break;
      case 'attempt':
        attempt(out, notice.attempt);
        break;
      case 'suspended':
        out.line(`    ${out.ink('suspended', 'warn')}: it waits for an answer`);
        break;
      case 'ended':
        ended(out, notice.child);
        break;
    }
  };
}

/** What the parent read of a transcript: which call, and how much of it. */
function span(out: Printer, result: string): void {
  const { tool, tool_call_id: id, result: text, error } = JSON.parse(result) as Record<string, string | undefined>;
  out.say(error ?? `${tool} (${id}), ${text?.length ?? 0} characters of its result`, { label: 'fetched ', ink: 'dim' });
}

/** The approval, as the person who decides would see it. */
export function narrateApproval(out: Printer, interrupts: Interrupt[], children: Child[]): void {
  const steps = children.flatMap((child) => child.steps);
  out.line();
  for (const { message, reason, toolCallId } of interrupts) {
    const call = steps.find((step) => step.kind === 'call' && step.id === toolCallId);
    const args = call?.kind === 'call' ? `: ${given(call.args)}` : '';
    out.say(`${message ?? reason}${args}`, { label: 'asks    ', ink: 'warn' });
  }
  const sealed = interrupts.reduce((sum, interrupt) => sum + (resumeTokenIn(interrupt)?.length ?? 0), 0);
  out.say(
    `approved. (This program stands in for the on-call lead.) The client now posts its copy of the messages and the answer as JSON text, with the child's state sealed in ${sealed} bytes; a new chatWithSubagents call knows nothing else.`,
    { label: 'person  ' },
  );
}

function started(out: Printer, child: Child): void {
  out.line();
  out.line(`  ${out.ink(child.name, 'name')}`);
  const brief = parsed(child.brief);
  for (const [field, value] of Object.entries(brief)) {
    const text = Array.isArray(value) ? value.map(String) : [String(value)];
    text.forEach((part, index) => {
      out.say(part, { label: (index === 0 ? field : '').padEnd(14), indent: 4 });
    });
  }
}

function tool(out: Printer, { name, args, result }: Extract<Notice, { kind: 'tool' }>): void {
  if (name === 'research_result') return;
  const head = result.split('\n', 1)[0] ?? '';
  const shown = head.length > 60 ? `${head.slice(0, 57)}...` : head;
  out.say(`${name} ${given(args)} -> ${shown}`, { indent: 6, ink: 'dim' });
}

function attempt(out: Printer, record: Extract<Notice, { kind: 'attempt' }>['attempt']): void {
  if (record.outcome === 'accepted') {
    out.line(`    return ${record.attempt}: ${out.ink('accepted', 'good')}`);
    return;
  }
  out.line(`    return ${record.attempt}: ${out.ink('refused', 'bad')} (${record.code}), back to the child:`);
  for (const { instancePath, message } of record.issues ?? []) {
    out.say(message, { label: `${instancePath || '/'}  `, indent: 8 });
  }
}

function ended(out: Printer, child: Child): void {
  if (child.status === 'failed') {
    out.say(child.error ?? 'no reason given', { label: 'failed  ', indent: 4, ink: 'bad' });
    return;
  }
  const measured = child.envelope?.effort.measured;
  const findings = child.envelope?.final_result?.findings.length ?? 0;
  out.line(
    `    ${out.ink(child.status, 'good')}: ${findings} findings, ${count(child.attempts.length, 'return')} judged, ${count(measured?.tool_calls ?? 0, 'tool call')} measured`,
  );
  for (const { kind, text } of recordCaveats(child)) {
    out.say(text, { label: LABELS[kind], indent: 6 });
  }
}

function parsed(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return { text: json };
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The arguments of a call on one line; long lists by their length. */
function given(args: string): string {
  return Object.entries(parsed(args))
    .map(([field, value]) =>
      Array.isArray(value) && value.length > 3 ? `${field}=(${value.length})` : `${field}=${short(value)}`,
    )
    .join(' ');
}

/** A condition of a query reads as `column=value`; the rest as JSON. */
function short(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(short).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const { column, is_one_of: values } = value as { column?: string; is_one_of?: string[] };
    if (column !== undefined && values !== undefined) return `${column}: ${values.join('|')}`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

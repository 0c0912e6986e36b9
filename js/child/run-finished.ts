// Reads the end of a child's own run: which model it was, how it finished, what it waits for.
import type { Interrupt, RunErrorEvent, RunFinishedEvent, TokenUsage } from '../ag-ui/events.js';
import { readUsage } from '../ag-ui/usage.js';
import { textOf } from '../wire.js';

type Terminal = RunFinishedEvent | RunErrorEvent;

/** The model, if the event says it. */
export const modelOf = (event: Terminal): string | undefined => saidBy(event, 'model');

/** The finish reason, if the event says it. */
export const finishReasonOf = (event: Terminal): string | undefined => saidBy(event, 'finishReason');

/** A text where TanStack AI (top level or `metadata.tanstack`) and others put it. */
function saidBy(event: Terminal, name: 'model' | 'finishReason'): string | undefined {
  const nested = event.metadata?.tanstack as Fields | null | undefined;
  return textOf((event as Fields)[name] ?? nested?.[name]);
}

interface Fields {
  model?: unknown;
  finishReason?: unknown;
}

/** What of a run's usage is its children's, where its host says so: `chatWithSubagents` does. */
export function childrenUsageOf({ metadata }: Terminal): TokenUsage[] {
  const { usage } = (metadata?.subcontract ?? {}) as { usage?: { children?: unknown } | null };
  const children = usage?.children;
  return Array.isArray(children) ? children.flatMap((child) => readUsage(child?.usage)) : [];
}

/** The interrupts of an outcome, as the parent's stream has them; nothing when they are malformed. */
export function readInterrupts(interrupts: unknown, subagentRunId: string): Interrupt[] | undefined {
  if (!Array.isArray(interrupts) || interrupts.length === 0) return undefined;
  const read: Interrupt[] = [];
  const ids = new Set<string>();
  let json: Partial<Interrupt>[];
  try {
    // They go into the resume state: what JSON cannot write cannot be resumed.
    json = JSON.parse(JSON.stringify(interrupts));
  } catch {
    return undefined;
  }
  for (const interrupt of json) {
    if (typeof interrupt?.id !== 'string' || typeof interrupt.reason !== 'string') return undefined;
    if (ids.has(interrupt.id)) return undefined;
    ids.add(interrupt.id);
    const fields = Object.entries(interrupt).filter(([, value]) => value !== null);
    read.push({ subagentRunId, ...Object.fromEntries(fields) } as Interrupt);
  }
  return read;
}

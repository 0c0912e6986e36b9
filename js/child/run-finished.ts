// Reads the end of a child's own run: which model it was, how it finished, what it waits for.
import type { Interrupt, RunErrorEvent, RunFinishedEvent, TokenUsage } from '../ag-ui/events.js';
import { readUsage } from '../ag-ui/usage.js';

/** The model, where TanStack AI (top level or `metadata.tanstack`) says it. */
export function modelOf(event: RunFinishedEvent | RunErrorEvent): string | undefined {
  const { model, metadata } = event as { model?: unknown; metadata?: { tanstack?: unknown } };
  const name = model ?? (metadata?.tanstack as { model?: unknown } | null | undefined)?.model;
  return typeof name === 'string' ? name : undefined;
}

/** What of a run's usage is its children's, where its host says so: `chatWithSubagents` does. */
export function childrenUsageOf({ metadata }: RunFinishedEvent | RunErrorEvent): TokenUsage[] {
  const { usage } = (metadata?.subcontract ?? {}) as { usage?: { children?: unknown } | null };
  const children = usage?.children;
  return Array.isArray(children) ? children.flatMap((child) => readUsage(child?.usage)) : [];
}

/** The finish reason, where TanStack AI (top level or `metadata.tanstack`) and others put it. */
export function finishReasonOf(event: RunFinishedEvent): string | undefined {
  const { finishReason, metadata } = event as { finishReason?: unknown; metadata?: { tanstack?: unknown } };
  const nested = (metadata?.tanstack as { finishReason?: unknown } | null | undefined)?.finishReason;
  const reason = finishReason ?? nested;
  return typeof reason === 'string' ? reason : undefined;
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

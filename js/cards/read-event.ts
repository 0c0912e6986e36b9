// Reads events as they come over a wire: what is not as the protocol has it counts as absent.
import type { AGUIEvent, Interrupt } from '../ag-ui/events.js';
import { isRecord, records } from '../wire.js';

/** The members that a card reads as text. */
const TEXTS = [
  ...['subagentRunId', 'parentSubagentRunId', 'parentToolCallId', 'toolCallId', 'toolCallName', 'messageId'],
  ...['runId', 'name', 'description', 'delta', 'message', 'code'],
] as const;

/** Those without which an event says nothing to a card. */
const NEEDED: ReadonlyMap<unknown, readonly (typeof TEXTS)[number][]> = /* @__PURE__ */ new Map([
  ['SUBAGENT_STARTED', ['subagentRunId', 'name'] as const],
  ['TOOL_CALL_START', ['toolCallId', 'toolCallName'] as const],
  ['TOOL_CALL_ARGS', ['toolCallId', 'delta'] as const],
  ['TOOL_CALL_END', ['toolCallId'] as const],
  ['TOOL_CALL_RESULT', ['toolCallId'] as const],
  ['TEXT_MESSAGE_CONTENT', ['delta'] as const],
]);

/** The event, if it says something. A text that is none, `null` among them, is left out. */
export function readEvent(given: unknown): AGUIEvent | undefined {
  if (!isRecord(given)) return undefined;
  const event = texts(given, TEXTS);
  const needed = NEEDED.get(event.type) ?? [];
  return needed.every((name) => event[name] !== undefined) ? (event as unknown as AGUIEvent) : undefined;
}

/** The interrupts of a list, each once. */
export function readInterrupts(given: unknown): Interrupt[] {
  const read = new Map<string, Interrupt>();
  for (const entry of records(given)) {
    if (typeof entry.id !== 'string' || typeof entry.reason !== 'string') continue;
    const { responseSchema, metadata, ...rest } = texts(entry, ASKED);
    read.set(entry.id, {
      ...(rest as unknown as Interrupt),
      ...(isRecord(responseSchema) && { responseSchema }),
      ...(isRecord(metadata) && { metadata }),
    });
  }
  return [...read.values()];
}

const ASKED = ['subagentRunId', 'message', 'toolCallId', 'expiresAt'] as const;

function texts(given: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  let read = given;
  for (const name of names) {
    if (given[name] === undefined || typeof given[name] === 'string') continue;
    if (read === given) read = { ...given };
    delete read[name];
  }
  return read;
}

// What stands in a tool message for a result that is still to come, as TanStack AI marks it.
import { parsedJson } from './json-text.js';
import { isRecord } from './wire.js';

/** The content of the tool message of a call that is open, and runs again on a resume; nothing for any other content. */
export function readOpen(content: unknown): Record<string, unknown> | undefined {
  // Results may be large, and few are marked.
  const marked = typeof content === 'string' && content.includes('pendingExecution');
  const value = marked ? parsedJson(content) : undefined;
  return isRecord(value) && value.pendingExecution === true ? value : undefined;
}

/** Whether a call with this tool message is open. */
export function isOpen(content: unknown): boolean {
  return readOpen(content) !== undefined;
}

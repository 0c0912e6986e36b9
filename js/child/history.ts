// The child's own messages, folded from its own events.
import type { ToolCall } from '../ag-ui/events.js';

/** A message of the child's own history, in the form model hosts take (TanStack's `ModelMessage`, OpenAI's words). */
export type HistoryMessage =
  | { role: 'assistant'; content: string | null; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string }
  | { role: 'user'; content: string };

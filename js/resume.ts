// The state of a suspended child: what a resumed run needs to go on as the same child.
import type { Interrupt } from './ag-ui/events.js';
import type { HistoryMessage } from './child/history.js';
import type { AttemptRecord, ContractRef } from './envelope.js';
import { ResumeError } from './errors.js';
import { isListOf } from './wire.js';

/** A suspended child's state, opened. Wire names are snake case. */
export interface ResumeState {
  schema_version?: 1;
  /** Names this one suspension: what is claimed, so that it is resumed once. */
  id: string;
  /** The brief's exact text, from which the resumed run's input comes; null for a child that was given none. */
  brief_text: string | null;
  brief_digest: string | null;
  agent: string;
  contract: ContractRef & {
    /** The contract's own text, when it came with the call. */
    schema_text?: string;
  };
  thread_id: string;
  tool_call_id: string | null;
  subagent_run_id: string;
  /** The attempts already spent, which stay spent. */
  attempts_used: AttemptRecord[];
  interrupts: Interrupt[];
  /** The child's own messages so far. */
  messages: HistoryMessage[];
  /** Milliseconds since the epoch after which it can only be cancelled. */
  expires_at?: number;
  /** Whose it is: a user or a tenant, as the host names them. */
  bind?: string;
}

/** The state in what the core has read: it leaves messages and interrupts as they are. Throws a `ResumeError`. */
export function readState(read: ResumeState): ResumeState {
  if (isListOf(read.interrupts, isInterrupt) && isListOf(read.messages, isMessage)) return read;
  throw new ResumeError('this is no resume state: its messages or interrupts are malformed', {
    code: 'resume_unreadable',
  });
}

function isInterrupt({ id, reason }: Record<string, unknown>): boolean {
  return typeof id === 'string' && typeof reason === 'string';
}

function isMessage({ role, content, toolCalls = [], toolCallId }: Record<string, unknown>): boolean {
  switch (role) {
    case 'assistant':
      return (content === null || typeof content === 'string') && isListOf(toolCalls, isCall);
    case 'tool':
      return typeof content === 'string' && typeof toolCallId === 'string';
    default:
      return role === 'user' && typeof content === 'string';
  }
}

/** Whether it is a tool call as messages have it. */
export function isCall({ id, function: called }: Record<string, unknown>): boolean {
  const { name, arguments: text } = (called ?? {}) as Record<string, unknown>;
  return typeof id === 'string' && typeof name === 'string' && typeof text === 'string';
}

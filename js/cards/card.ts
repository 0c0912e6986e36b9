// What a card shows of one subagent: plain, immutable data.
import type { Interrupt, ResumeEntry, TokenUsage } from '../ag-ui/events.js';
import type { AttemptCode, Flag, Issue, ReadonlyJson, VerdictCode, Via } from '../core.js';
import type { Amendment, ContractRef, Degradation } from '../envelope.js';
import type { StreamStatus } from '../stream.js';

/** How a subagent stands. */
export type CardStatus = 'running' | 'suspended' | 'finished' | 'failed' | 'cancelled';

/** A text that may have been cut: words and results keep what matters, and say how much is gone. */
export interface CardText {
  readonly text: string;
  /** How many characters are not kept: of a child's words the first ones, of arguments and results the last ones. */
  readonly omitted: number;
}

/** What the parent wrote for the child. */
export interface CardBrief {
  /** The JSON text, without what else the delegating call says. */
  readonly text: string;
  /** That, parsed; absent when it is no JSON, or was cut. */
  readonly value?: ReadonlyJson;
}

/** One judged return, or one end of the child without a return. */
export interface CardAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly outcome: 'accepted' | 'rejected' | 'no_return';
  readonly via?: Via;
  readonly code?: AttemptCode;
  readonly issues: readonly Issue[];
  /** Refused while it streamed in. */
  readonly early: boolean;
}

/** One tool call of the child, those of its return tool excepted. */
export interface CardToolCall {
  readonly id: string;
  readonly name: string;
  /** `writing`: its arguments stream in; `waiting`: for a person's answer; `unfinished`: the child ended before it did. */
  readonly status: 'writing' | 'running' | 'waiting' | 'done' | 'unfinished';
  readonly args: CardText;
  readonly result?: CardText;
}

/** A return: as it streams in, then as the envelope has it. */
export interface CardReturn {
  /** The value so far. What did not change is the same object as before. */
  readonly value: ReadonlyJson | undefined;
  readonly source: 'stream' | 'envelope';
  /** What the page's own validation says of it so far; `unread` of one that is too long to be followed. */
  readonly status: StreamStatus | 'unread';
  /** What the page's own validation has against it. */
  readonly issues: readonly Issue[];
  /** The contract's schema. */
  readonly schema?: ReadonlyJson;
}

/** The page's own verdict on the result in the envelope. */
export type CardCheck =
  | {
      readonly verdict: 'valid';
      /** The result beside what streamed through the page. `amended`: it differs, and the envelope says where. */
      readonly streamed: 'same' | 'amended' | 'different' | 'unseen';
    }
  | { readonly verdict: 'invalid'; readonly code: VerdictCode; readonly issues: readonly Issue[] }
  /** `other_contract`: the child was held to another one than the page knows. */
  | { readonly verdict: 'unchecked'; readonly reason: 'no_contract' | 'unknown_agent' | 'other_contract' };

/** Something a person is asked, with the answer once it is given. */
export interface CardInterrupt {
  readonly interrupt: Interrupt;
  readonly answer?: ResumeEntry;
}

/** Why a child failed or was cancelled. */
export interface CardError {
  readonly code?: string;
  readonly message: string;
  readonly issues: readonly Issue[];
}

/** One subagent. */
export interface Card {
  /** Its `subagentRunId`; of a child that is known from the parent's messages alone, `call:` and its tool call's id. */
  readonly id: string;
  readonly agent: string;
  readonly description?: string;
  /** The tool call by which its parent delegated. */
  readonly parentToolCallId?: string;
  /** The card of the subagent that delegated to it, for a nested one. */
  readonly parentId?: string;
  /** The cards of its own subagents, in the order they started. */
  readonly children: readonly string[];
  readonly status: CardStatus;
  /** Whether events are expected to come, while it runs. */
  readonly connected: boolean;
  /** When the page heard of its start, in milliseconds since the epoch; absent for one that was rebuilt from messages. */
  readonly startedAt?: number;
  /** Since when it is at work, while it is. */
  readonly workingSince?: number;
  /** How long it was at work before that. */
  readonly workedMs: number;
  /** How long it took, as the host measured it. */
  readonly durationMs?: number;
  readonly brief?: CardBrief;
  readonly contract?: ContractRef;
  /** The judged attempts so far. */
  readonly attempts: readonly CardAttempt[];
  /** The attempt that is under way, or was the last; from 1. */
  readonly attempt: number;
  /** How many there can be, once it is known. */
  readonly maxAttempts?: number;
  readonly toolCalls: readonly CardToolCall[];
  /** How many earlier tool calls are no longer kept. */
  readonly omittedToolCalls: number;
  /** The child's latest words. */
  readonly words?: CardText;
  readonly return?: CardReturn;
  /** The envelope's `task_summary`: the answer, when there is no contract. */
  readonly summary?: string;
  readonly check?: CardCheck;
  readonly degraded: readonly Degradation[];
  readonly amendments: readonly Amendment[];
  readonly flags: readonly Flag[];
  readonly usage: readonly TokenUsage[];
  readonly interrupts: readonly CardInterrupt[];
  readonly error?: CardError;
  /** What to ask a transcript for. */
  readonly transcriptRef: string;
}

/** All cards at one time. */
export interface CardsSnapshot {
  /** Goes up with each change. */
  readonly version: number;
  /** In the order they started. */
  readonly cards: readonly Card[];
  readonly byId: ReadonlyMap<string, Card>;
}

// The envelope: what a parent, and the host around it, get back from a delegation.
import type { Interrupt, TokenUsage } from './ag-ui/events.js';
import { type AttemptCode, assertEnvelope, envelopeTextForModel, type Flag, type Issue, type Via } from './core.js';
import { SubcontractError } from './errors.js';
import { noJson, toJsonText } from './json-text.js';

/** How a delegation ended. */
export type EnvelopeStatus = 'completed' | 'failed' | 'suspended' | 'cancelled';

/** One judged return, or one end of the child without a return. */
export interface AttemptRecord {
  /** From 1. */
  attempt: number;
  /** How the return came; absent when there was none. */
  via?: Via;
  outcome: 'accepted' | 'rejected' | 'no_return';
  code?: AttemptCode;
  issues?: Issue[];
  /** Refused while it streamed in, before its end. */
  early?: boolean;
  /** What was spent on it: the usage reported since the attempt before. */
  usage?: TokenUsage[];
}

/** A change of an accepted return. */
export interface Amendment {
  /** RFC 6901 pointer to what was changed, added or removed. */
  pointer: string;
  /** The guard that did it; `host`, whose transcript handle it is; or `transform`: the schema's own. */
  by: string;
}

/** What a guard says against a return that was accepted all the same. The parent's model reads it. */
export interface Degradation {
  /** The guard, or `host`. */
  by: string;
  /** RFC 6901 pointer to what it is about; absent when that is the whole. */
  pointer?: string;
  message: string;
}

/** Which contract a return was judged by. */
export interface ContractRef {
  source: 'final_schema' | 'output_schema' | 'none';
  /** Of its schema; absent without a contract. */
  digest?: string;
}

/** What the host measured of a child's work. */
export interface MeasuredEffort {
  /** The child's own tool calls, but for those of its return tool. */
  tool_calls: number;
  duration_ms?: number;
  /** The provider's last one. */
  finish_reason?: string;
}

/** What a parent gets back. The first four fields are what its model sees. Wire names are snake case. */
export interface ResultEnvelope<Result = unknown> {
  run_id: string;
  subagent: string;
  /** Beside a typed result: the child's last text before it, cut. In prose mode: the answer. */
  task_summary: string | null;
  /** The accepted return, parsed; null in prose mode and when there is none. The exact text is in `envelopeText`. */
  final_result: Result | null;
  schema_version: number;
  status: EnvelopeStatus;
  attempts: AttemptRecord[];
  /** What guards say against the result. The parent's model sees it. */
  degraded?: Degradation[];
  /** What was changed in the result after the child returned it. */
  amendments?: Amendment[];
  /** The child's own return, where the result is not that. */
  returned?: unknown;
  /** The closed and valid parts of the last return, when none was accepted: for the host, never for the parent's model. */
  partial?: unknown;
  flags?: Flag[];
  input?: unknown;
  tool_call_id?: string;
  contract: ContractRef;
  /** What the host measured, and beside it what the return itself claims. */
  effort: { measured: MeasuredEffort; claimed?: unknown };
  usage?: TokenUsage[];
  /** The handle of the child's transcript, where the host keeps it (`transcripts`). The parent's model sees it. */
  transcript_ref?: string;
  error?: { code: string; message: string; issues?: Issue[] };
  /** Of a suspended child: what it waits for, and with `seal: 'none'` its state. */
  resume?: { interrupts: Interrupt[]; state?: string };
  /** Of a suspended child: its state as a token that only this host opens. */
  resume_sealed?: string;
}

/** What a host knows of a delegation when it ends or is suspended. Texts are exact and go out to the letter. */
export interface EnvelopeParts {
  run_id: string;
  subagent: string;
  task_summary: string | null;
  /** The accepted return. */
  result_text?: string;
  status: EnvelopeStatus;
  attempts: AttemptRecord[];
  degraded?: readonly Degradation[];
  amendments?: readonly Amendment[];
  /** The child's own return; goes with `amendments`. */
  returned_text?: string;
  /** What was salvaged, for a child that failed or was cancelled. */
  partial_text?: string;
  flags?: Flag[];
  /** The brief, for an agent with an `inputSchema`. */
  input_text?: string;
  tool_call_id?: string;
  contract: ContractRef;
  effort: MeasuredEffort;
  usage?: TokenUsage[];
  transcript_ref?: string;
  error?: { code: string; message: string; issues?: readonly Issue[] };
  resume?: { interrupts: Interrupt[]; state?: string };
  resume_sealed?: string;
}

const BYTE_ORDER_MARK = '\ufeff';

/** Reads an envelope's text. Throws a `SubcontractError` when it is none, or of a version this package does not know. */
export function parseEnvelope<Result = unknown>(text: string): ResultEnvelope<Result> {
  assertEnvelope(text);
  // The core passes over a byte order mark, and JSON.parse does not.
  return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text) as ResultEnvelope<Result>;
}

/**
 * What the parent's model sees of an envelope, as JSON text. Give it the exact text where there is one: an envelope that
 * went through JavaScript has the numbers JavaScript has. Throws a `SubcontractError` for what is no envelope, and for one
 * that holds what JSON cannot carry.
 */
export function envelopeForModel(envelope: ResultEnvelope | string): string {
  if (typeof envelope === 'string') return envelopeTextForModel(envelope);
  const json = toJsonText(envelope);
  if (json.ok) return envelopeTextForModel(json.text);
  throw new SubcontractError(`this is no envelope: it is ${noJson(json)}`, { code: 'envelope_unreadable' });
}

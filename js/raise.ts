// The way of a suspended child's state through the client: out in `Interrupt.metadata`, back in `ResumeEntry.metadata`.
import type { Interrupt, Metadata } from './ag-ui/events.js';
import type { ResultEnvelope } from './envelope.js';
import { assertObject } from './misuse.js';
import { isRecord } from './wire.js';

/** Where in the metadata our own fields are. */
const FIELD = 'subcontract';

interface Carrier {
  metadata?: Metadata | undefined;
}

/** What a client carries of a suspended child: its sealed token, or with `seal: 'none'` the state's own text. */
export function resumeTokenOf(envelope: ResultEnvelope): string | undefined {
  assertObject('an envelope', envelope);
  const { resume, resume_sealed } = envelope;
  const token: unknown = resume_sealed ?? resume?.state;
  // An envelope that came back from a client may hold anything there.
  return typeof token === 'string' ? token : undefined;
}

/**
 * A suspended child's interrupts as a run raises them. The first one carries the child's state in its metadata, for clients
 * that send an interrupt's metadata back with its answer; one resume answers them all.
 */
export function raisedInterrupts(envelope: ResultEnvelope): Interrupt[] {
  const [first, ...others] = envelope.resume?.interrupts ?? [];
  const token = resumeTokenOf(envelope);
  if (first === undefined) return [];
  return [token === undefined ? first : withResumeToken(first, token), ...others];
}

/** The token that an interrupt, or the answer to one, carries. */
export function resumeTokenIn({ metadata }: Carrier): string | undefined {
  const own = fieldOf(metadata);
  return typeof own?.resume === 'string' ? own.resume : undefined;
}

/** The same with this token, in place of any other. */
export function withResumeToken<T extends Carrier>(carrier: T, token: string): T {
  const { metadata } = carrier;
  return { ...carrier, metadata: { ...metadata, [FIELD]: { ...fieldOf(metadata), resume: token } } };
}

/** The same without a token. */
export function withoutResumeToken<T extends Carrier>(carrier: T): T {
  if (resumeTokenIn(carrier) === undefined) return carrier;
  const { resume: _token, ...own } = fieldOf(carrier.metadata) ?? {};
  const { [FIELD]: _own, ...others } = carrier.metadata ?? {};
  const metadata = Object.keys(own).length > 0 ? { ...others, [FIELD]: own } : others;
  const { metadata: _metadata, ...rest } = carrier;
  return (Object.keys(metadata).length > 0 ? { ...rest, metadata } : rest) as T;
}

/** Where TanStack AI has what it compares an answer with. */
const BINDING = 'tanstack:interruptBinding';

/** An interrupt whose binding names it, and the call it is about, as the client does; `run` says whose answer it waits for. */
export function rebound(interrupt: Interrupt, run: object = {}): Interrupt {
  const { id: interruptId, toolCallId, metadata } = interrupt;
  const binding = metadata?.[BINDING];
  if (!isRecord(binding)) return interrupt;
  const named = 'toolCallId' in binding && toolCallId !== undefined;
  const bound = { ...binding, interruptId, ...(named && { toolCallId }), ...run };
  return { ...interrupt, metadata: { ...metadata, [BINDING]: bound } };
}

function fieldOf(metadata: Metadata | undefined): Record<string, unknown> | undefined {
  const own = metadata?.[FIELD];
  return isRecord(own) ? own : undefined;
}

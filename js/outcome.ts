// What a delegation came to, written down: the envelope, the tool result, and the last event.
import type { AGUIEvent, Interrupt } from './ag-ui/events.js';
import { parseExact } from './ag-ui/exact-json.js';
import { usageField } from './ag-ui/usage.js';
import { RefusedBrief } from './brief.js';
import { type Failure, failure, failureOfThrown } from './child/failure.js';
import type { ChildIds } from './child/ids.js';
import type { Measured, Outcome } from './child/job.js';
import type { Contract } from './contract.js';
import { buildEnvelope, envelopeForEvent } from './core.js';
import { type EnvelopeParts, type MeasuredEffort, parseEnvelope } from './envelope.js';
import type { Acceptance } from './gate.js';
import type { DelegationNews } from './observe.js';
import type { Delegated } from './prepare.js';
import { type Present, presented } from './present.js';
import type { Parked } from './suspend.js';
import { defined } from './wire.js';

/** Everything known of a delegation that has ended. */
export interface Ended extends Delegated {
  outcome: Outcome;
  measured: Measured;
  durationMs: number | undefined;
  /** Of a suspended child. */
  parked: Parked | undefined;
  /** The handle under which its transcript is kept. */
  transcriptRef: string | undefined;
  /** How the parent's model reads the envelope. */
  present: Present | undefined;
}

/** What a delegation hands out. */
export interface Written {
  envelopeText: string;
  toolResult: string;
  /** Absent for a completed and for a suspended child. */
  failure: Failure | undefined;
  /** What to send as the child's last event. */
  lastEvent: AGUIEvent;
}

/** Writes everything down. It does not throw: where the core itself fails, that is the outcome. */
export function write(ended: Ended): Written {
  try {
    const envelopeText = buildEnvelope(partsOf(ended));
    const failure = failureIn(ended.outcome);
    const refusedBrief = failure?.error instanceof RefusedBrief ? failure.error : undefined;
    return {
      envelopeText,
      toolResult: refusedBrief?.feedback ?? presented(envelopeText, ended.present, ended.chosen.contract),
      failure,
      lastEvent: lastEvent(ended.ids, ended, envelopeText),
    };
  } catch (thrown) {
    return withoutCore(ended, failureOfThrown(thrown));
  }
}

function partsOf(ended: Ended): EnvelopeParts {
  const { ids, agent, prepared, outcome, measured, parked, transcriptRef } = ended;
  const { subagentRunId, parentToolCallId } = ids;
  return {
    run_id: subagentRunId,
    subagent: agent.name,
    task_summary: outcome.status === 'completed' ? outcome.summary : null,
    ...(outcome.status === 'completed' && outcome.accepted && acceptedParts(outcome.accepted)),
    status: outcome.status,
    attempts: prepared?.gate?.attempts ?? [],
    ...(agent.inputContract && prepared?.brief.text != null && { input_text: prepared.brief.text }),
    ...defined({ tool_call_id: parentToolCallId, transcript_ref: transcriptRef }),
    contract: ended.chosen.ref,
    effort: effortOf(ended),
    ...usageField(measured.usage),
    ...partialOf(ended),
    ...('error' in outcome && {
      error: { code: outcome.code, message: outcome.message, ...(outcome.issues && { issues: outcome.issues }) },
    }),
    ...(outcome.status === 'suspended' && parked && resumeFields(outcome.interrupts, parked)),
  };
}

/** What can be saved of a return that was not accepted, or did not come to its end. */
function partialOf({ outcome, prepared }: Ended): Pick<EnvelopeParts, 'partial_text'> {
  if (!('error' in outcome) || !prepared?.gate) return {};
  const { gate, history } = prepared;
  const saved = gate.partial(history.inFlight(gate.contract.handle.returnTool().name));
  return saved === undefined ? {} : { partial_text: saved };
}

function resumeFields(interrupts: Interrupt[], parked: Parked): Pick<EnvelopeParts, 'resume' | 'resume_sealed'> {
  if ('state' in parked) return { resume: { interrupts, state: parked.state } };
  return { resume: { interrupts }, resume_sealed: parked.sealed };
}

function acceptedParts(accepted: Acceptance): Partial<EnvelopeParts> {
  const { text, flags, degraded, amendments, returned } = accepted;
  return {
    result_text: text,
    ...(flags.length > 0 && { flags }),
    ...defined({ degraded, amendments, returned_text: returned }),
  };
}

function effortOf({ prepared, measured: { finishReason }, durationMs }: Ended): MeasuredEffort {
  const returnTool = prepared?.gate?.contract.handle.returnTool().name;
  return defined<MeasuredEffort>({
    tool_calls: prepared?.history.countToolCalls(returnTool) ?? 0,
    duration_ms: durationMs,
    finish_reason: finishReason,
  });
}

/** The end of a delegation as an observer hears of it. */
export function newsOfEnd(ended: Ended, failure: Failure | undefined): DelegationNews {
  const { prepared, outcome, measured } = ended;
  if (failure && !prepared && failure.status === 'failed') return { type: 'refused', code: failure.code };
  const attempts = prepared?.gate?.attempts.length ?? 0;
  const measure = { attempts, effort: effortOf(ended), ...usageField(measured.usage) };
  if (failure) {
    const { code, status } = failure;
    if (status === 'cancelled') return { type: 'cancelled', code, ...measure };
    return { type: code === 'contract_exhausted' ? 'exhausted' : 'failed', code, ...measure };
  }
  if (outcome.status === 'suspended') return { type: 'suspended', interrupts: outcome.interrupts.length, ...measure };
  return { type: prepared?.gate ? 'accepted' : 'answered', ...measure };
}

/** What a delegation handed out that ended before, again. Nothing is counted twice: it has no usage. */
export function replay(
  envelopeText: string,
  { present, contract }: { present: Present | undefined; contract: Contract | undefined },
): { written: Written; outcome: Outcome } {
  const { run_id: subagentRunId, status, error, resume } = parseEnvelope(envelopeText);
  const { code = 'child_error', message = 'the child failed', issues } = error ?? {};
  let outcome: Outcome;
  if (status === 'completed') outcome = { status, summary: null };
  else if (status === 'suspended') outcome = { status, interrupts: resume?.interrupts ?? [] };
  else outcome = failure(code, message, { status, ...(issues && { issues }) });
  const written = {
    envelopeText,
    toolResult: presented(envelopeText, present, contract),
    failure: failureIn(outcome),
    lastEvent: lastEvent({ subagentRunId }, { outcome, measured: { usage: [] } }, envelopeText),
  };
  return { written, outcome };
}

function lastEvent(
  { subagentRunId }: Pick<ChildIds, 'subagentRunId'>,
  { outcome, measured }: Pick<Ended, 'outcome' | 'measured'>,
  envelopeText: string,
): AGUIEvent {
  const own = usageField(measured.usage);
  // The protocol has no usage on these events, and rolls it up into the run's; a card wants the child's own.
  const fields = { subagentRunId, ...(own.usage && { metadata: { subcontract: own } }) };
  if (outcome.status === 'suspended') {
    const own = outcome.interrupts.filter((interrupt) => interrupt.subagentRunId === subagentRunId).map(({ id }) => id);
    return {
      type: 'SUBAGENT_FINISHED',
      ...fields,
      result: parseExact(envelopeForEvent(envelopeText)),
      outcome: { type: 'suspended', ...(own.length > 0 && { interruptIds: own }) },
    };
  }
  if (outcome.status === 'completed') {
    return {
      type: 'SUBAGENT_FINISHED',
      ...fields,
      result: parseExact(envelopeForEvent(envelopeText)),
      outcome: { type: 'success' },
    };
  }
  return { type: 'SUBAGENT_ERROR', ...fields, message: outcome.message, code: outcome.code };
}

function failureIn(outcome: Outcome): Failure | undefined {
  return 'error' in outcome ? outcome : undefined;
}

/** The core trapped, or was given contradictory parts: a bug, and still an envelope. */
function withoutCore({ ids, agent, prepared }: Ended, failure: Failure): Written {
  const { subagentRunId } = ids;
  const head = {
    run_id: subagentRunId,
    subagent: agent.name,
    task_summary: null,
    final_result: null,
    status: 'failed',
  };
  const { code, message } = failure;
  const envelopeText = JSON.stringify({
    ...head,
    attempts: prepared?.gate?.attempts ?? [],
    contract: { source: 'none' },
    effort: { measured: { tool_calls: 0 } },
    error: { code, message },
    schema_version: 1,
  });
  return {
    envelopeText,
    toolResult: JSON.stringify({ ...head, error: `${code}: ${message}` }),
    failure,
    lastEvent: { type: 'SUBAGENT_ERROR', subagentRunId, message, code },
  };
}

/** What a child that is suspended asks; nothing of one that is not, whatever its own children wait for. */
export function askedBy(outcome: Outcome, lastEvent: AGUIEvent): ReadonlySet<string> | undefined {
  if (outcome.status !== 'suspended' || lastEvent.type !== 'SUBAGENT_FINISHED') return undefined;
  return new Set(outcome.interrupts.map(({ id }) => id));
}

// What a delegation came to, written down: the envelope, the tool result, and the last event.
import type { AGUIEvent, Interrupt } from './ag-ui/events.js';
import { parseExact } from './ag-ui/exact-json.js';
import { sumUsage } from './ag-ui/usage.js';
import { RefusedBrief } from './brief.js';
import type { Measured, Outcome } from './child/drive.js';
import { type Failure, failure, failureOfThrown } from './child/failure.js';
import { buildEnvelope, envelopeForEvent } from './core.js';
import type { SubcontractAgent } from './define-agent.js';
import { type EnvelopeParts, envelopeForModel, parseEnvelope } from './envelope.js';
import type { Chosen, Prepared } from './prepare.js';
import type { Parked } from './suspend.js';

/** Everything known of a delegation that has ended. */
export interface Ended {
  runId: string;
  agent: SubcontractAgent;
  threadId: string;
  toolCallId: string | undefined;
  chosen: Chosen;
  /** Absent when the child never started. */
  prepared: Prepared | undefined;
  outcome: Outcome;
  measured: Measured;
  durationMs: number | undefined;
  /** Of a suspended child. */
  parked: Parked | undefined;
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
      toolResult: refusedBrief?.feedback ?? envelopeForModel(envelopeText),
      failure,
      lastEvent: lastEvent(ended, envelopeText),
    };
  } catch (thrown) {
    return withoutCore(ended, failureOfThrown(thrown));
  }
}

function partsOf(ended: Ended): EnvelopeParts {
  const { runId, agent, toolCallId, prepared, outcome, measured, durationMs, parked } = ended;
  const usage = sumUsage(measured.usage);
  const returnTool = prepared?.gate?.contract.handle.returnTool().name;
  return {
    run_id: runId,
    subagent: agent.name,
    task_summary: outcome.status === 'completed' ? outcome.summary : null,
    ...(outcome.status === 'completed' && outcome.resultText !== undefined && { result_text: outcome.resultText }),
    status: outcome.status,
    attempts: prepared?.gate?.attempts ?? [],
    ...(outcome.status === 'completed' && outcome.flags && { flags: outcome.flags }),
    ...(agent.inputContract && prepared?.brief.text != null && { input_text: prepared.brief.text }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    contract: ended.chosen.ref,
    effort: {
      tool_calls: prepared?.history.countToolCalls(returnTool) ?? 0,
      ...(durationMs !== undefined && { duration_ms: durationMs }),
      ...(measured.finishReason !== undefined && { finish_reason: measured.finishReason }),
    },
    ...(usage.length > 0 && { usage }),
    ...('error' in outcome && {
      error: { code: outcome.code, message: outcome.message, ...(outcome.issues && { issues: outcome.issues }) },
    }),
    ...(outcome.status === 'suspended' && parked && resumeFields(outcome.interrupts, parked)),
  };
}

function resumeFields(interrupts: Interrupt[], parked: Parked): Pick<EnvelopeParts, 'resume' | 'resume_sealed'> {
  if ('state' in parked) return { resume: { interrupts, state: parked.state } };
  return { resume: { interrupts }, resume_sealed: parked.sealed };
}

/** What a delegation handed out that ended before, again. Nothing is counted twice: it has no usage. */
export function replay(envelopeText: string): Written {
  const { run_id: runId, status, error, resume } = parseEnvelope(envelopeText);
  const toolResult = envelopeForModel(envelopeText);
  if (status === 'completed' || status === 'suspended') {
    const outcome: Outcome =
      status === 'completed' ? { status, summary: null } : { status, interrupts: resume?.interrupts ?? [] };
    const ended = { runId, outcome, measured: { usage: [] } };
    return { envelopeText, toolResult, failure: undefined, lastEvent: lastEvent(ended, envelopeText) };
  }
  const { code = 'child_error', message = 'the child failed' } = error ?? {};
  const failed = failure(code, message, { status, ...(error?.issues && { issues: error.issues }) });
  const ended = { runId, outcome: failed, measured: { usage: [] } };
  return { envelopeText, toolResult, failure: failed, lastEvent: lastEvent(ended, envelopeText) };
}

function lastEvent(
  { runId, outcome, measured }: Pick<Ended, 'runId' | 'outcome' | 'measured'>,
  envelopeText: string,
): AGUIEvent {
  const usage = sumUsage(measured.usage);
  // The protocol has no usage on these events, and rolls it up into the run's; a card wants the child's own.
  const fields = { subagentRunId: runId, ...(usage.length > 0 && { metadata: { subcontract: { usage } } }) };
  if (outcome.status === 'suspended') {
    const own = outcome.interrupts.filter((interrupt) => interrupt.subagentRunId === runId).map(({ id }) => id);
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
function withoutCore({ runId, agent, prepared }: Ended, failure: Failure): Written {
  const head = { run_id: runId, subagent: agent.name, task_summary: null, final_result: null, status: 'failed' };
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
    lastEvent: { type: 'SUBAGENT_ERROR', subagentRunId: runId, message, code },
  };
}

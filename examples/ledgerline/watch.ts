// Follows the AG-UI stream the way a client does, and keeps what it says about each child.
import type { AGUIEvent, AttemptRecord, Interrupt, ResultEnvelope, StrictResearchResult } from 'subcontract';

/** One step of a child's transcript. */
export type Step =
  | { kind: 'text'; text: string }
  | { kind: 'call'; id: string; name: string; args: string }
  | { kind: 'result'; callId: string; text: string };

/** A child, as the stream shows it. */
export interface Child {
  subagentRunId: string;
  name: string;
  parentToolCallId: string;
  /** The exact argument text of the delegating call. */
  brief: string;
  status: 'running' | 'suspended' | 'completed' | 'failed';
  starts: number;
  attempts: AttemptRecord[];
  steps: Step[];
  envelope?: ResultEnvelope<StrictResearchResult>;
  error?: string;
}

/** What just happened, for whoever shows it. */
export type Notice =
  | { kind: 'parent-text'; text: string }
  | { kind: 'span'; args: string; result: string }
  | { kind: 'started' | 'resumed' | 'suspended' | 'ended'; child: Child }
  | { kind: 'child-text'; child: Child; text: string }
  | { kind: 'tool'; child: Child; name: string; args: string; result: string }
  | { kind: 'attempt'; child: Child; attempt: AttemptRecord };

/** The state of a run, over all its requests. */
export class Watch {
  readonly children: Child[] = [];
  /** The parent's texts, one for each of its turns. */
  readonly parentTexts: string[] = [];
  /** What the parent read of transcripts. */
  readonly spans: { args: string; result: string }[] = [];
  interrupts: Interrupt[] = [];
  messages: unknown[] = [];
  runError: string | undefined;
  usage: unknown;
  #texts = new Map<string, string>();
  #calls = new Map<string, { name: string; args: string }>();

  constructor(private readonly show: (notice: Notice) => void) {}

  take(event: AGUIEvent): void {
    switch (event.type) {
      case 'RUN_STARTED':
        this.interrupts = [];
        break;
      case 'TEXT_MESSAGE_START':
        this.#texts.set(event.messageId, '');
        break;
      case 'TEXT_MESSAGE_CONTENT':
        this.#texts.set(event.messageId, (this.#texts.get(event.messageId) ?? '') + event.delta);
        break;
      case 'TEXT_MESSAGE_END':
        this.#said(this.#texts.get(event.messageId) ?? '', event.subagentRunId);
        break;
      case 'TOOL_CALL_START':
        this.#calls.set(event.toolCallId, { name: event.toolCallName, args: '' });
        break;
      case 'TOOL_CALL_ARGS': {
        const call = this.#calls.get(event.toolCallId);
        if (call !== undefined) call.args += event.delta;
        break;
      }
      case 'TOOL_CALL_END':
        this.#called(event.toolCallId, event.subagentRunId);
        break;
      case 'TOOL_CALL_RESULT':
        this.#answered(event.toolCallId, String(event.content), event.subagentRunId);
        break;
      case 'CUSTOM':
        if (event.name === 'subcontract.attempt') this.#judged(event.value, event.subagentRunId);
        break;
      case 'SUBAGENT_STARTED':
        this.#started(event.subagentRunId, event.name, event.parentToolCallId ?? '');
        break;
      case 'SUBAGENT_FINISHED':
        this.#finished(event.subagentRunId, event.result, event.outcome?.type === 'suspended');
        break;
      case 'SUBAGENT_ERROR': {
        const child = this.#child(event.subagentRunId);
        if (child === undefined) break;
        child.status = 'failed';
        child.error = event.message;
        this.show({ kind: 'ended', child });
        break;
      }
      case 'MESSAGES_SNAPSHOT':
        this.messages = event.messages;
        break;
      case 'RUN_FINISHED':
        if (event.outcome?.type === 'interrupt') this.interrupts = event.outcome.interrupts;
        this.usage = event.usage;
        break;
      case 'RUN_ERROR':
        this.runError = event.message;
        break;
    }
  }

  #child(subagentRunId: string | undefined): Child | undefined {
    return this.children.find((child) => child.subagentRunId === subagentRunId);
  }

  #said(text: string, subagentRunId: string | undefined): void {
    if (text === '') return;
    const child = this.#child(subagentRunId);
    if (child === undefined) {
      this.parentTexts.push(text);
      this.show({ kind: 'parent-text', text });
      return;
    }
    child.steps.push({ kind: 'text', text });
    this.show({ kind: 'child-text', child, text });
  }

  #called(id: string, subagentRunId: string | undefined): void {
    const call = this.#calls.get(id);
    if (call !== undefined) this.#child(subagentRunId)?.steps.push({ kind: 'call', id, ...call });
  }

  #answered(callId: string, text: string, subagentRunId: string | undefined): void {
    const child = this.#child(subagentRunId);
    const own = this.#calls.get(callId);
    if (child === undefined && own?.name === 'fetch_transcript_span') {
      this.spans.push({ args: own.args, result: text });
      this.show({ kind: 'span', args: own.args, result: text });
    }
    const call = child?.steps.find((step) => step.kind === 'call' && step.id === callId);
    if (child === undefined || call?.kind !== 'call') return;
    child.steps.push({ kind: 'result', callId, text });
    this.show({ kind: 'tool', child, name: call.name, args: call.args, result: text });
  }

  #judged(value: unknown, subagentRunId: string | undefined): void {
    const child = this.#child(subagentRunId);
    if (child === undefined) return;
    const attempt = value as AttemptRecord;
    child.attempts.push(attempt);
    this.show({ kind: 'attempt', child, attempt });
  }

  #started(subagentRunId: string, name: string, parentToolCallId: string): void {
    const known = this.#child(subagentRunId);
    if (known !== undefined) {
      known.status = 'running';
      known.starts += 1;
      this.show({ kind: 'resumed', child: known });
      return;
    }
    const child: Child = {
      subagentRunId,
      name,
      parentToolCallId,
      brief: this.#calls.get(parentToolCallId)?.args ?? '',
      status: 'running',
      starts: 1,
      attempts: [],
      steps: [],
    };
    this.children.push(child);
    this.show({ kind: 'started', child });
  }

  #finished(subagentRunId: string, result: unknown, suspended: boolean): void {
    const child = this.#child(subagentRunId);
    if (child === undefined) return;
    if (suspended) {
      child.status = 'suspended';
      this.show({ kind: 'suspended', child });
      return;
    }
    child.status = 'completed';
    child.envelope = result as ResultEnvelope<StrictResearchResult>;
    this.show({ kind: 'ended', child });
  }
}

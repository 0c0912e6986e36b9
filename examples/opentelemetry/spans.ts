// Delegations as OpenTelemetry spans: one for each stretch that a child runs, one event for each attempt.
import {
  type Attributes,
  type Context,
  context,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { DelegationEvent, DelegationMeasure, DelegationObserver, TokenUsage } from 'subcontract';

type Span = ReturnType<Tracer['startSpan']>;

/**
 * An observer for `onEvent`. Names and attributes are those of OpenTelemetry's conventions for generative AI where it has
 * them, and `subcontract.*` else. No brief, return or message is in them, because none is in the events.
 *
 * A child is under the span of the subagent that delegated to it, else under what is active where its run starts. A
 * suspended child's span ends; the one in which it is resumed, in this process, links to it.
 */
export function spansOf(tracer: Tracer): DelegationObserver {
  const open = new Map<string, Span>();
  const suspended = new Map<string, Span>();
  return (event) => {
    const { subagentRunId } = event;
    switch (event.type) {
      case 'started':
      case 'resumed': {
        const before = suspended.get(subagentRunId);
        suspended.delete(subagentRunId);
        open.set(subagentRunId, start(tracer, event, before, under(open.get(event.parentSubagentRunId ?? ''))));
        return;
      }
      case 'attempt':
        open.get(subagentRunId)?.addEvent('subcontract.attempt', attemptAttributes(event), event.timestamp);
        return;
      default: {
        // A child that never started has no span yet, and still one line in the trace.
        const span = open.get(subagentRunId) ?? start(tracer, event, undefined, context.active());
        open.delete(subagentRunId);
        if (event.type === 'suspended') suspended.set(subagentRunId, span);
        end(span, event);
      }
    }
  };
}

function under(parent: Span | undefined): Context {
  return parent ? trace.setSpan(context.active(), parent) : context.active();
}

function start(tracer: Tracer, event: DelegationEvent, before: Span | undefined, parent: Context): Span {
  const attributes: Attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': event.subagent,
    'gen_ai.conversation.id': event.threadId,
    'subcontract.subagent_run_id': event.subagentRunId,
  };
  if (event.parentToolCallId !== undefined) attributes['gen_ai.tool.call.id'] = event.parentToolCallId;
  if ('contract' in event) {
    attributes['subcontract.contract.source'] = event.contract.source;
    if (event.contract.digest !== undefined) attributes['subcontract.contract.digest'] = event.contract.digest;
  }
  return tracer.startSpan(
    `invoke_agent ${event.subagent}`,
    {
      kind: SpanKind.INTERNAL,
      attributes,
      ...(event.timestamp !== undefined && { startTime: event.timestamp }),
      ...(before && { links: [{ context: before.spanContext() }] }),
    },
    parent,
  );
}

function attemptAttributes(event: Extract<DelegationEvent, { type: 'attempt' }>): Attributes {
  return {
    'subcontract.attempt': event.attempt,
    'subcontract.attempt.outcome': event.outcome,
    'subcontract.attempt.early': event.early,
    'subcontract.attempt.issues': event.issues,
    ...(event.code !== undefined && { 'subcontract.attempt.code': event.code }),
    ...(event.keywords.length > 0 && { 'subcontract.attempt.keywords': event.keywords }),
  };
}

function end(span: Span, event: DelegationEvent): void {
  span.setAttribute('subcontract.outcome', event.type);
  if ('effort' in event) span.setAttributes(measureAttributes(event));
  if ('code' in event && event.code !== undefined) {
    span.setAttribute('error.type', event.code);
    span.setStatus({ code: SpanStatusCode.ERROR, message: event.code });
  }
  span.end(event.timestamp);
}

function measureAttributes({ attempts, effort, usage }: DelegationMeasure): Attributes {
  const sum = (count: keyof TokenUsage) => usage?.reduce((total, entry) => total + Number(entry[count] ?? 0), 0);
  return {
    'subcontract.attempts': attempts,
    'subcontract.tool_calls': effort.tool_calls,
    ...(effort.finish_reason !== undefined && { 'gen_ai.response.finish_reasons': [effort.finish_reason] }),
    ...(usage && {
      'gen_ai.usage.input_tokens': sum('inputTokens'),
      'gen_ai.usage.output_tokens': sum('outputTokens'),
    }),
  };
}

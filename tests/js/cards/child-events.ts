// The events of one child, as a host sends them, and the agents that the tests' pages know.
import { type ResearchResult, strictResearchResult } from 'subcontract';
import type { AGUIEvent, Interrupt } from '../../../js/ag-ui/events.js';

export const AGENTS = [{ name: 'researcher', outputSchema: strictResearchResult }];

export const BRIEF = { task: 'Which merchants does the change affect?', done_when: 'each is listed' };

export const RECORD: ResearchResult = {
  findings: [
    { claim: 'v2 refuses decimal amounts', provenance: ['docs/changelog.md:14'], confidence: 'verified' },
    {
      claim: 'merchant M-7 still sends them',
      provenance: ['merchants.csv:8', 'src/money.ts:3'],
      confidence: 'inferred',
    },
    { claim: 'the switch is on 1 December', provenance: ['handover.md:2'], confidence: 'reported' },
  ],
  assumptions: ['the table is current'],
  unresolved: [{ question: 'does M-9 use v2?', would_settle_it: 'a look at production' }],
  coverage: { searched: ['docs', 'src'], not_searched: ['production'] },
  effort: { tool_calls: 2, budget_exhausted: false },
};

/** Events of a run with one child, `c1`, that the parent's call `call-1` starts. */
export class Child {
  constructor(
    readonly id = 'c1',
    readonly name = 'researcher',
    readonly toolCallId = 'call-1',
  ) {}

  run(runId = 'run-1'): AGUIEvent {
    return { type: 'RUN_STARTED', threadId: 'thread', runId };
  }

  called(args = JSON.stringify(BRIEF), toolName = this.name): AGUIEvent[] {
    const { toolCallId } = this;
    return [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName: toolName },
      ...pieces(args).map((delta): AGUIEvent => ({ type: 'TOOL_CALL_ARGS', toolCallId, delta })),
      { type: 'TOOL_CALL_END', toolCallId },
    ];
  }

  started(more: object = {}): AGUIEvent {
    const { id: subagentRunId, name, toolCallId: parentToolCallId } = this;
    return { type: 'SUBAGENT_STARTED', subagentRunId, name, parentToolCallId, ...more };
  }

  call(name: string, args: string, id = name): AGUIEvent[] {
    const own = { toolCallId: `${this.id}:${id}`, subagentRunId: this.id };
    return [
      { type: 'TOOL_CALL_START', toolCallName: name, ...own },
      ...pieces(args).map((delta): AGUIEvent => ({ type: 'TOOL_CALL_ARGS', delta, ...own })),
      { type: 'TOOL_CALL_END', ...own },
    ];
  }

  returns(text: string, id = 'return-1'): AGUIEvent[] {
    return this.call('research_result', text, id);
  }

  result(content: string, id: string): AGUIEvent {
    const toolCallId = `${this.id}:${id}`;
    return { type: 'TOOL_CALL_RESULT', messageId: `m-${id}`, toolCallId, content, subagentRunId: this.id };
  }

  attempt(value: object): AGUIEvent {
    return { type: 'CUSTOM', name: 'subcontract.attempt', value, subagentRunId: this.id };
  }

  envelope(more: object = {}) {
    const { id: run_id, name: subagent, toolCallId: tool_call_id } = this;
    return {
      run_id,
      subagent,
      task_summary: null,
      final_result: null,
      status: 'completed',
      attempts: [],
      tool_call_id,
      contract: { source: 'output_schema' },
      effort: { measured: { tool_calls: 1, duration_ms: 4200 } },
      schema_version: 1,
      ...more,
    };
  }

  finished(more: object = {}, usage?: object): AGUIEvent {
    return {
      type: 'SUBAGENT_FINISHED',
      subagentRunId: this.id,
      result: this.envelope(more),
      outcome: { type: 'success' },
      ...(usage && { metadata: { subcontract: { usage: [usage] } } }),
    };
  }

  suspended(): AGUIEvent {
    return {
      type: 'SUBAGENT_FINISHED',
      subagentRunId: this.id,
      result: this.envelope({ status: 'suspended' }),
      outcome: { type: 'suspended', interruptIds: [this.approval().id] },
    };
  }

  failed(code: string, message: string): AGUIEvent {
    return { type: 'SUBAGENT_ERROR', subagentRunId: this.id, code, message };
  }

  /** As TanStack AI asks before a tool runs. */
  approval(): Interrupt {
    const args = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    const yes = {
      type: 'object',
      properties: { approved: { const: true }, editedArgs: args },
      required: ['approved'],
      additionalProperties: false,
    };
    const no = {
      type: 'object',
      properties: { approved: { const: false } },
      required: ['approved'],
      additionalProperties: false,
    };
    return {
      id: `${this.id}:approval_query`,
      subagentRunId: this.id,
      reason: 'tool_call',
      message: 'Approval required to run query',
      toolCallId: `${this.id}:query`,
      responseSchema: { oneOf: [yes, no] },
      metadata: { input: { id: 'M-9' } },
    };
  }

  interrupted(interrupts: Interrupt[] = [this.approval()]): AGUIEvent {
    return { type: 'RUN_FINISHED', threadId: 'thread', runId: 'run-1', outcome: { type: 'interrupt', interrupts } };
  }

  over(): AGUIEvent {
    return { type: 'RUN_FINISHED', threadId: 'thread', runId: 'run-1' };
  }
}

/** A text as a provider sends it: in pieces of a few characters. */
export function pieces(text: string, length = 7): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}

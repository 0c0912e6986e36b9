// A client's side of a conversation whose children wait: what it posts, through JSON and the host's own reading of it.
import { chatParamsFromRequestBody, type Tool, toolDefinition } from '@tanstack/ai';
import type { Seal, SubcontractAgent } from 'subcontract';
import { lintEvents } from 'subcontract/ag-ui';
import { chatWithSubagents, type SubagentsOptions } from 'subcontract/tanstack';
import { expect } from 'vitest';
import { z } from 'zod';
import type { AGUIEvent, Interrupt, Message } from '../../../js/ag-ui/events.js';
import { GOOD } from './agents.js';
import { hasResult, type Script, type ScriptedModels, toolResults } from './scripted-model.js';
import { collect, ofType } from './strict-client.js';

/** A parent that delegates once and then says the price. */
export const delegating =
  (brief: string): Script =>
  (request) =>
    hasResult(request) ? { text: 'It costs 10.' } : { calls: [{ id: 'call-1', name: 'scout', arguments: brief }] };

/** A child that fetches a page and returns. */
export const fetching: Script = (request) =>
  'fetch-1' in toolResults(request)
    ? { calls: [{ id: 'return-1', name: 'price_record', arguments: GOOD }] }
    : { calls: [{ id: 'fetch-1', name: 'fetch_page', arguments: '{"url":"https://a.example"}' }] };

/** A tool that asks a person first; `during` runs while it does. */
export function fetchTool(during: () => Promise<void> | void = () => {}) {
  const ran: string[] = [];
  const tool: Tool = toolDefinition({
    name: 'fetch_page',
    description: 'Fetches a page',
    needsApproval: true,
    inputSchema: z.object({ url: z.string() }),
  }).server(async ({ url }) => {
    ran.push(url);
    await during();
    return { body: 'Team: 10' };
  });
  return { ran, tool };
}

/** The interrupts that a run ended with. */
export function interruptsOf(events: readonly AGUIEvent[]): Interrupt[] {
  const outcome = ofType(events, 'RUN_FINISHED')[0]?.outcome;
  return outcome?.type === 'interrupt' ? outcome.interrupts : [];
}

/** The messages that a client has at the end of a run. */
export function messagesOf(events: readonly AGUIEvent[]): Message[] {
  return ofType(events, 'MESSAGES_SNAPSHOT')[0]?.messages ?? [];
}

/** What the client carries of the child that waits in `call-1`. */
export function envelopeOf(events: readonly AGUIEvent[]) {
  const tool = messagesOf(events).find((message) => message.role === 'tool');
  return JSON.parse(JSON.parse(String(tool?.content)).subcontract) as {
    resume: { interrupts: Interrupt[]; state?: string };
    resume_sealed?: string;
  };
}

/** A client and its host. Every thread is linted. */
export class Conversation {
  /** The events of a thread up to the end of a run, by its id. */
  readonly #runs = new Map<string, AGUIEvent[]>();

  constructor(
    readonly models: ScriptedModels,
    readonly agent: SubcontractAgent,
    public seal: Seal,
    /** What the host passes to `chatWithSubagents` besides. */
    readonly host: { tools?: Tool[]; subagents?: Partial<SubagentsOptions> } = {},
  ) {}

  async post(body: Record<string, unknown>): Promise<AGUIEvent[]> {
    const request = { tools: [], context: [], state: {}, forwardedProps: {}, threadId: 'thread', ...body };
    const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequestBody(
      JSON.parse(JSON.stringify(request)),
    );
    const events = await collect(
      chatWithSubagents({
        adapter: this.models.adapter('parent'),
        messages,
        threadId,
        runId,
        parentRunId,
        resume,
        ...(this.host.tools && { tools: this.host.tools }),
        subagents: { agents: [this.agent], seal: this.seal, ...this.host.subagents },
      }),
    );
    const earlier = this.#runs.get(parentRunId ?? '') ?? [];
    this.#runs.set(runId, [...earlier, ...events]);
    // A refused run answers nothing of the one before, and is no run of the thread.
    if (errorOf(events) === undefined) {
      // Not the warnings: the message that keeps a waiting call open in 0.58 passes for a first answer to it.
      const findings = lintEvents(events, { earlier, ...(resume && { resume }) }).filter(
        ({ severity }) => severity === 'error',
      );
      expect(findings.map(({ rule, message, index }) => `${rule} at ${index}: ${message}`)).toEqual([]);
    }
    return events;
  }

  ask(): Promise<AGUIEvent[]> {
    return this.post({ runId: 'run-1', messages: [{ id: 'm-1', role: 'user', content: 'price of A?' }] });
  }

  /** Answers every interrupt of `waiting`. */
  answer(
    waiting: readonly AGUIEvent[],
    answer: Record<string, unknown> = { status: 'resolved', payload: { approved: true } },
    more: Record<string, unknown> = {},
  ): Promise<AGUIEvent[]> {
    return this.post({
      runId: 'run-2',
      parentRunId: 'run-1',
      messages: messagesOf(waiting),
      resume: interruptsOf(waiting).map(({ id }) => ({ interruptId: id, ...answer })),
      ...more,
    });
  }
}

/** The code that a run failed with. */
export function errorOf(events: readonly AGUIEvent[]): string | undefined {
  return ofType(events, 'RUN_ERROR')[0]?.code;
}

/** The result that the child's last event carries. */
export function resultOf(events: readonly AGUIEvent[]): unknown {
  return ofType(events, 'SUBAGENT_FINISHED').at(-1)?.result;
}

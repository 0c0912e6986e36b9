// A thread of a client with a parent that delegates to one child, over any adapter; every run is judged by every reader.
import { chat, chatParamsFromRequestBody, type Tool } from '@tanstack/ai';
import { defineAgent, type SubcontractAgent } from 'subcontract';
import { lintEvents } from 'subcontract/ag-ui';
import { chatWithSubagents } from 'subcontract/tanstack';
import { expect } from 'vitest';
import { z } from 'zod';
import type { AGUIEvent, Interrupt, Message } from '../../../js/ag-ui/events.js';
import { soon } from '../delegate/strict-client.js';
import { PRICE } from '../tanstack/agents.js';
import { collect, ofType } from '../tanstack/strict-client.js';
import type { Provider } from './provider.js';

/** The child, whose `run` is the one that the documentation shows. */
export function scout(provider: Provider, tools: Tool[] = [], more: object = {}): SubcontractAgent {
  return defineAgent({
    name: 'scout',
    description: 'Finds prices',
    inputSchema: z.object({ task: z.string().min(1) }),
    outputSchema: PRICE,
    run: (ctx) =>
      chat({
        adapter: provider.adapter('child'),
        messages: ctx.seed([{ role: 'user', content: ctx.input.task }]),
        threadId: ctx.threadId,
        runId: ctx.runId,
        parentRunId: ctx.parentRunId,
        resume: ctx.resume,
        tools: [...tools, ...ctx.tools],
      }),
    ...more,
  });
}

export class Thread {
  #events: AGUIEvent[] = [];

  constructor(
    readonly provider: Provider,
    readonly agent: SubcontractAgent,
  ) {}

  /** One request of the client, through JSON and the host's own reading of it. */
  async post(body: Record<string, unknown>): Promise<AGUIEvent[]> {
    const request = { tools: [], context: [], state: {}, forwardedProps: {}, threadId: 'thread', ...body };
    const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequestBody(
      JSON.parse(JSON.stringify(request)),
    );
    const events = await soon(
      collect(
        chatWithSubagents({
          adapter: this.provider.adapter('parent'),
          messages,
          threadId,
          runId,
          parentRunId,
          resume,
          debug: false,
          subagents: { agents: [this.agent], seal: 'none' },
        }),
      ),
    );
    const found = lintEvents(events, { earlier: this.#events, ...(resume && { resume }) });
    const errors = found.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ rule, message, index }) => `${rule} at ${index}: ${message}`)).toEqual([]);
    this.#events = [...this.#events, ...events];
    return events;
  }

  ask(): Promise<AGUIEvent[]> {
    return this.post({ runId: 'run-1', messages: [{ id: 'm-1', role: 'user', content: 'price of A?' }] });
  }

  /** Approves everything that the run waits for. */
  approve(waiting: readonly AGUIEvent[]): Promise<AGUIEvent[]> {
    const resume = interruptsOf(waiting).map(({ id: interruptId }) => ({
      interruptId,
      status: 'resolved',
      payload: { approved: true },
    }));
    return this.post({ runId: 'run-2', parentRunId: 'run-1', messages: messagesOf(waiting), resume });
  }
}

export function interruptsOf(events: readonly AGUIEvent[]): Interrupt[] {
  const outcome = ofType(events, 'RUN_FINISHED')[0]?.outcome;
  return outcome?.type === 'interrupt' ? outcome.interrupts : [];
}

function messagesOf(events: readonly AGUIEvent[]): Message[] {
  return ofType(events, 'MESSAGES_SNAPSHOT')[0]?.messages ?? [];
}

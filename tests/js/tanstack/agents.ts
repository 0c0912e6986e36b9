// The agents that the tests delegate to, and the parent that does.
import { chat, type Tool, toolDefinition } from '@tanstack/ai';
import { type AgentContext, defineAgent, type SubcontractAgent } from 'subcontract';
import { z } from 'zod';
import type { ScriptedModels } from './scripted-model.js';

export const PRICE = {
  title: 'price_record',
  type: 'object',
  properties: { plan: { type: 'string' }, price: { type: 'number' } },
  required: ['plan', 'price'],
  additionalProperties: false,
} as const;

export const GOOD = '{"plan":"Team","price":10}';
export const BAD = '{"plan":"Team","price":"ten"}';
export const BRIEF = '{"task":"find the list price of vendor A"}';

export interface ScoutOptions {
  tools?: Tool[];
  maxRetries?: number;
  earlyReject?: boolean;
  /** Told of each call of `run`. */
  onRun?: (context: AgentContext<{ task: string }>) => void;
}

/** A child with both schemas, whose `run` is the one the documentation shows. */
export function scout(models: ScriptedModels, options: ScoutOptions = {}): SubcontractAgent {
  return defineAgent({
    name: 'scout',
    description: 'Finds prices',
    inputSchema: z.object({ task: z.string().min(1) }),
    outputSchema: PRICE,
    ...(options.maxRetries === undefined ? {} : { maxRetries: options.maxRetries }),
    ...(options.earlyReject === undefined ? {} : { earlyReject: options.earlyReject }),
    run: (context) => {
      options.onRun?.(context);
      return chat({
        adapter: models.adapter('child'),
        messages: context.seed([{ role: 'user', content: context.input.task }]),
        threadId: context.threadId,
        runId: context.runId,
        parentRunId: context.parentRunId,
        resume: context.resume,
        tools: [...(options.tools ?? []), ...context.tools],
      });
    },
  });
}

const fetchPage = toolDefinition({
  name: 'fetch_page',
  description: 'Fetches a page',
  needsApproval: true,
  inputSchema: z.object({ url: z.string() }),
});

/** A tool that asks a person first, and counts how often it ran; and what a client knows of it. */
export function approvedFetch() {
  const ran: string[] = [];
  const tool: Tool = fetchPage.server(({ url }) => {
    ran.push(url);
    return { body: 'Team: 10' };
  });
  return { ran, tool, client: fetchPage.client() };
}

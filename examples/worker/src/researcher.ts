// The child: it reads pages, each after a person has said yes, and returns a research record.
import { chat, toolDefinition } from '@tanstack/ai';
import { createOpenaiChatCompletions } from '@tanstack/ai-openai';
import { compileContract, defineAgent, guards, researchResult, type SubcontractAgent } from 'subcontract';
import { z } from 'zod';
import type { Env } from './env.js';

/** So much of a page is shown to the child's model, in characters. */
const PAGE_LIMIT = 20_000;

const fetchPage = toolDefinition({
  name: 'fetch_page',
  description: 'Reads a page. A person is asked first.',
  needsApproval: true,
  inputSchema: z.object({ url: z.url({ protocol: /^https?$/ }) }),
}).server(async ({ url }) => {
  const response = await fetch(url);
  return { url, status: response.status, text: (await response.text()).slice(0, PAGE_LIMIT) };
});

// Contracts are built once in each isolate: at module scope, without an init call.
const brief = compileContract(
  z.object({ question: z.string().min(1).describe('One question, which needs nothing else to be understood') }),
);
const record = compileContract(researchResult);

/** The agent with the models of this request's environment. */
export function researcher(env: Env): SubcontractAgent {
  return defineAgent({
    name: 'researcher',
    description: 'Answers one question from pages on the web.',
    inputSchema: brief,
    outputSchema: record,
    guards: guards.research,
    run: (ctx) =>
      chat({
        adapter: model(env, env.CHILD_MODEL),
        messages: ctx.seed([{ role: 'user', content: ctx.input.question }]),
        tools: [fetchPage, ...ctx.tools],
        threadId: ctx.threadId,
        runId: ctx.runId,
        parentRunId: ctx.parentRunId,
        resume: ctx.resume,
      }),
  });
}

/** A model of the endpoint that the environment names. */
export function model(env: Env, name: string) {
  const baseURL = env.OPENAI_BASE_URL === undefined ? {} : { baseURL: env.OPENAI_BASE_URL };
  // Any model name: the endpoint need not be OpenAI's.
  return createOpenaiChatCompletions(name as 'gpt-4o', env.OPENAI_API_KEY, baseURL);
}

// Any other loop: an agent loop of your own (fetch, streaming, no framework), whose model calls a child as a tool.
// Offline against a script; with OPENAI_API_KEY (and OPENAI_BASE_URL, OPENAI_MODEL) against a provider.
import { briefToolDescription, defineAgent, delegate } from 'subcontract';
import { isAttemptEvent } from 'subcontract/ag-ui';
import { agentLoop } from './loop.js';
import type { Endpoint, LoopTool } from './model.js';
import { startScript } from './script.js';

const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL, OPENAI_MODEL } = process.env;
const scripted = apiKey ? undefined : await startScript();
const endpoint: Endpoint = scripted ?? {
  baseURL: OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
  apiKey: apiKey ?? '',
  model: OPENAI_MODEL ?? 'gpt-4o-mini',
};

const readPage: LoopTool = {
  name: 'read_page',
  description: 'Reads a web page.',
  inputSchema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
  execute: async () => 'Ardent. Team: $10 per seat and month. Enterprise: ask us.',
};

const pricing = defineAgent({
  name: 'pricing',
  description: "Finds a vendor's list price.",
  inputSchema: {
    type: 'object',
    properties: { vendor: { type: 'string' }, question: { type: 'string' } },
    required: ['vendor', 'question'],
  },
  outputSchema: {
    title: 'list_price',
    type: 'object',
    properties: {
      plan: { type: 'string' },
      price_per_seat: { type: 'number', minimum: 0 },
      source_url: { type: 'string', format: 'uri' },
    },
    required: ['plan', 'price_per_seat', 'source_url'],
    additionalProperties: false,
  },
  run: (ctx) => {
    const { vendor, question } = ctx.input as { vendor: string; question: string };
    return agentLoop({
      endpoint,
      messages: ctx.seed([{ role: 'user', content: `${vendor}: ${question}` }]),
      // The gate reads the return's exact text from the stream; the loop only has to run the tool.
      tools: [readPage, ...ctx.tools],
      threadId: ctx.threadId,
      runId: ctx.runId,
      signal: ctx.abortSignal,
    });
  },
});

const stop = new AbortController();
const parent = { threadId: 'thread-1', runId: 'run-1' };

/** The child, as a tool of its parent's loop. The brief goes in as the model wrote it; the model reads the envelope. */
const askPricing: LoopTool = {
  name: pricing.name,
  description: briefToolDescription(pricing),
  inputSchema: pricing.inputSchema ?? {},
  async execute(brief, { toolCallId }) {
    const delegation = delegate(pricing, brief, {
      threadId: parent.threadId,
      parentRunId: parent.runId,
      parentToolCallId: toolCallId,
      abortSignal: stop.signal,
      timeoutMs: 60_000,
    });
    for await (const event of delegation) {
      if (event.type === 'SUBAGENT_STARTED') console.log(`${event.name} begins`);
      if (event.type === 'TOOL_CALL_START') console.log(`  it calls ${event.toolCallName}`);
      if (isAttemptEvent(event)) console.log(`  attempt ${event.value.attempt}: ${event.value.outcome}`);
    }
    const { status, effort } = await delegation.envelope;
    console.log(`${pricing.name}: ${status}, ${effort.measured.tool_calls} tool call(s) of its own`);
    return delegation.toolResult;
  },
};

let answer = '';
for await (const event of agentLoop({
  endpoint,
  messages: [{ role: 'user', content: 'What does a seat of Ardent Team cost?' }],
  tools: [askPricing],
  ...parent,
  signal: stop.signal,
})) {
  if (event.type === 'TOOL_CALL_RESULT') {
    const { subagent, final_result } = JSON.parse(String(event.content));
    console.log(`the parent's model reads of ${subagent}:`, JSON.stringify(final_result));
  }
  if (event.type === 'TEXT_MESSAGE_CONTENT') answer += event.delta;
}
console.log(answer);
await scripted?.stop();

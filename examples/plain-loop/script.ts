// The script of the offline run: a mock of an OpenAI-compatible endpoint on loopback, which streams as a provider does.
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';
import type { Endpoint } from './model.js';

const call = (id: string, name: string, args: object) => ({
  toolCalls: [{ id, name, arguments: JSON.stringify(args) }],
});

const url = 'https://ardent.example/pricing';

/** The parent's turns and the child's. The child is who has its return tool; its first return has a price that is no number. */
function answer({ messages, tools }: ChatCompletionRequest) {
  const results = messages.filter(({ role }) => role === 'tool').map(({ tool_call_id: id }) => id);
  const isChild = tools?.some(({ function: { name } }) => name === 'list_price');
  if (!isChild) {
    return results.includes('ask-1')
      ? { content: 'A seat of Ardent Team costs 10 dollars a month.' }
      : call('ask-1', 'pricing', { vendor: 'Ardent', question: 'What does a seat of the Team plan cost a month?' });
  }
  if (!results.includes('read-1')) return call('read-1', 'read_page', { url });
  const price = messages.at(-1)?.role === 'user' || results.includes('return-1') ? 10 : 'ten';
  const id = price === 10 ? 'return-2' : 'return-1';
  return call(id, 'list_price', { plan: 'Team', price_per_seat: price, source_url: url });
}

export interface Scripted extends Endpoint {
  stop(): Promise<void>;
}

export async function startScript(): Promise<Scripted> {
  const mock = new LLMock({ port: 0, logLevel: 'silent', chunkSize: 12 });
  mock.on({ model: 'scripted' }, answer);
  await mock.start();
  return { baseURL: `${mock.url}/v1`, apiKey: 'none', model: 'scripted', stop: () => mock.stop() };
}

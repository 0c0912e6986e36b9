// The README's programs, run as they stand there: the first one prints what it says, and the handler takes a child through an approval.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { defineAgent } from 'subcontract';
import { expect, test, vi } from 'vitest';
import type { AGUIEvent } from '../../js/ag-ui/events.js';
import { approvedFetch } from './tanstack/agents.js';
import { fetchTool, interruptsOf, messagesOf, resultOf } from './tanstack/conversation.js';
import { ADAPTERS, type Script, ScriptedModels, toolResults } from './tanstack/scripted-model.js';
import { collect } from './tanstack/strict-client.js';

// A process of its own, or two models on loopback, beside all other tests.
vi.setConfig({ testTimeout: 30_000 });

const root = resolve(import.meta.dirname, '../..');

test('the program of the README runs and prints what stands below it', async () => {
  const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
  const [, program = '', printed = ''] = /```ts\n(.*?)```\n\n```\n(.*?)```/s.exec(readme) ?? [];
  expect(program).toContain("from 'subcontract'");
  // Inside the repository, so that `subcontract` is the built package.
  const folder = resolve(root, '.cache/readme');
  mkdirSync(folder, { recursive: true });
  const file = resolve(folder, 'program.ts');
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { cwd: root });
  expect(stdout).toBe(printed);
});

const RECORD = {
  findings: [{ claim: 'a seat costs 10', provenance: ['https://a.example'], confidence: 'verified' }],
  assumptions: [],
  unresolved: [],
  coverage: { searched: ['https://a.example'], not_searched: [] },
  effort: { tool_calls: 1, budget_exhausted: false },
};

/** One model for both, as in the README: a child is who has its tool. */
const both: Script = (request) => {
  const call = (id: string, name: string, value: unknown) => ({
    calls: [{ id, name, arguments: JSON.stringify(value) }],
  });
  const results = toolResults(request);
  if (!JSON.stringify(request.tools).includes('fetch_page')) {
    return 'call-1' in results ? { text: 'It costs 10.' } : call('call-1', 'researcher', { task: 'the price' });
  }
  return 'fetch-1' in results
    ? call('return-1', 'research_result', RECORD)
    : call('fetch-1', 'fetch_page', { url: 'https://a.example' });
};

test.each(ADAPTERS)('the handler of the README goes on after an approval, over the %s adapter', async (_, create) => {
  const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
  const handler = /```ts\n(import \{ chat, .*?)```/s.exec(readme)?.[1] ?? '';
  expect(handler).toContain('seal: { keys }');
  const folder = resolve(root, '.cache/readme');
  mkdirSync(folder, { recursive: true });
  const file = resolve(folder, `handler-${create.name}.ts`);
  writeFileSync(file, `const { adapter, searchTools, keys } = (globalThis as any).given;\n${handler}`);

  const models = await ScriptedModels.start(create, { parent: both, child: both });
  const page = fetchTool();
  const keys = [{ id: '2026-11', secret: crypto.getRandomValues(new Uint8Array(32)) }];
  Object.assign(globalThis, { given: { adapter: models.adapter('parent'), searchTools: [page.tool], keys } });
  try {
    const { POST } = (await import(pathToFileURL(file).href)) as { POST(request: Request): Promise<Response> };
    const post = async (body: object): Promise<AGUIEvent[]> => {
      const given = { threadId: 't', tools: [], context: [], state: {}, forwardedProps: {}, ...body };
      const response = await POST(new Request('http://host.example', { method: 'POST', body: JSON.stringify(given) }));
      const frames = (await response.text()).trim().split('\n\n');
      return frames.map((frame) => JSON.parse(frame.slice('data: '.length)));
    };
    const first = await post({
      runId: 'r1',
      messages: [{ id: 'm1', role: 'user', content: 'what does a seat cost?' }],
    });
    expect(page.ran).toEqual([]);
    const resume = interruptsOf(first).map(({ id: interruptId }) => ({
      interruptId,
      status: 'resolved',
      payload: { approved: true },
    }));
    const second = await post({ runId: 'r2', parentRunId: 'r1', messages: messagesOf(first), resume });
    expect(page.ran).toEqual(['https://a.example']);
    expect(resultOf(second)).toMatchObject({ status: 'completed', final_result: RECORD });
  } finally {
    Reflect.deleteProperty(globalThis, 'given');
    await models.stop();
  }
});

/** The block of a page that begins like this, as a module whose `names` come from outside. */
function blockOf(begin: string, name: string, names: string[], more: string, page = 'README.md'): string {
  const text = readFileSync(resolve(root, page), 'utf8');
  const blocks = text.split('```ts\n').map((block) => block.split('```')[0] ?? '');
  const code = blocks.find((block) => block.startsWith(begin));
  if (code === undefined) throw new Error(`${page} has no block that begins with ${begin}`);
  const folder = resolve(root, '.cache/readme');
  mkdirSync(folder, { recursive: true });
  const file = resolve(folder, name);
  writeFileSync(file, `const { ${names.join(', ')} } = (globalThis as any).given;\n${code}\n${more}`);
  return pathToFileURL(file).href;
}

test.each(ADAPTERS)('the client of the README talks to its handler, over the %s adapter', async (_, create) => {
  const handler = blockOf('import { chat, ', `host-${create.name}.ts`, ['adapter', 'searchTools', 'keys'], '');
  const client = blockOf(
    'import { ChatClient',
    `client-${create.name}.ts`,
    ['cards', 'fetchPage', 'confirm'],
    'export { client };',
  );
  const models = await ScriptedModels.start(create, { parent: both, child: both });
  const page = approvedFetch();
  const shown: AGUIEvent[] = [];
  const keys = [{ id: '2026-11', secret: crypto.getRandomValues(new Uint8Array(32)) }];
  const given = {
    adapter: models.adapter('parent'),
    searchTools: [page.tool],
    keys,
    cards: { push: (event: AGUIEvent) => shown.push(event) },
    fetchPage: { client: () => page.client },
    confirm: () => true,
  };
  Object.assign(globalThis, { given });
  const fetched = globalThis.fetch;
  try {
    const { POST } = (await import(handler)) as { POST(request: Request): Promise<Response> };
    // The page's own origin; the models are elsewhere.
    vi.stubGlobal('fetch', (url: string | URL | Request, init?: RequestInit) =>
      url === '/api/chat' ? POST(new Request('http://host.example/api/chat', init)) : fetched(url, init),
    );
    const { client: chat } = (await import(client)) as { client: { getMessages(): unknown } };
    await expect.poll(() => resultOf(shown), { timeout: 5000 }).toMatchObject({ status: 'completed' });
    await expect.poll(() => JSON.stringify(chat.getMessages()), { timeout: 5000 }).toContain('It costs 10.');
    expect(page.ran).toEqual(['https://a.example']);
  } finally {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(globalThis, 'given');
    await models.stop();
  }
});

test.each(ADAPTERS)('the router of the guide is followed, over the %s adapter', async (_, create) => {
  const names = ['adapter', 'messages', 'threadId', 'runId', 'pricer', 'writer', 'keys', 'vendorsIn'];
  const routed = blockOf(
    'import { chatWithSubagents }',
    `router-${create.name}.ts`,
    names,
    'export { stream };',
    'docs/tanstack.md',
  );
  const models = await ScriptedModels.start(create, { parent: () => ({ text: 'It costs 10.' }), child: both });
  const ran: unknown[] = [];
  const pricer = defineAgent({
    name: 'pricer',
    description: 'Finds a price',
    inputSchema: { type: 'object', properties: { vendor: { type: 'string' } }, required: ['vendor'] } as const,
    run: (ctx) => {
      ran.push(ctx.input);
      return '10';
    },
  });
  const writer = defineAgent({
    name: 'writer',
    description: 'Writes it down',
    run: (ctx) => {
      ran.push(ctx.earlier.map(({ text }) => text));
      return 'All of them take 10.';
    },
  });
  Object.assign(globalThis, {
    given: {
      adapter: models.adapter('parent'),
      messages: [{ role: 'user', content: 'A and B' }],
      threadId: 't',
      runId: 'r',
      pricer,
      writer,
      keys: [{ id: '2026-11', secret: crypto.getRandomValues(new Uint8Array(32)) }],
      vendorsIn: ({ content }: { content: string }) => content.split(' and '),
    },
  });
  try {
    const { stream } = (await import(routed)) as { stream: AsyncIterable<AGUIEvent> };
    const events = await collect(stream);
    expect(ran).toEqual([{ vendor: 'A' }, { vendor: 'B' }, ['10', '10']]);
    expect(JSON.stringify(models.requests.parent[0]?.messages)).toContain('All of them take 10.');
    expect(events.at(-1)?.type).toBe('RUN_FINISHED');
  } finally {
    Reflect.deleteProperty(globalThis, 'given');
    await models.stop();
  }
});

// The README's programs, run as they stand there: the first one prints what it says, and the handler takes a child through an approval.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { AGUIEvent } from '../../js/ag-ui/events.js';
import { fetchTool, interruptsOf, messagesOf, resultOf } from './tanstack/conversation.js';
import { ADAPTERS, type Script, ScriptedModels, toolResults } from './tanstack/scripted-model.js';

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

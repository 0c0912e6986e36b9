// The example Worker with the packed package, in workerd with a real KV and real Durable Objects: two isolates, one child.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare, type WorkerOptions } from 'miniflare';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { AGUIEvent, Interrupt } from '../../js/ag-ui/events.js';
import { ADAPTERS, MODELS, type Script, ScriptedModels, toolResults } from '../js/tanstack/scripted-model.js';
import { ofType } from '../js/tanstack/strict-client.js';

const SOURCE = fileURLToPath(new URL('../../examples/worker/src/index.ts', import.meta.url));
const QUESTION = 'What does the page say of the price?';

const record = (url: string) => ({
  findings: [{ claim: 'a seat costs 10 dollars', provenance: [url], confidence: 'verified' }],
  assumptions: [],
  unresolved: [],
  coverage: { searched: [url], not_searched: ['the forum'] },
  effort: { tool_calls: 1, budget_exhausted: false },
});

/** Delegates, reads a span of the child's transcript, and answers. */
const parent: Script = ({ messages }) => {
  const results = toolResults({ messages } as Parameters<Script>[0]);
  if (results['span-1'] !== undefined) return { text: 'A seat costs 10 dollars.' };
  const delegated = results['call-1'];
  if (delegated === undefined) {
    return { calls: [{ id: 'call-1', name: 'researcher', arguments: JSON.stringify({ question: QUESTION }) }] };
  }
  const { run_id: ref } = JSON.parse(delegated) as { run_id: string };
  const span = JSON.stringify({ ref, tool_call_id: 'fetch-1' });
  return { calls: [{ id: 'span-1', name: 'fetch_transcript_span', arguments: span }] };
};

const child =
  (url: string): Script =>
  (request) => {
    const read = toolResults(request)['fetch-1'] !== undefined;
    const [name, args] = read ? ['research_result', record(url)] : ['fetch_page', { url }];
    return { calls: [{ id: read ? 'return-1' : 'fetch-1', name, arguments: JSON.stringify(args) }] };
  };

/** The Worker bundled as wrangler does it, with `subcontract` out of the tarball. */
async function bundled(): Promise<string> {
  const project = inject('project');
  const { outputFiles } = await build({
    entryPoints: [SOURCE],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    plugins: [
      {
        name: 'packed',
        setup(bundler) {
          bundler.onResolve({ filter: /^subcontract(\/|$)/ }, ({ path, kind, pluginData }) =>
            pluginData === 'packed'
              ? undefined
              : bundler.resolve(path, { kind, resolveDir: project, pluginData: 'packed' }),
          );
          bundler.onResolve({ filter: /\.wasm$/ }, () => ({ path: './core.wasm', external: true }));
          // Its TanStack entry has the framework from the program.
          bundler.onResolve({ filter: /^@tanstack\// }, ({ path, kind, pluginData }) =>
            pluginData === 'ours'
              ? undefined
              : bundler.resolve(path, { kind, resolveDir: join(SOURCE, '..'), pluginData: 'ours' }),
          );
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

describe('examples/worker', () => {
  let program: string;
  let models: ScriptedModels;
  let pages: Server;
  let read: string[];
  let platform: Miniflare;

  beforeAll(async () => {
    program = await bundled();
  });

  beforeEach(async () => {
    read = [];
    pages = createServer((request, response) => {
      read.push(request.url ?? '');
      // Slow enough for a second resume to arrive in between.
      setTimeout(() => response.end('Team: 10 dollars a seat'), 300);
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => pages.once('listening', listening));
    const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/pricing`;
    models = await ScriptedModels.start(ADAPTERS[1][1], { parent, child: child(url) });
    platform = new Miniflare({ host: '127.0.0.1', cf: false, workers: ['left', 'right'].map(isolate) });
  });

  afterEach(async () => {
    await platform.dispose();
    await models.stop();
    await new Promise((closed) => pages.close(closed));
  });

  /** One isolate. Both have the same namespace and the same objects, and nothing else in common. */
  function isolate(name: string): WorkerOptions {
    const core = createRequire(join(inject('project'), 'index.js')).resolve('subcontract/core.wasm');
    return {
      name,
      modules: [
        { type: 'ESModule', path: 'worker.mjs', contents: program },
        { type: 'CompiledWasm', path: 'core.wasm', contents: new Uint8Array(readFileSync(core)) },
      ],
      compatibilityDate: '2026-04-01',
      kvNamespaces: { CHILDREN: 'children' },
      durableObjects: { CLAIMS: { className: 'Claim', scriptName: 'left', useSQLite: true } },
      bindings: {
        SEAL_SECRET: Buffer.alloc(32, 7).toString('base64'),
        OPENAI_API_KEY: 'no-key',
        OPENAI_BASE_URL: models.baseURL,
        PARENT_MODEL: MODELS.parent,
        CHILD_MODEL: MODELS.child,
      },
    };
  }

  async function post(name: string, body: Record<string, unknown>): Promise<AGUIEvent[]> {
    const worker = await platform.getWorker(name);
    const response = await worker.fetch('http://chat.example/chat', {
      method: 'POST',
      body: JSON.stringify({ tools: [], context: [], state: {}, forwardedProps: {}, threadId: 'thread-1', ...body }),
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: '))
      .map((frame) => JSON.parse(frame.slice('data: '.length)) as AGUIEvent);
  }

  const ask = () =>
    post('left', { runId: 'run-1', messages: [{ id: 'm-1', role: 'user', content: 'What does a seat cost?' }] });

  /** What a client sends once the person has answered. */
  function approval(waiting: readonly AGUIEvent[], runId = 'run-2') {
    return {
      runId,
      parentRunId: 'run-1',
      messages: ofType(waiting, 'MESSAGES_SNAPSHOT')[0]?.messages ?? [],
      resume: interruptsOf(waiting).map(({ id }) => ({
        interruptId: id,
        status: 'resolved',
        payload: { approved: true },
      })),
    };
  }

  it('suspends a child in one isolate and resumes it in another', async () => {
    const waiting = await ask();
    expect(interruptsOf(waiting)).toHaveLength(1);
    expect(read).toEqual([]);
    // The client carries an id and a MAC; the child's history stays in KV.
    expect(JSON.stringify(waiting)).not.toContain('"state"');
    const kv = await platform.getKVNamespace('CHILDREN', 'left');
    expect((await kv.list()).keys.map(({ name }) => name.split(':').at(-1))).toContain('state');

    const done = await post('right', approval(waiting));
    expect(read).toEqual(['/pricing']);
    expect(ofType(done, 'SUBAGENT_STARTED')[0]?.subagentRunId).toBe(
      ofType(waiting, 'SUBAGENT_STARTED')[0]?.subagentRunId,
    );
    expect(ofType(done, 'SUBAGENT_FINISHED')[0]?.result).toMatchObject({
      status: 'completed',
      final_result: { findings: [{ claim: 'a seat costs 10 dollars' }] },
    });
    expect(endOf(done)).toBe('finished');
    // The parent read the child's call out of KV.
    const span = toolResults(models.requests.parent.at(-1))['span-1'];
    expect(JSON.parse(span ?? '')).toMatchObject({ tool: 'fetch_page', tool_call_id: 'fetch-1' });
    expect(span).toContain('Team: 10 dollars a seat');
  });

  it('runs an approved tool once, whoever resumes at the same time', async () => {
    const waiting = await ask();
    const both = await Promise.all(['left', 'right'].map((name) => post(name, approval(waiting, `run-2-${name}`))));
    expect(read).toEqual(['/pricing']);
    expect(both.map(endOf).sort()).toEqual(['finished', 'resume_in_progress']);

    // Later the answer of the first is there for whoever asks again, and the tool does not run again.
    const again = await post('left', approval(waiting, 'run-3'));
    expect(endOf(again)).toBe('finished');
    expect(read).toEqual(['/pricing']);
  });

  it('refuses a body that is none, and other paths, without a run', async () => {
    const worker = await platform.getWorker('left');
    const status = async (path: string, init: { method?: string; body?: string }) =>
      (await worker.fetch(`http://chat.example${path}`, init)).status;
    expect(await status('/chat', { method: 'POST', body: '{' })).toBe(400);
    expect(await status('/chat', {})).toBe(405);
    expect(await status('/', {})).toBe(404);
    expect(models.requests.parent).toEqual([]);
  });
});

function interruptsOf(events: readonly AGUIEvent[]): Interrupt[] {
  const outcome = ofType(events, 'RUN_FINISHED')[0]?.outcome;
  return outcome?.type === 'interrupt' ? outcome.interrupts : [];
}

/** The code that a run failed with, or how it ended. An outcome that is left out is success. */
function endOf(events: readonly AGUIEvent[]): string | undefined {
  const last = events.at(-1);
  if (last?.type === 'RUN_ERROR') return last.code;
  if (last?.type !== 'RUN_FINISHED') return undefined;
  return last.outcome === undefined || last.outcome.type === 'success' ? 'finished' : last.outcome.type;
}

// examples/opentelemetry: its program as it stands there, and its spans of delegations that are suspended, refused and exhausted.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { defineAgent, delegate, openResumeState } from 'subcontract';
import { expect, test } from 'vitest';
import { spansOf } from '../../examples/opentelemetry/spans.js';
import { fixed } from './delegate/strict-client.js';

const root = resolve(import.meta.dirname, '../..');

test('the program runs and prints its spans', async () => {
  const file = resolve(root, 'examples/opentelemetry/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { cwd: root });
  expect(stdout.trim().split('\n')).toEqual([
    'invoke_agent page_reader under invoke_agent pricing: answered',
    'invoke_agent page_reader under invoke_agent pricing: answered',
    'invoke_agent pricing under nothing: accepted; attempts: 1 rejected, 2 accepted',
  ]);
});

function observed() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { onEvent: spansOf(provider.getTracer('test')), spans: () => exporter.getFinishedSpans() };
}

const base = { name: 'a', description: 'b' };

test('a resumed child has a second span, which links to the first', async () => {
  const { onEvent, spans } = observed();
  const agent = defineAgent({
    ...base,
    run: async function* (ctx) {
      ctx.seed([]);
      yield {
        type: 'RUN_FINISHED',
        outcome: ctx.resume ? { type: 'success' } : { type: 'interrupt', interrupts: [{ id: 'i', reason: 'r' }] },
      };
    },
  });
  const { resume } = await delegate(agent, undefined, fixed({ onEvent })).envelope;
  const state = openResumeState(resume?.state ?? '', {});
  const entries = state.interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved' as const }));
  await delegate(agent, undefined, fixed({ onEvent, resume: { state, entries } })).orThrow();
  const [first, second] = spans();
  expect([first, second].map((span) => span?.attributes['subcontract.outcome'])).toEqual(['suspended', 'answered']);
  expect(second?.links.map(({ context }) => context.spanId)).toEqual([first?.spanContext().spanId]);
});

test('what failed is an error by its code, and no span holds what was returned', async () => {
  const { onEvent, spans } = observed();
  const schema = { type: 'object', required: ['n'] } as const;
  const bad = defineAgent({ ...base, maxRetries: 0, outputSchema: schema, run: () => '{"SECRET":"SECRET"}' });
  const briefed = defineAgent({ ...base, inputSchema: schema, run: () => '' });
  await delegate(bad, undefined, fixed({ onEvent })).envelope;
  await delegate(briefed, '{"SECRET":1}', fixed({ onEvent })).envelope;
  expect(spans().map(({ name, status, attributes }) => [name, status.code, attributes['error.type']])).toEqual([
    ['invoke_agent a', SpanStatusCode.ERROR, 'contract_exhausted'],
    ['invoke_agent a', SpanStatusCode.ERROR, 'brief_rejected'],
  ]);
  expect(spans()[0]?.attributes).toMatchObject({ 'subcontract.attempts': 1, 'gen_ai.agent.name': 'a' });
  const told = spans().map(({ attributes, events, status }) => ({ attributes, events, status }));
  expect(JSON.stringify(told)).not.toContain('SECRET');
});

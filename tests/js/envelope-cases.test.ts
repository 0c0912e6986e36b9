// The shared cases about envelopes: built, resumed, loaded, guarded, written as JSON. Merging and rendering have tests of their own.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import {
  compileContract,
  defineAgent,
  delegate,
  guards,
  type Interrupt,
  openResumeState,
  parseEnvelope,
  type ResumeEntry,
  ResumeError,
} from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { matchAnswers } from '../../js/answers.js';
import { buildEnvelope } from '../../js/core.js';
import { toJsonText } from '../../js/json-text.js';
import { collect, fixed } from './delegate/strict-client.js';

// biome-ignore lint/suspicious/noExplicitAny: each row has a shape of its own, which its test knows.
type Row = { id: string; op: string; summary: string; input: any; expected: any };

const ELSEWHERE = new Set(['merge', 'render']);
const path = new URL('../fixtures/cases/envelope.jsonl', import.meta.url);
const rows: Row[] = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const interrupted = (interrupts: Interrupt[]): AGUIEvent => ({
  type: 'RUN_FINISHED',
  threadId: 't',
  runId: 'r',
  outcome: { type: 'interrupt', interrupts },
});
const i1: Interrupt = { id: 'i1', reason: 'approval' };

/** A child that suspends with its interrupts, and returns `returns` when it is resumed. */
function asking(outputSchema: object, returns: string, before: AGUIEvent[] = [], interrupts = [i1]) {
  return defineAgent({
    name: 'child',
    description: 'asks first',
    outputSchema: outputSchema as never,
    maxRetries: 0,
    async *run(ctx): AsyncGenerator<AGUIEvent> {
      ctx.seed([]);
      if (ctx.resume) yield { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: returns };
      else yield* [...before, interrupted(interrupts)];
    },
  });
}

const suspended = async (agent: ReturnType<typeof asking>, brief?: unknown) => {
  const delegation = delegate(agent, brief, fixed());
  const events = await collect(delegation);
  const envelope = await delegation.envelope;
  return { events, envelope, state: openResumeState(envelope.resume?.state ?? '', {}) };
};

const runs: Record<string, (row: Row) => Promise<void> | void> = {
  async build({ input, expected }) {
    const { tool_args: args, suspend_payload: metadata } = input.child;
    const call: AGUIEvent[] = args
      ? [
          { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'ask' },
          { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: JSON.stringify(args) },
          { type: 'TOOL_CALL_END', toolCallId: 'c1' },
        ]
      : [];
    const { envelope, state } = await suspended(
      asking(input.output_schema, '', call, [{ ...i1, ...(metadata && { metadata }) }]),
    );
    expect(envelope).toMatchObject({ status: expected.status, attempts: [], final_result: null });
    expect(envelope.error).toBeUndefined();
    if (args) {
      const [message] = state.messages;
      const [asked] = message?.role === 'assistant' ? (message.toolCalls ?? []) : [];
      expect(JSON.parse(asked?.function.arguments ?? '')).toEqual(expected.inner_tool_args);
    }
  },

  async resume({ input, expected }) {
    const agent = asking(input.output_schema, input.child_result_text);
    const { state } = await suspended(agent);
    // On the way out an interrupt's id names its child too.
    const [id = ''] = state.interrupts.map((interrupt) => interrupt.id);
    const entries = input.resume.map((entry: ResumeEntry) => ({ ...entry, interruptId: id }));
    const envelope = await delegate(agent, undefined, { ...fixed(), resume: { state, entries } }).envelope;
    expect(envelope).toMatchObject({ status: 'failed', final_result: null, error: { code: 'contract_exhausted' } });
    expect(envelope.error?.issues?.map(({ instancePath }) => instancePath)).toEqual([expected.error_path]);
  },

  async start({ input, expected }) {
    const { childRunId } = input.stored;
    const agent = asking({ type: 'object' }, '{}');
    const options = { ...fixed({ subagentRunId: childRunId, parentToolCallId: input.stored.toolCallId }) };
    const first = delegate(agent, input.tool_args_from_model, options);
    const state = openResumeState((await first.envelope).resume?.state ?? '', {});
    const again = delegate(agent, input.tool_args_from_model, {
      ...options,
      resume: { state, entries: state.interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved' })) },
    });
    expect(again.subagentRunId).toBe(expected.childRunId);
    expect(await again.envelope).toMatchObject({ status: 'completed', run_id: expected.childRunId });
  },

  async roundtrip({ input }) {
    const { envelope: stored } = input;
    const brief = JSON.stringify(stored.args);
    const agent = asking({ type: 'object' }, '{}');
    const delegation = delegate(agent, brief, {
      ...fixed({ subagentRunId: stored.subagentRunId, parentToolCallId: stored.toolCallId }),
    });
    const { envelopeText } = { envelopeText: await delegation.envelopeText };
    const kept = parseEnvelope(JSON.stringify(JSON.parse(envelopeText)));
    expect(kept).toEqual(parseEnvelope(envelopeText));
    expect(openResumeState(kept.resume?.state ?? '', {})).toMatchObject({
      subagent_run_id: stored.subagentRunId,
      tool_call_id: stored.toolCallId,
      brief_text: brief,
      interrupts: [{ id: expect.stringContaining('i1'), reason: 'approval', subagentRunId: stored.subagentRunId }],
    });
  },

  load({ input }) {
    expect(() => parseEnvelope(input.stored_text)).toThrow(expect.objectContaining({ code: 'envelope_unreadable' }));
  },

  serialize({ input, expected }) {
    const value = runInNewContext(`(${input.js_value})`);
    const json = toJsonText(value);
    const refusedAt = [...(expected.any_of ?? []).map((any: string) => /^error at (.*)$/.exec(any)?.[1])];
    const paths = [...(expected.error_paths ?? []), ...refusedAt.filter((any) => any !== undefined)];
    if (paths.length > 0) expect(json).toMatchObject({ ok: false, instancePath: paths[0] });
    else expect(json).toEqual({ ok: true, text: expected.text ?? '{"value":{"z":0}}' });
  },

  async validate({ input, expected }) {
    const inputs: unknown[] = [];
    const schema = input.schema;
    for (const inputSchema of [z.object({ a: z.string().default('x') }), schema]) {
      const agent = defineAgent({
        name: 'child',
        description: 'b',
        inputSchema,
        run: (ctx) => {
          inputs.push(ctx.input);
          return 'done';
        },
      });
      await delegate(agent, input.raw_text).orThrow();
    }
    expect(inputs).toEqual([expected.value, expected.json_schema_only_value]);
  },

  resume_check({ input, expected }) {
    const { interrupts, resume, now } = input as { interrupts: Interrupt[]; resume: ResumeEntry[]; now: string };
    const check = () => matchAnswers(interrupts, resume, { now: Date.parse(now), trusted: true });
    if (expected.accept) {
      const { entries, ignored } = check();
      expect(entries.map(({ interruptId }) => interruptId)).toEqual(interrupts.map(({ id }) => id));
      expect(ignored).toEqual(expected.warnings ?? []);
    } else {
      const [code, [id]] = expected.uncovered
        ? ['resume_unanswered', expected.uncovered]
        : ['resume_answered_twice', expected.duplicate];
      expect(check).toThrow(ResumeError);
      expect(check).toThrow(expect.objectContaining({ code, message: expect.stringContaining(JSON.stringify(id)) }));
    }
  },

  async guard({ input, expected }) {
    const agent = defineAgent({
      name: 'child',
      description: 'b',
      outputSchema: { type: 'object' },
      guards: [guards.emptyMeansExhausted],
      run: () => JSON.stringify(input.value),
    });
    const { status, final_result, degraded, amendments } = await delegate(agent).envelope;
    expect([status, degraded?.map(({ by }) => by)]).toEqual(['completed', ['empty-means-exhausted']]);
    expect(final_result).toMatchObject({ effort: expected.effort });
    expect(amendments).toEqual([{ pointer: '/effort/budget_exhausted', by: 'empty-means-exhausted' }]);
  },

  async contract({ input, expected }) {
    let started = false;
    const agent = defineAgent({
      name: 'child',
      description: 'b',
      maxRetries: 0,
      ...(input.profile_schema && { outputSchema: input.profile_schema }),
      run: () => {
        started = true;
        return input.child_text;
      },
    });
    const { status, error } = await delegate(agent, undefined, {
      ...(input.call_schema && { finalSchema: input.call_schema }),
    }).envelope;
    expect(status).toBe('failed');
    if (expected.child_started === false) {
      expect([started, error?.code]).toEqual([false, 'invalid_schema']);
    } else {
      expect(error?.issues?.[0]?.message).toContain(expected.missing[0]);
      expect(agent.outputContract?.digest).toBe(compileContract(input.profile_schema).digest);
    }
  },
};

const own = rows.filter(({ op }) => !ELSEWHERE.has(op));

test('each kind of row is run here or named as run elsewhere', () => {
  expect(own).toHaveLength(20);
  expect(own.map(({ op }) => op).filter((op) => !(op in runs))).toEqual([]);
});

test.each(own)('$id: $summary', async (row) => {
  await runs[row.op]?.(row);
});

test('what would be rewritten is refused where it stands', () => {
  const hole = [1, 2, 3];
  delete hole[1];
  const thrower = {
    get x(): number {
      throw new Error('no');
    },
  };
  const values: [unknown, string, string][] = [
    [{ list: hole }, '/list/1', 'a hole in an array has no JSON form'],
    [{ a: { [Symbol('s')]: 1 } }, '/a', 'a member named by a symbol has no JSON form'],
    [{ a: Object.assign([1], { extra: 2 }) }, '/a/extra', 'a named member of an array has no JSON form'],
    [
      { a: Object.assign([1], { toJSON: () => 5 }) },
      '/a',
      'an object with toJSON would be rewritten; give its JSON value',
    ],
    [{ a: [thrower] }, '/a/0/x', 'the value cannot be read: its getter throws'],
    [{ a: new Number(1) }, '/a', 'Number has no JSON form'],
    [{ 'a/b': { '~': () => {} } }, '/a~1b/~0', 'function has no JSON form'],
    [{ a: new Uint8Array(1) }, '/a', 'Uint8Array has no JSON form'],
    [{ a: /x/ }, '/a', 'RegExp has no JSON form'],
    [{ a: new Error('x') }, '/a', 'Error has no JSON form'],
  ];
  for (const [value, instancePath, message] of values) {
    expect(toJsonText(value)).toEqual({ ok: false, instancePath, message });
  }
});

test('a value is read once: what is written is what was judged', () => {
  let reads = 0;
  const changing = {
    get n() {
      reads += 1;
      return reads === 1 ? 1 : Number.NaN;
    },
  };
  expect(toJsonText(changing)).toEqual({ ok: true, text: '{"n":1}' });
});

test('own members of any name are written, none is inherited', () => {
  const value = JSON.parse('{"__proto__":{"a":1},"constructor":null,"2":0,"1":-0.0,"é\\ud800":"\\ud800"}');
  expect(toJsonText(value)).toEqual({ ok: true, text: JSON.stringify(value) });
  expect(toJsonText(Object.create({ inherited: 1 }))).toEqual({ ok: true, text: '{}' });
});

test('a stream whose result JSON cannot carry fails at the place', async () => {
  const agent = defineAgent({
    name: 'child',
    description: 'b',
    outputSchema: {},
    async *run(): AsyncGenerator<AGUIEvent> {
      yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: { n: [Number.NaN] } };
    },
  });
  expect((await delegate(agent).envelope).error).toMatchObject({
    code: 'invalid_event',
    message: 'RUN_FINISHED.result is no JSON at /n/0: NaN is no JSON number',
  });
});

test('the same parts give the same bytes', () => {
  const parts = {
    run_id: 's1',
    subagent: 'a',
    task_summary: 'é\ud800',
    result_text: '{"b":1,"a":1e400}',
    status: 'completed' as const,
    attempts: [],
    contract: { source: 'output_schema' as const, digest: 'sha256-x' },
    effort: { tool_calls: 0 },
  };
  const text = buildEnvelope(parts);
  expect(buildEnvelope(structuredClone(parts))).toBe(text);
  expect(buildEnvelope(Object.fromEntries(Object.entries(parts).reverse()) as never)).toBe(text);
  expect(text).toContain('"final_result":{"b":1,"a":1e400}');
});

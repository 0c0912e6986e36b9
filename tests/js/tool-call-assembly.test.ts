// Tool calls from the deltas of providers: the reported cases, and what else providers send.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { assembleToolCalls, compileContract, readReturn, type ToolCallDelta } from 'subcontract';
import { describe, expect, test } from 'vitest';

const anything = compileContract(true);

function assembled(deltas: readonly ToolCallDelta[]) {
  const assembly = assembleToolCalls();
  for (const delta of deltas) assembly.push(delta);
  const calls = assembly.end().map(({ id, name, arguments: text }) => ({ id, name, text }));
  return { calls, faults: assembly.faults, finishReason: assembly.finishReason };
}

describe('reported cases', () => {
  interface Row {
    id: string;
    format: string;
    chunks: ToolCallDelta[];
    expected: { calls: { id: string; name: string; value?: unknown; error?: string }[] };
  }
  const rows = readFileSync(new URL('../fixtures/cases/stream.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const cases = rows.map((row) => JSON.parse(row) as Row).filter(({ format }) => format === 'tool-call-deltas');

  test('are all here', () =>
    expect(cases.map(({ id }) => id)).toEqual(['T033', 'T035', 'T037', 'T039', 'T041', 'T043']));

  test.each(cases.map((row) => [row.id, row] as const))('%s', (id, { chunks, expected }) => {
    const { calls, faults, finishReason } = assembled(chunks);
    expect(faults).toEqual([]);
    const judged = calls.map(({ text, ...call }) => {
      const verdict = readReturn(anything, text, finishReason === undefined ? {} : { finishReason });
      return { ...call, ...(verdict.ok ? { value: verdict.value } : { error: verdict.code }) };
    });
    // The row leaves open what becomes of the call that is whole.
    const whole = id === 'T043' ? [{ id: 'A', name: 'ok', value: { a: 1 } }] : [];
    expect(judged).toEqual([...whole, ...expected.calls]);
  });
});

describe('what providers send', () => {
  test.each<[string, ToolCallDelta[], ReturnType<typeof assembled>['calls']]>([
    [
      'Chat Completions, name and arguments under `function`',
      [
        { index: 0, id: 'A', function: { name: 't', arguments: '' } },
        { index: 0, function: { arguments: '{"a"' } },
        { index: 0, function: { arguments: ':1}' } },
      ],
      [{ id: 'A', name: 't', text: '{"a":1}' }],
    ],
    [
      'an id that comes late',
      [
        { index: 0, name: 't', arguments: '{"a"' },
        { index: 0, id: 'A' },
        { index: 0, arguments: ':1}' },
      ],
      [{ id: 'A', name: 't', text: '{"a":1}' }],
    ],
    [
      'no id at all',
      [
        { index: 0, name: 't', arguments: '{}' },
        { index: 1, name: 't', arguments: '{"b":1}' },
      ],
      [
        { id: undefined, name: 't', text: '{}' },
        { id: undefined, name: 't', text: '{"b":1}' },
      ],
    ],
    [
      'a name that comes after the arguments',
      [
        { index: 0, arguments: '{"a":1}' },
        { index: 0, id: 'A', name: 't' },
      ],
      [{ id: 'A', name: 't', text: '{"a":1}' }],
    ],
    [
      'one index for all calls',
      [
        { index: 0, id: 'A', name: 't', arguments: '{"a":1}' },
        { index: 0, id: 'B', name: 't', arguments: '{"b"' },
        { index: 0, arguments: ':2}' },
        { index: 0, id: 'A' },
      ],
      [
        { id: 'A', name: 't', text: '{"a":1}' },
        { id: 'B', name: 't', text: '{"b":2}' },
      ],
    ],
    [
      'an index used again after its call has ended',
      [
        { index: 0, id: 'A', name: 't', arguments: '{"a":1}' },
        { index: 0, stop: true },
        { index: 0, name: 't', arguments: '{"b":2}' },
      ],
      [
        { id: 'A', name: 't', text: '{"a":1}' },
        { id: undefined, name: 't', text: '{"b":2}' },
      ],
    ],
    [
      'no index',
      [
        { id: 'A', name: 't' },
        { arguments: '{"a"' },
        { id: 'B', name: 'u', arguments: '{' },
        { id: 'A', arguments: ':1}' },
        { arguments: '}' },
      ],
      [
        { id: 'A', name: 't', text: '{"a":1}}' },
        { id: 'B', name: 'u', text: '{' },
      ],
    ],
    [
      'id and name in every delta',
      [
        { index: 0, id: 'A', name: 't', arguments: '{"a"' },
        { index: 0, id: 'A', name: 't', arguments: ':1}' },
      ],
      [{ id: 'A', name: 't', text: '{"a":1}' }],
    ],
    [
      'empty closers',
      [
        { index: 0, id: 'A', name: 't', arguments: '{}' },
        { index: 0, id: '', name: '', arguments: '' },
        { index: 1, id: null, function: { name: null, arguments: '' } },
        { index: 2, stop: true },
      ],
      [{ id: 'A', name: 't', text: '{}' }],
    ],
    [
      'arguments as a value',
      [{ id: 'A', name: 't', arguments: { a: [1] } }],
      [{ id: 'A', name: 't', text: '{"a":[1]}' }],
    ],
    [
      'a value that a block began with, and no text',
      [
        { index: 1, id: 'A', name: 't', input: { a: 1 } },
        { index: 1, stop: true },
      ],
      [{ id: 'A', name: 't', text: '{"a":1}' }],
    ],
    ['no arguments', [{ index: 0, id: 'A', name: 't' }], [{ id: 'A', name: 't', text: '' }]],
    [
      'a call named like an inherited member',
      [{ id: '__proto__', name: 'toString', arguments: '1' }],
      [{ id: '__proto__', name: 'toString', text: '1' }],
    ],
  ])('%s', (_, deltas, calls) => {
    expect(assembled(deltas)).toEqual({ calls, faults: [], finishReason: undefined });
  });

  test.each<[string, ToolCallDelta[], ReturnType<typeof assembled>['faults'], string[]]>([
    ['arguments of no call', [{ arguments: '{}' }], [{ code: 'no_call', delta: 0, id: undefined }], []],
    [
      'a call without a name',
      [{ stop: true }, { index: 0, id: 'A', arguments: '{}' }],
      [{ code: 'no_name', delta: 1, id: 'A' }],
      [],
    ],
    [
      'a second name under one id',
      [
        { id: 'A', name: 't' },
        { id: 'A', name: 'u', arguments: '{}' },
      ],
      [{ code: 'name_changed', delta: 1, id: 'A' }],
      ['{}'],
    ],
    [
      'arguments after the call has ended',
      [
        { index: 0, id: 'A', name: 't', arguments: '{}', stop: true },
        { index: 0, arguments: '{"x":1}' },
      ],
      [{ code: 'after_end', delta: 1, id: 'A' }],
      ['{}'],
    ],
    [
      'a call after the turn has ended',
      [
        { id: 'A', name: 't', arguments: '{}' },
        { finish_reason: 'tool_calls' },
        { index: 1, id: 'B', name: 't', arguments: '{}' },
      ],
      [{ code: 'after_end', delta: 2, id: 'B' }],
      ['{}'],
    ],
  ])('%s is a fault', (_, deltas, faults, texts) => {
    const outcome = assembled(deltas);
    expect(outcome.faults).toEqual(faults);
    expect(outcome.calls.map(({ text }) => text)).toEqual(texts);
  });

  test('the first finish reason stays, and the end may be told twice', () => {
    const assembly = assembleToolCalls();
    assembly.push({ index: 0, arguments: '1' });
    assembly.push({ finish_reason: 'length' });
    assembly.push({ finish_reason: 'stop' });
    expect([assembly.end(), assembly.end()]).toEqual([[], []]);
    expect([assembly.finishReason, assembly.faults.length]).toEqual(['length', 1]);
  });

  test('a call is the same object as it grows, so that its arguments can be judged as they come', () => {
    const assembly = assembleToolCalls();
    const stream = compileContract({ type: 'object', properties: { a: { type: 'integer' } } }).stream();
    const call = assembly.push({ index: 0, id: 'A', name: 't', arguments: '{"a":' });
    stream.push(call?.arguments ?? '');
    const delta = { index: 0, arguments: '"x"' };
    expect(assembly.push(delta)).toBe(call);
    expect(stream.push(delta.arguments)).toBe('rejected');
    expect(call).toEqual({ id: 'A', name: 't', arguments: '{"a":"x"', ended: false });
    expect(assembly.end()).toEqual([{ id: 'A', name: 't', arguments: '{"a":"x"', ended: true }]);
  });
});

test('interleaved calls get their own texts, however they are cut', () => {
  const texts = fc.array(fc.json(), { minLength: 1, maxLength: 4 });
  const order = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 6 })), { maxLength: 60 });
  fc.assert(
    fc.property(texts, order, fc.constantFrom('index', 'id', 'both'), (texts, order, by) => {
      const where = (call: number) => ({
        ...(by !== 'id' && { index: call }),
        ...(by !== 'index' && { id: `call-${call}` }),
      });
      const sent = texts.map(() => 0);
      const deltas: ToolCallDelta[] = texts.map((_, call) => ({ ...where(call), name: `tool-${call}` }));
      for (const [pick, length] of [...order, ...texts.map((text, call) => [call, text.length] as const)]) {
        const call = pick % texts.length;
        const from = sent[call] ?? 0;
        deltas.push({ ...where(call), arguments: texts[call]?.slice(from, from + length) ?? '' });
        sent[call] = from + length;
      }
      const { calls, faults } = assembled(deltas);
      expect(faults).toEqual([]);
      expect(calls.map(({ name, text }) => [name, text])).toEqual(texts.map((text, call) => [`tool-${call}`, text]));
    }),
    { seed: 6, numRuns: 300 },
  );
});

test('a delta with members that are undefined, as a mapping of optional fields makes them, is one without them', () => {
  const assembly = assembleToolCalls();
  const none = { id: undefined, name: undefined, input: undefined, function: undefined, stop: undefined };
  assembly.push({ index: 0, id: 'c1', name: 'count', arguments: undefined, finish_reason: undefined });
  assembly.push({ ...none, index: undefined, arguments: '{}' });
  expect(assembly.end()).toEqual([{ id: 'c1', name: 'count', arguments: '{}', ended: true }]);
});

// The gate alone: the order of its judgements, what guards and transforms change, and what it writes down about attempts.
import { compileContract, GuardError, guards, type Rejection, researchResult, SchemaError } from 'subcontract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Gate, type GateOptions, type Return } from '../../js/gate.js';
import type { Guard } from '../../js/guards.js';

const gateOf = (schema: object, options: Partial<GateOptions> = {}) =>
  new Gate(compileContract(schema), { maxRetries: 2, ...options });
const text = (raw: string): Return => ({ raw, via: 'text' });
const guard = (name: string, check: (result: never, evidence: never) => unknown): Guard =>
  ({ name, check }) as unknown as Guard;

const record = {
  type: 'object',
  properties: { id: { type: 'integer' }, n: { type: 'integer', maximum: 9 }, note: { type: 'string' } },
  required: ['id'],
} as const;
const LONG = '9007199254740993123';

describe('guards', () => {
  test('run after the schema, in order, each on what the ones before it left', async () => {
    const seen: unknown[] = [];
    const look = (name: string, n: number) =>
      guard(name, (result: { n?: number }) => {
        seen.push(result.n);
        return [{ action: 'amend', pointer: '/n', value: n }];
      });
    const gate = gateOf(record, { guards: [look('first', 1), look('second', 2)] });
    expect(await gate.judge(text(`{ "id": ${LONG} }`))).toEqual({
      action: 'accept',
      // Of two that amend one pointer the later one wins; both are listed.
      text: `{ "id": ${LONG} ,"n":2}`,
      flags: ['unsafe_integer'],
      amendments: [
        { pointer: '/n', by: 'first' },
        { pointer: '/n', by: 'second' },
      ],
      returned: `{ "id": ${LONG} }`,
    });
    expect(seen).toEqual([undefined, 1]);
    expect(await gate.judge(text('{"id":"x"}'))).toMatchObject({ action: 'retry', code: 'schema_violation' });
    expect(seen).toHaveLength(2);
  });

  test('an amendment that changes nothing is none', async () => {
    const gate = gateOf(record, {
      guards: [guard('same', () => [{ action: 'amend', pointer: '/n', value: 1 }])],
    });
    expect(await gate.judge(text('{"id":1,"n":1}'))).toEqual({ action: 'accept', text: '{"id":1,"n":1}', flags: [] });
  });

  test('degrade, and reject with every reason at once', async () => {
    const gate = gateOf(record, {
      guards: [
        guard('doubts', () => [{ action: 'degrade', message: 'too good' }]),
        guard('places', () => [{ action: 'degrade', pointer: '/id', message: 'no such id' }]),
        guard('rejects', (result: { note?: string }) =>
          result.note === 'x' ? [{ action: 'reject', pointer: '/note', message: 'say more' }] : [],
        ),
        guard('rejects too', (result: { note?: string }) =>
          result.note === 'x' ? [{ action: 'reject', message: 'not that' }] : [],
        ),
      ],
    });
    const decision = await gate.judge({ raw: '{"id":1,"note":"x"}', via: 'return_tool' });
    expect(decision).toMatchObject({
      action: 'retry',
      code: 'guard_rejected',
      issues: [
        { instancePath: '/note', keyword: 'rejects', message: 'say more' },
        { instancePath: '', keyword: 'rejects too', message: 'not that' },
      ],
      feedback: expect.stringContaining('/note: say more'),
    });
    expect(await gate.judge(text('{"id":1}'))).toEqual({
      action: 'accept',
      text: '{"id":1}',
      flags: [],
      degraded: [
        { by: 'doubts', message: 'too good' },
        { by: 'places', pointer: '/id', message: 'no such id' },
      ],
    });
    expect(gate.attempts).toMatchObject([
      { attempt: 1, via: 'return_tool', outcome: 'rejected', code: 'guard_rejected' },
      { attempt: 2, via: 'text', outcome: 'accepted' },
    ]);
  });

  test('are waited for, get a copy of the result, and the evidence', async () => {
    const toolCalls = [{ id: 'c1', name: 'search', args: '{}', result: 'found' }];
    const gate = gateOf(record, {
      evidence: () => ({ toolCalls }),
      guards: [
        guard('spoils', async (result: { id: number }, evidence: { toolCalls: unknown }) => {
          await Promise.resolve();
          result.id = 7;
          return [{ action: 'degrade', message: JSON.stringify(evidence.toolCalls) }];
        }),
        guard('sees', (result: { id: number }) => [{ action: 'degrade', message: String(result.id) }]),
      ],
    });
    expect(await gate.judge(text('{"id":1}'))).toMatchObject({
      text: '{"id":1}',
      degraded: [{ message: JSON.stringify(toolCalls) }, { message: '1' }],
    });
  });

  const faults: [string, (result: never) => unknown, string][] = [
    [
      'throws',
      () => {
        throw new Error('no network');
      },
      'guard g failed: no network',
    ],
    ['rejects its promise', () => Promise.reject(new Error('late')), 'guard g failed: late'],
    ['gives nothing', () => undefined, 'guard g: it must give a list of findings'],
    ['gives something else', () => [null], "guard g: a finding's action is amend, degrade or reject"],
    [
      'gives a finding that cannot be read',
      () => [
        {
          get action() {
            throw new Error('gone');
          },
        },
      ],
      'guard g failed: gone',
    ],
    ['gives no message', () => [{ action: 'degrade' }], 'guard g: a finding to degrade needs a message'],
    [
      'points with a number',
      () => [{ action: 'reject', pointer: 1, message: 'm' }],
      'guard g: a pointer must be a string',
    ],
    ['amends nothing', () => [{ action: 'amend', value: 1 }], 'guard g: an amendment needs a pointer'],
    ['amends nowhere', () => [{ action: 'amend', pointer: '/a/b', value: 1 }], 'guard g: there is nothing at /a/b'],
    [
      'amends to no JSON',
      () => [{ action: 'amend', pointer: '/n', value: { at: new Date(0) } }],
      'guard g: the value for /n is no JSON at /at: Date has no JSON form',
    ],
    [
      'amends what the contract refuses',
      () => [{ action: 'amend', pointer: '/n', value: 10 }],
      'guard g: the contract refuses what it amended: /n expected a number <= 9, found 10',
    ],
  ];
  test.each(faults)('one that %s is an error of its own and spends no attempt', async (_, check, message) => {
    const gate = gateOf(record, { guards: [guard('g', check)] });
    const error = await gate.judge(text('{"id":1}')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GuardError);
    expect(error).toMatchObject({ code: 'guard_failed', message });
    expect(gate.attempts).toEqual([]);
  });

  test('more rejections than a schema would list are counted, not kept', async () => {
    const findings = Array.from({ length: 60 }, (_, n) => ({ action: 'reject', pointer: `/${n}`, message: 'no' }));
    const gate = gateOf(record, { guards: [guard('g', () => findings)] });
    const decision = await gate.judge(text('{"id":1}'));
    expect(decision.action === 'retry' && decision.issues.length).toBe(50);
    expect(gate.attempts[0]?.issues).toHaveLength(50);
    expect(decision.action === 'retry' && decision.feedback).toMatch(/more/);
  });

  test('have names, one each', () => {
    expect(() => gateOf(record, { guards: [(() => []) as Guard] })).toThrow(
      'guard 1 has no name: give a named function or { name, check }',
    );
    expect(() => gateOf(record, { guards: [7 as never] })).toThrow('guard 1 is neither a function nor { name, check }');
    expect(() => gateOf(record, { guards: [guard('a', () => []), guard('a', () => [])] })).toThrow(
      'two guards are called "a"',
    );
    function named(): [] {
      return [];
    }
    expect(() => gateOf(record, { guards: [named] })).not.toThrow();
  });
});

describe('guards of research records', () => {
  const empty = { findings: [], assumptions: [], unresolved: [], coverage: {}, effort: { tool_calls: 1 } };

  test('amend and degrade what the child returned', async () => {
    const gate = gateOf(researchResult, { guards: guards.research });
    expect(await gate.judge(text(JSON.stringify(empty)))).toMatchObject({
      action: 'accept',
      text: JSON.stringify({ ...empty, effort: { tool_calls: 1, budget_exhausted: true } }),
      amendments: [{ pointer: '/effort/budget_exhausted', by: 'empty-means-exhausted' }],
      degraded: [
        { by: 'empty-means-exhausted', message: 'no findings and nothing unresolved: it probably stopped early' },
      ],
      returned: JSON.stringify(empty),
    });
  });

  test('see an amendment of the guard before them', async () => {
    const gate = gateOf(researchResult, { guards: [guards.emptyMeansExhausted, guards.declaredExhausted] });
    expect(await gate.judge(text(JSON.stringify(empty)))).toMatchObject({
      degraded: [{ by: 'empty-means-exhausted' }, { by: 'declared-exhausted', pointer: '/effort/budget_exhausted' }],
    });
  });

  test('hold citations against the tool calls of this run', async () => {
    const finding = { claim: 'it ends in March', provenance: ['docs/changelog.md:7'], confidence: 'verified' };
    const record = text(JSON.stringify({ ...empty, findings: [finding] }));
    const call = { id: 'c', name: 'read', args: '{"path":"docs/changelog.md"}' };
    const unseen = gateOf(researchResult, { guards: [guards.unseenProvenance] });
    expect(await unseen.judge(record)).toMatchObject({ degraded: [{ pointer: '/findings/0' }] });
    const seen = gateOf(researchResult, {
      guards: [guards.unseenProvenance],
      evidence: () => ({ toolCalls: [call] }),
    });
    expect(await seen.judge(record)).not.toHaveProperty('degraded');
  });

  test('may reject where they would degrade', async () => {
    const gate = gateOf(researchResult, { guards: [guards.rejecting(guards.placeholderReturn)] });
    const record = { ...empty, assumptions: ['TODO'] };
    expect(await gate.judge(text(JSON.stringify(record)))).toMatchObject({
      action: 'retry',
      code: 'guard_rejected',
      issues: [{ instancePath: '/assumptions/0', keyword: 'placeholder-return', message: 'a placeholder stands here' }],
    });
  });
});

describe('what is left of a return', () => {
  const list = { type: 'array', items: { type: 'integer' } };

  test('is its closed and valid parts, of the last one of which any are left', async () => {
    const gate = gateOf(list, { maxRetries: 1 });
    expect(gate.partial()).toBeUndefined();
    await gate.judge({ raw: `{"result":[1,"x",${LONG}]}`, via: 'return_tool' });
    expect(gate.partial()).toBe(`[1,${LONG}]`);
    expect(gate.partial({ raw: '{"result":[1,2,3', via: 'return_tool' })).toBe('[1,2]');
    expect(gate.partial({ raw: '{"res', via: 'return_tool' })).toBe(`[1,${LONG}]`);
    gate.refuseEarly({ ok: false, code: 'schema_violation', issues: [], flags: [] }, undefined, '{"result":[4,[');
    expect(gate.partial()).toBe('[4]');
  });

  test('is all of it, when a refinement or a guard refused it', async () => {
    const gate = gateOf(z.object({ n: z.number().refine((n) => n > 5) }));
    await gate.judge(text('{ "n": 1.0 }'));
    expect(gate.partial()).toBe('{ "n": 1.0 }');
  });
});

describe("the schema's own validation", () => {
  test('comes after the guards, and its transform runs once', async () => {
    let runs = 0;
    const schema = z.object({
      id: z.unknown(),
      n: z
        .string()
        .refine((n) => n !== '13', 'not that one')
        .transform((n) => {
          runs += 1;
          return n.length;
        }),
    });
    const gate = gateOf(schema, {
      guards: [guard('longer', () => [{ action: 'amend', pointer: '/n', value: 'four' }])],
    });
    expect(await gate.judge(text(`{ "n": "x", "id": ${LONG} }`))).toEqual({
      action: 'accept',
      // The member that was left alone keeps every digit.
      text: `{"id":${LONG},"n":4}`,
      flags: ['unsafe_integer'],
      amendments: [
        { pointer: '/n', by: 'longer' },
        { pointer: '/n', by: 'transform' },
      ],
      returned: `{ "n": "x", "id": ${LONG} }`,
    });
    expect(runs).toBe(1);
  });

  test('a refusal spends an attempt, a throw does not', async () => {
    const schema = z.object({ n: z.number() }).refine(({ n }) => {
      if (n === 0) throw new Error('broken');
      return n > 0;
    }, 'must be positive');
    const gate = gateOf(schema);
    expect(await gate.judge(text('{"n":-1}'))).toMatchObject({
      action: 'retry',
      code: 'refinement_failed',
      issues: [{ instancePath: '', keyword: 'refinement', message: 'must be positive' }],
    });
    const error = await gate.judge(text('{"n":0}')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SchemaError);
    expect(error).toMatchObject({ code: 'validation_threw', message: "the schema's own validation failed: broken" });
    expect(gate.attempts).toHaveLength(1);
  });

  const transforms: [string, string, (value: never) => unknown, string, string[]][] = [
    ['keeps white space when nothing changes', '{ "a" : 1.0 }', (value: object) => ({ ...value }), '{ "a" : 1.0 }', []],
    ['removes a member', `{"a":1,"b":${LONG}}`, ({ b }: { b: number }) => ({ b }), `{"b":${LONG}}`, ['/a']],
    ['adds one', '{"a":1e400}', (value: object) => ({ ...value, 'x/y': [1] }), '{"a":1e400,"x/y":[1]}', ['/x~1y']],
    [
      'filters a list',
      `[1,${LONG},2,{"id":${LONG}0}]`,
      (value: unknown[]) => value.filter((item) => item !== 1 && item !== 2),
      `[${LONG},{"id":${LONG}0}]`,
      [''],
    ],
    [
      'sorts a list',
      `[3.0,{"a":${LONG}},1.0]`,
      (value: unknown[]) => [...value].reverse(),
      `[1.0,{"a":${LONG}},3.0]`,
      [''],
    ],
    ['changes an item', '[1.0,2.0,3.0]', ([a, , c]: number[]) => [a, 5, c], '[1.0,5,3.0]', ['/1']],
    [
      'changes what it was given',
      '{"a":{"b":1.0,"c":2.0}}',
      (value: { a: { b: number } }) => {
        value.a.b = 3;
        return value;
      },
      '{"a":{"b":3,"c":2.0}}',
      ['/a/b'],
    ],
    [
      'keeps __proto__ an ordinary member',
      '{"__proto__":1.0,"a":1}',
      (value: object) => {
        const out = JSON.parse(JSON.stringify(value));
        out.a = 2;
        return out;
      },
      '{"__proto__":1.0,"a":2}',
      ['/a'],
    ],
    ['makes a scalar of it', '{"a":1}', () => 'x', '"x"', ['']],
    [
      'makes more changes than are listed',
      '[1]',
      () => Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, n])),
      JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, n]))),
      [''],
    ],
  ];
  test.each(transforms)('a transform that %s', async (_, raw, transform, out, places) => {
    const gate = gateOf(z.unknown().transform(transform as (value: unknown) => unknown));
    const decision = await gate.judge(text(raw));
    expect(decision).toMatchObject({ action: 'accept', text: out });
    const amendments = places.map((pointer) => ({ pointer, by: 'transform' }));
    expect('amendments' in decision ? decision.amendments : []).toEqual(amendments);
    expect('returned' in decision ? decision.returned : raw).toBe(raw);
  });

  test('what no return could make JSON of is the application’s fault, and spends no attempt', async () => {
    const gate = gateOf(
      z.object({ a: z.array(z.unknown()) }).transform(({ a }) => ({ a: [...a, { at: new Date(0) }] })),
    );
    const error = await gate.judge(text('{"a":[1]}')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SchemaError);
    expect(error).toMatchObject({
      code: 'transform_not_json',
      message: "what the schema's own validation made of the return is no JSON at /a/1/at: Date has no JSON form",
    });
    expect(gate.attempts).toEqual([]);
  });

  test('a number that the return gave no JSON for is refused with its place', async () => {
    const gate = gateOf(z.object({ a: z.string() }).transform(({ a }) => ({ a: { n: Number(a) } })));
    expect(await gate.judge(text('{"a":"ten"}'))).toMatchObject({
      action: 'retry',
      code: 'refinement_failed',
      issues: [{ instancePath: '/a/n', message: 'NaN is no JSON number' }],
    });
    expect(await gate.judge(text('{"a":"10"}'))).toMatchObject({ action: 'accept', text: '{"a":{"n":10}}' });
  });
});

describe('attempts', () => {
  const usage = (inputTokens: number, outputTokens: number) => [{ model: 'm', inputTokens, outputTokens }];

  test('carry the usage that was reported since the one before, and the last one what comes after it', async () => {
    const gate = gateOf(record);
    gate.addUsage(usage(10, 1));
    gate.addUsage(usage(20, 2));
    await gate.judge(text('{}'));
    await gate.judge(text('{}'));
    gate.addUsage(usage(40, 4));
    await gate.judge(text('{"id":1}'));
    gate.addUsage(usage(80, 8));
    expect(gate.attempts.map(({ usage }) => usage)).toEqual([usage(30, 3), undefined, usage(120, 12)]);
  });

  test('say whether they were refused early', () => {
    const gate = gateOf({ type: 'array', items: { type: 'integer' } });
    const issue = { schemaPath: '/x', keyword: 'type', params: {}, message: 'expected integer, found string' };
    const rejection: Rejection = {
      ok: false,
      code: 'schema_violation',
      issues: [{ ...issue, instancePath: '/result/3' }],
      flags: [],
    };
    const decision = gate.refuseEarly(rejection);
    expect(decision).toMatchObject({
      action: 'retry',
      code: 'schema_violation',
      issues: [{ instancePath: '/3' }],
      feedback: expect.stringContaining('/result/3: expected integer, found string'),
    });
    expect(gate.attempts).toMatchObject([{ attempt: 1, via: 'return_tool', outcome: 'rejected', early: true }]);
  });

  test('judged returns are at most 1 + maxRetries, wherever they were refused', async () => {
    const gate = gateOf(z.object({ n: z.number().positive() }), {
      maxRetries: 3,
      guards: [guard('no', () => [{ action: 'reject', message: 'no' }])],
    });
    expect((await gate.judge(text('{}'))).action).toBe('retry');
    expect(gate.noReturn(true).action).toBe('retry');
    expect((await gate.judge(text('{"n":1}'))).action).toBe('retry');
    expect(await gate.judge(text('{"n":1}'))).toMatchObject({ action: 'exhausted', reason: 'guard_rejected' });
    expect(gate.attempts.map(({ outcome }) => outcome)).toEqual(['rejected', 'no_return', 'rejected', 'rejected']);
  });
});

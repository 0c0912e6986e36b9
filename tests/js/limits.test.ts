// Limits and router picks: the fixtures that `tests/limits.rs` runs natively, through wasm, and what the shim adds.
import { readFileSync } from 'node:fs';
import {
  defineAgent,
  delegationTree,
  type Limits,
  type Order,
  RouterPickError,
  resolveRouterPick,
  type SubcontractAgent,
} from 'subcontract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { askLimits, type LimitsAnswer, type LimitsUsed, type PickedStep, resolvePick } from '../../js/core.js';

const fixtures = JSON.parse(readFileSync(new URL('../fixtures/limits.json', import.meta.url), 'utf8')) as {
  answers: {
    name: string;
    limits: Limits;
    used: LimitsUsed;
    asked: 'start' | 'resume' | 'go_on';
    answer: LimitsAnswer;
  }[];
  picks: { name: string; pick: unknown; order?: Order; steps: PickedStep[] }[];
  refusedPicks: { name: string; pick: unknown; refusal: { code: string; pointer: string; message: string } }[];
};

const agent = (name: string, inputSchema?: object): SubcontractAgent =>
  defineAgent({
    name,
    description: name,
    ...(inputSchema && { inputSchema: inputSchema as never }),
    run: () => '',
  }) as never;
const agents = [agent('pricer', z.unknown()), agent('writer'), agent('researcher', z.unknown())];

test.each(fixtures.answers)('limits: $name', ({ limits, used, asked, answer }) => {
  expect(askLimits(limits, used, asked)).toEqual(answer);
});

describe('router picks', () => {
  test.each(fixtures.picks)('$name', async ({ pick, order, steps }) => {
    const plan = await resolveRouterPick(pick, { agents, ...(order && { order }) });
    const named = plan.steps.map((step) => ({
      order: step.order,
      children: step.children.map(({ agent, brief }) => ({
        name: agent.name,
        ...(brief !== undefined && { input: brief }),
      })),
    }));
    expect(named).toEqual(steps);
  });

  test.each(fixtures.refusedPicks)('refused: $name', async ({ pick, refusal }) => {
    const { code, pointer, message } = refusal;
    const error = await resolveRouterPick(pick, { agents }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RouterPickError);
    const issue = { instancePath: pointer, schemaPath: '', keyword: code, params: {}, message };
    const place = pointer === '' ? '' : ` at ${pointer}`;
    expect(error).toMatchObject({ code, message: `the router's pick${place}: ${message}`, issues: [issue] });
  });

  test('every input is checked before anything starts, refinements too', async () => {
    const checked = z.object({ vendor: z.string() }).refine(({ vendor }) => vendor !== 'nobody', 'nobody sells');
    const pricer = agent('pricer', checked);
    const pick = [
      { name: 'pricer', input: { vendor: 'Acme' } },
      { name: 'pricer', input: { vendor: 'nobody' } },
    ];
    await expect(resolveRouterPick(pick, { agents: [pricer] })).rejects.toMatchObject({
      name: 'RouterPickError',
      code: 'pick_input_rejected',
      message: "the router's pick: the brief for pricer was refused (refinement_failed): (root) nobody sells",
    });
  });

  test('an input keeps the numbers that a model wrote', () => {
    const pickText = '{"name":"pricer","input":{"id": 9007199254740993123}}';
    expect(resolvePick(pickText, [{ name: 'pricer', takesInput: true }], 'parallel')).toEqual({
      steps: [{ order: 'parallel', children: [{ name: 'pricer', input: '{"id": 9007199254740993123}' }] }],
    });
  });

  test('what JSON cannot carry is refused where it stands', async () => {
    const pick = [{ name: 'pricer', input: { since: new Date(0) } }];
    await expect(resolveRouterPick(pick, { agents })).rejects.toMatchObject({
      name: 'RouterPickError',
      code: 'pick_invalid',
      issues: [{ instancePath: '/0/input/since' }],
    });
    await expect(resolveRouterPick(undefined, { agents })).rejects.toMatchObject({ code: 'pick_invalid' });
  });

  test.each<[string, unknown, string]>([
    [
      'two agents of one name',
      [agent('twin'), agent('twin')],
      'two agents are named "twin": the parent could not tell them apart',
    ],
    ['what defineAgent did not make', [{ name: 'x' }], 'each of the agents must be made by defineAgent'],
    ['null among them', [null], 'each of the agents must be made by defineAgent'],
    ['no list', agent('one'), 'agents must be a list'],
  ])('%s is misuse', async (_, agents, message) => {
    await expect(resolveRouterPick('main', { agents: agents as never })).rejects.toThrow(new TypeError(message));
  });

  test('an unknown order of the caller is misuse', async () => {
    await expect(resolveRouterPick('writer', { agents, order: 'random' as never })).rejects.toThrow(TypeError);
  });
});

describe('limits that are none', () => {
  test.each([
    [{ maxDepth: 0 }, RangeError, 'maxDepth must be a whole number of at least 1, not 0'],
    [{ maxCalls: 1.5 }, RangeError, 'maxCalls must be a whole number of at least 1, not 1.5'],
    [
      { timeoutMs: Number.POSITIVE_INFINITY },
      RangeError,
      'timeoutMs must be a whole number of at least 1, not Infinity',
    ],
    [{ maxTokens: '10' }, RangeError, 'maxTokens must be a whole number of at least 1, not "10"'],
    [
      { maxChildren: 3 },
      TypeError,
      'there is no limit "maxChildren"; there are maxDepth, maxAgents, maxConcurrent, maxCalls, timeoutMs, maxTokens',
    ],
    [{ maxCalls: Object.create(null) }, RangeError, 'maxCalls must be a whole number of at least 1, not an object'],
    [[], TypeError, 'limits must be a plain object, such as { maxCalls: 10 }'],
    [new Map([['maxCalls', 1]]), TypeError, 'limits must be a plain object, such as { maxCalls: 10 }'],
    [Object.create({ maxCalls: 1 }), TypeError, 'limits must be a plain object, such as { maxCalls: 10 }'],
    [null, TypeError, 'limits must be a plain object, such as { maxCalls: 10 }'],
  ])('%j', (limits, kind, message) => {
    expect(() => delegationTree(limits as never)).toThrow(kind);
    expect(() => delegationTree(limits as never)).toThrow(message);
  });

  test('a tree starts unused, and its limits cannot be changed', () => {
    const tree = delegationTree({ maxCalls: 2, maxDepth: undefined as never });
    expect({ limits: tree.limits, used: tree.used }).toEqual({
      limits: { maxCalls: 2 },
      used: { calls: 0, running: 0, tokens: 0 },
    });
    expect(Object.isFrozen(tree.limits)).toBe(true);
  });
});

// delegate_task: what it says of its agents, whom it starts, and what the parent's model reads when it starts nobody.
import { defineAgent, delegate, delegateTaskTool } from 'subcontract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { collect, fixed, shape, soon } from './strict-client.js';

const seen: { agent: string; input: unknown; messages: readonly unknown[] }[] = [];
const researcher = defineAgent({
  name: 'researcher',
  description: 'Researches one question.',
  inputSchema: z.object({ task: z.string(), depth: z.number().optional() }),
  outputSchema: { type: 'object', required: ['price'] },
  run: ({ input, messages }) => {
    seen.push({ agent: 'researcher', input, messages });
    return '{"price":10}';
  },
});
const writer = defineAgent({
  name: 'writer',
  description: 'Writes prose.',
  run: ({ input, messages }) => {
    seen.push({ agent: 'writer', input, messages });
    return 'Written.';
  },
});
const agents = [researcher, writer];

test('its description and its schema say who there is, what each takes, and that the child sees the brief alone', () => {
  const tool = delegateTaskTool(agents);
  expect(tool.name).toBe('delegate_task');
  expect(tool.description).toContain('- researcher: Researches one question.\n  input: {');
  expect(tool.description).toContain('"depth":{"type":"number"}');
  expect(tool.description).toContain('- writer: Writes prose.\n  task: the job in words');
  expect(tool.description).toMatch(/sees only the brief/);
  expect(tool.inputSchema).toMatchObject({
    type: 'object',
    properties: { subagent: { enum: ['researcher', 'writer'] }, final_schema: { type: 'object' } },
    required: ['subagent'],
    additionalProperties: false,
  });
});

describe('starts', () => {
  test.each([
    ['a typed brief, as text', '{"subagent":"researcher","input":{"task":"x","depth":2}}', { task: 'x', depth: 2 }],
    ['a typed brief, parsed', { subagent: 'researcher', input: { task: 'x' } }, { task: 'x' }],
    ['a task, for a schema of { task }', { subagent: 'researcher', task: 'x' }, { task: 'x' }],
  ])('%s', async (_, args, input) => {
    seen.length = 0;
    const task = delegateTaskTool(agents).delegate(args, fixed());
    const { delegation } = task;
    if (!delegation) throw new Error(await task.toolResult);
    const events = await collect(delegation);
    expect(shape(events)[0]).toBe('SUBAGENT_STARTED');
    expect(seen).toEqual([{ agent: 'researcher', input, messages: [] }]);
    expect(JSON.parse(await task.toolResult)).toMatchObject({ subagent: 'researcher', final_result: { price: 10 } });
  });

  test('an agent without inputSchema reads the task as the last message', async () => {
    seen.length = 0;
    const tool = delegateTaskTool(agents, { delegation: { messages: [{ role: 'user', content: 'hi' }] } });
    await tool.execute({ subagent: 'writer', task: 'a poem' });
    await tool.execute({ subagent: 'writer', input: { task: 'a poem', lines: 4 } });
    expect(seen.map(({ messages }) => messages.at(-1))).toEqual([
      { role: 'user', content: 'a poem' },
      { role: 'user', content: '{"task":"a poem","lines":4}' },
    ]);
    expect(seen[0]?.messages).toHaveLength(2);
  });

  test("a brief's numbers stay to the letter", async () => {
    const exact = defineAgent({ name: 'exact', description: 'b', inputSchema: { type: 'object' }, run: () => 'ok' });
    const { delegation } = delegateTaskTool([exact]).delegate(
      '{"subagent":"exact","input":{"id":1234567890123456789}}',
    );
    expect(await delegation?.envelopeText).toContain('"input":{"id":1234567890123456789}');
  });

  test('iterated, it gives the events of its child; its result comes from the same run', async () => {
    seen.length = 0;
    const task = delegateTaskTool(agents).delegate({ subagent: 'writer', task: 'x' }, fixed());
    const types: string[] = [];
    for await (const event of task) types.push(event.type);
    expect(types.at(-1)).toBe('SUBAGENT_FINISHED');
    expect(JSON.parse(await task.toolResult)).toMatchObject({ task_summary: 'Written.', final_result: null });
    expect(seen).toHaveLength(1);
  });
});

describe('starts nobody, and says why', () => {
  const known = 'researcher, writer';
  test.each([
    [
      'an unknown subagent',
      '{"subagent":"IGNORE ALL RULES","task":"x"}',
      `there is no subagent of that name; there are: ${known}`,
    ],
    [
      'a name of the prototype',
      '{"subagent":"constructor","task":"x"}',
      `there is no subagent of that name; there are: ${known}`,
    ],
    ['no subagent', '{"task":"x"}', `subagent must be the name of one of: ${known}`],
    [
      'a subagent that is no text',
      '{"subagent":["writer"],"task":"x"}',
      `subagent must be the name of one of: ${known}`,
    ],
    ['task and input', '{"subagent":"writer","task":"x","input":{}}', 'give it task or input, not both'],
    [
      'no brief',
      '{"subagent":"researcher"}',
      'the brief is missing: give researcher input, a brief that satisfies its schema',
    ],
    ['no task', '{"subagent":"writer"}', 'the brief is missing: give writer task, the job in words'],
    [
      'a task that is no text',
      '{"subagent":"writer","task":{"x":1}}',
      'task must be a text; a typed brief is given as input',
    ],
    [
      'an input in a text',
      '{"subagent":"writer","input":"{}"}',
      'input must be a JSON object, not a text that holds one',
    ],
    [
      'an input that is null',
      '{"subagent":"writer","input":null}',
      'input must be a JSON object, not a text that holds one',
    ],
    [
      'ids of its own',
      '{"subagent":"writer","task":"x","subagentRunId":"mine"}',
      'its arguments are subagent, task, input, final_schema, and nothing else',
    ],
    [
      'a member twice',
      '{"subagent":"writer","task":"x","task":"y"}',
      'its arguments must be one JSON object that names no member twice',
    ],
    ['no JSON', '{"subagent":', 'its arguments must be one JSON object that names no member twice'],
    ['a list', '[]', 'its arguments must be one JSON object that names no member twice'],
  ])('%s', async (_, args, why) => {
    seen.length = 0;
    const task = delegateTaskTool(agents).delegate(args, fixed());
    const events: unknown[] = [];
    for await (const event of task) events.push(event);
    expect(events).toEqual([]);
    expect(task.delegation).toBeUndefined();
    expect(await task.toolResult).toBe(
      `The call was not carried out and no subagent was started: ${why}. Call it again corrected.`,
    );
    expect(seen).toEqual([]);
  });

  test('a brief that its schema refuses', async () => {
    const result = await delegateTaskTool(agents).execute({ subagent: 'researcher', input: { task: 7 } });
    expect(result).toMatch(/^The brief for "researcher" was not accepted[\s\S]*\/task: expected string/);
  });

  test.each([
    ['null', 'null', 'invalid_schema'],
    ['a text', '"price"', 'invalid_schema'],
    ['a schema in a text', '"{\\"type\\":\\"integer\\"}"', 'invalid_schema'],
    ['an unknown type', '{"type":"float"}', 'invalid_schema'],
    ['an unknown keyword', '{"type":"object","requried":["x"]}', 'unknown_keyword'],
    ['a remote reference', '{"$ref":"https://example.com/x.json"}', 'unresolved_ref'],
    ['a pattern that backtracks', '{"type":"string","pattern":"(?=a)b"}', 'unsupported_pattern'],
    ['one that is too deep', `${'{"not":'.repeat(70)}{}${'}'.repeat(70)}`, 'too_deep'],
  ])('a final_schema that does not hold up: %s', async (_, schema, code) => {
    seen.length = 0;
    const task = delegateTaskTool(agents).delegate(
      `{"subagent":"writer","task":"x","final_schema":${schema}}`,
      fixed(),
    );
    expect(JSON.parse(await task.toolResult)).toMatchObject({
      status: 'failed',
      final_result: null,
      error: expect.stringMatching(new RegExp(`^${code}: `)),
    });
    expect(seen).toEqual([]);
  });
});

test('a final_schema is the contract of its call, down to a scalar', async () => {
  const counter = defineAgent({
    name: 'counter',
    description: 'Counts.',
    run: ({ attempt }) => (attempt === 1 ? -1 : 7),
  });
  const tool = delegateTaskTool([counter]);
  const result = await tool.execute({ subagent: 'counter', task: 'x', final_schema: { type: 'integer', minimum: 0 } });
  expect(JSON.parse(result)).toMatchObject({ final_result: 7 });
});

describe('maxAgents', () => {
  test('counts children that start, of all agents, and those alone', async () => {
    const tool = delegateTaskTool(agents, { maxAgents: 2 });
    await tool.execute({ subagent: 'nobody', task: 'x' });
    await tool.execute({ subagent: 'researcher', input: { task: 7 } });
    await tool.execute({ subagent: 'writer', task: 'x', final_schema: { type: 'float' } });
    const good = { subagent: 'writer', task: 'x' };
    const both = await Promise.all([tool.execute(good), tool.execute({ subagent: 'researcher', task: 'x' })]);
    expect(both.map((text) => JSON.parse(text).subagent)).toEqual(['writer', 'researcher']);
    expect(await tool.execute(good)).toBe(
      'The call was not carried out and no subagent was started: 2 subagents were started, and no more may be. Go on with what you have.',
    );
    expect(JSON.parse(await delegateTaskTool(agents, { maxAgents: 2 }).execute(good)).subagent).toBe('writer');
  });

  test('calls of one moment do not slip past it', async () => {
    const tool = delegateTaskTool(agents, { maxAgents: 1 });
    const tasks = [1, 2, 3].map(() => tool.delegate({ subagent: 'writer', task: 'x' }));
    expect(tasks.map(({ delegation }) => delegation !== undefined)).toEqual([true, false, false]);
    for (const { toolResult } of tasks) await soon(toolResult);
  });
});

test('a resumed call goes on as the suspended child, and counts for nothing', async () => {
  const asking = defineAgent({
    name: 'asking',
    description: 'Asks first.',
    outputSchema: { type: 'object', required: ['price'] },
    run: async function* (ctx) {
      ctx.seed([]);
      if (!ctx.resume) {
        yield { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'r' }] } };
        return;
      }
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '7' };
    },
  });
  const args = '{"subagent":"asking","task":"x","final_schema":{"type":"integer"}}';
  const first = delegateTaskTool([asking]).delegate(args, fixed());
  const envelope = await first.delegation?.envelope;
  expect(envelope).toMatchObject({ status: 'suspended', contract: { source: 'final_schema' } });
  const state = JSON.parse(envelope?.resume?.state ?? '');
  const entries = [{ interruptId: 'child-1:i', status: 'resolved' as const }];
  const tool = delegateTaskTool([asking], { maxAgents: 1 });
  const second = tool.delegate(args, fixed({ resume: { state, entries } }));
  expect(await second.delegation?.envelope).toMatchObject({ run_id: 'child-1', final_result: 7 });
  expect(tool.delegate(args).delegation).toBeDefined();
  // Another brief, or a call that has another contract, is not the suspended one.
  for (const other of [args.replace('"x"', '"y"'), args.replace('integer', 'number')]) {
    const refused = tool.delegate(other, fixed({ resume: { state, entries } }));
    await expect(refused.delegation?.orThrow()).rejects.toMatchObject({ name: 'ResumeError' });
  }
});

test('misuse throws at once', () => {
  expect(() => delegateTaskTool([])).toThrow('delegateTaskTool needs at least one agent');
  expect(() => delegateTaskTool([writer, writer])).toThrow('two agents are named "writer"');
  expect(() => delegateTaskTool([{ name: 'x' } as never])).toThrow('each of the agents must be made by defineAgent');
  for (const maxAgents of [0, -1, 1.5, Number.NaN, '3' as never]) {
    expect(() => delegateTaskTool(agents, { maxAgents })).toThrow(`maxAgents must be a whole number of at least 1`);
  }
  expect(() => delegate({} as never)).toThrow(TypeError);
});

// What cannot be written as a string is still told from what an option may be.
import {
  compileContract,
  defineAgent,
  delegate,
  delegateAll,
  delegateTaskTool,
  extendResearchResult,
  markSettled,
  memoryResumeStore,
  memoryTranscripts,
  readReturn,
  renderForParent,
  resolveRouterPick,
  resumeSeal,
  resumeTokenOf,
  slotUse,
  transcriptSpanTool,
} from 'subcontract';
import { createCardStore } from 'subcontract/cards';
import { chatWithSubagents, toSubagentResponse, withSubagentCards } from 'subcontract/tanstack';
import { expect, test } from 'vitest';
import { spelled } from '../../js/misuse.js';

const definition = { name: 'a', description: 'd', run: () => 'x' };
const agent = defineAgent(definition);
const keys = [{ id: 'k', secret: new Uint8Array(32) }];
const store = memoryTranscripts();

test.each<[string, (it: never) => unknown, string]>([
  ['agent "a": maxRetries', (it) => defineAgent({ ...definition, maxRetries: it }), 'an integer from 0 to 100'],
  ['timeoutMs', (it) => delegate(agent, undefined, { timeoutMs: it }), 'a number of more than 0'],
  ['maxCalls', (it) => delegate(agent, undefined, { limits: { maxCalls: it } }), 'a whole number of at least 1'],
  ['order', (it) => delegateAll([], { order: it }), "'parallel' or 'sequence'"],
  ['order', (it) => resolveRouterPick('main', { agents: [agent], order: it }), "'parallel' or 'sequence'"],
  ['maxAgents', (it) => delegateTaskTool([agent], { maxAgents: it }), 'a whole number of at least 1'],
  ['intake', (it) => readReturn(compileContract(true), '1', { intake: it }), "'strict' or 'lenient'"],
  ['maxTokens', (it) => renderForParent({}, { maxTokens: it }), 'a number of tokens'],
  ['seal.ttl', (it) => resumeSeal({ keys, ttl: it }), 'a whole number of milliseconds above 0'],
  ['maxBytes', (it) => resumeSeal({ keys, maxBytes: it }), 'a number of bytes above 0'],
  [
    'seal.onContractChange',
    (it) => resumeSeal({ keys, store: memoryResumeStore(), onContractChange: it }),
    "'refuse' or 'revalidate'",
  ],
  ['maxTokens', (it) => transcriptSpanTool({ store, threadId: 't', maxTokens: it }), 'at least 100'],
  ['limit', (it) => memoryTranscripts({ limit: it }), 'at least 1'],
])('%s', async (name, use, wanted) => {
  const misuse = async (it: unknown) => use(it as never);
  for (const [it, shown] of [
    ['fast', '"fast"'],
    [Object.create(null), 'an object'],
    [Symbol('it'), 'a symbol'],
  ]) {
    await expect(misuse(it)).rejects.toMatchObject({ message: `${name} must be ${wanted}, not ${shown}` });
  }
});

test.each([
  [null, 'null'],
  [undefined, 'undefined'],
  [-0.5, '-0.5'],
  [true, 'true'],
  [[], 'a list'],
  [Object.create(null), 'an object'],
  [() => {}, 'a function'],
  [1n, 'a bigint'],
  ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
])('%s is shown', (value, shown) => {
  expect(spelled(value)).toBe(shown);
});

test.each<[string, (it: never) => unknown]>([
  ["an agent's definition", (it) => defineAgent(it)],
  ['delegate', (it) => delegate(agent, undefined, it)],
  ['delegateAll', (it) => delegateAll([], it)],
  ['seal', (it) => resumeSeal(it)],
  ['an envelope', (it) => resumeTokenOf(it)],
  ['what the parent did later', (it) => slotUse('', it)],
  ['the added fields', (it) => extendResearchResult(it)],
  ['the options of transcriptSpanTool', (it) => transcriptSpanTool(it)],
  ['the options of resolveRouterPick', (it) => resolveRouterPick('main', it)],
  ['the options of createCardStore', (it) => createCardStore(it)],
  ['an agent of the store', (it) => createCardStore({ agents: [it] })],
  ['an answer', (it) => createCardStore().answer(it)],
  ['answers[0]', (it) => markSettled({}, { id: 'a', error: 'e' }, [it])],
  ['a connection', (it) => withSubagentCards(it, createCardStore())],
  ['the options of chatWithSubagents', (it) => chatWithSubagents(it)[Symbol.asyncIterator]().next()],
])('%s is an object', async (what, use) => {
  const misuse = async (it: unknown) => use(it as never);
  await expect(misuse(null)).rejects.toThrow(new TypeError(`${what} must be an object, not null`));
  await expect(misuse('fast')).rejects.toThrow(new TypeError(`${what} must be an object, not "fast"`));
});

test.each<[string, (it: never) => unknown]>([
  ['answers', (it) => markSettled({}, { id: 'a', error: 'e' }, it)],
  ['agents', (it) => createCardStore({ agents: it })],
  ['messages', (it) => createCardStore().fromMessages(it)],
])('%s is a list', (what, use) => {
  expect(() => use(null as never)).toThrow(new TypeError(`${what} must be a list, not null`));
  expect(() => use({} as never)).toThrow(new TypeError(`${what} must be a list, not an object`));
});

test('events are an async iterable', () => {
  expect(() => toSubagentResponse(null as never)).toThrow(new TypeError('events must be an async iterable, not null'));
  expect(() => toSubagentResponse([] as never)).toThrow(new TypeError('events must be an async iterable, not a list'));
});

test('an option of a delegation that does not exist is refused, not ignored', () => {
  const misspelt = { abortsignal: AbortSignal.abort() } as object;
  expect(() => delegate(agent, undefined, misspelt)).toThrow('delegate has an unknown field "abortsignal"');
  expect(() => delegateAll([], misspelt)).toThrow('delegateAll has an unknown field "abortsignal"');
  expect(() => delegateAll([], { finalSchema: true } as object)).toThrow(
    'delegateAll has an unknown field "finalSchema"',
  );
});

test.each([
  [{ threadId: 5 }, 'threadId must be a string, not 5'],
  [{ parentRunId: null }, 'parentRunId must be a string, not null'],
  [{ subagentRunId: Symbol('s') }, 'subagentRunId must be a string, not a symbol'],
  [{ onEvent: 5 }, 'onEvent must be a function, not 5'],
  [{ now: new Date() }, 'now must be a function, not an object'],
  [{ earlyReject: 'no' }, 'earlyReject must be a boolean, not "no"'],
  [{ abortSignal: 'stop' }, 'abortSignal must be an AbortSignal'],
  [{ transcripts: null }, 'transcripts must be an object, not null'],
  [{ resume: 'token' }, 'resume must be an object, not "token"'],
])('an option of another kind: %o', (options, message) => {
  expect(() => delegate(agent, undefined, options as never)).toThrow(new TypeError(message));
});

test('an option of another kind, of several children', () => {
  expect(() => delegateAll([], { threadId: 5 } as never)).toThrow(new TypeError('threadId must be a string, not 5'));
  expect(() => delegateAll([], { threadId: undefined } as never)).not.toThrow();
});

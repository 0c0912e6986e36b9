// What cannot be written as a string is still told from what an option may be.
import {
  compileContract,
  defineAgent,
  delegate,
  delegateAll,
  delegateTaskTool,
  memoryResumeStore,
  memoryTranscripts,
  readReturn,
  renderForParent,
  resolveRouterPick,
  resumeSeal,
  transcriptSpanTool,
} from 'subcontract';
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

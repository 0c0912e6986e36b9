// The program that every runtime runs: what it returns must not depend on where it ran.
import { watchCores } from './watch.mjs';

/** What lives in the cores of this program. */
export const watch = watchCores();

const person = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'person',
  type: 'object',
  required: ['city'],
  properties: { city: { type: 'string', pattern: '^[A-Z]' }, id: { type: 'integer' } },
  additionalProperties: false,
};
const prices = {
  title: 'prices',
  type: 'object',
  required: ['plans', 'unresolved'],
  properties: {
    plans: { type: 'array', items: { type: 'string' }, 'x-merge': 'union' },
    unresolved: { type: 'array', items: { type: 'string' }, 'x-merge': 'union' },
  },
};
const state = {
  id: 'suspension-1',
  brief_text: '{"task":"x"}',
  brief_digest: null,
  agent: 'pricing',
  contract: { source: 'none' },
  thread_id: 't1',
  tool_call_id: 'c1',
  subagent_run_id: 's1',
  attempts_used: [],
  interrupts: [{ id: 'i1', reason: 'approval' }],
  messages: [],
};

/**
 * What needs no time and no randomness, so that a Worker can run it at module scope: compile, check, stream, seal, merge, render.
 * @param {import('subcontract')} subcontract
 */
export function judge({ compileContract, mergeResults, openResume, renderForParent, SchemaError, sealResume }) {
  const contract = compileContract(person);
  const stream = contract.stream();
  const statuses = ['{"city":"W', 'ien","id":', '1,"x"', ':'].map((delta) => stream.push(delta));
  const keys = [{ id: 'k', secret: new Uint8Array(32).fill(7) }];
  const expect = { threadId: 't1', toolCallId: 'c1', subagent: 'pricing', brief: '{ "task": "x" }' };
  const token = sealResume(state, { keys, now: 1000, ttl: 1000 });
  const merged = mergeResults(prices, [
    { id: 'a', result: { plans: ['Team', 'Scale'], unresolved: ['Is there a minimum?'] } },
    { id: 'b', result: { plans: ['Scale'], unresolved: [] } },
  ]);
  const outcome = {
    digest: contract.digest,
    accepted: contract.check('{"city":"Wien","id":9007199254740993}'),
    bytes: contract.check(new TextEncoder().encode('{"city":"Ürümqi"}')).code,
    refused: contract.check('{"city":"wien"}'),
    truncated: contract.check('{"city":').code,
    schemaError: codeOf(() => compileContract({ type: 'nonsense' }), SchemaError),
    streamed: { statuses, snapshot: stream.snapshot(), rejectedAt: stream.rejectedAt, code: stream.end().code },
    mac: token.split('.').pop(),
    opened: openResume(token, { keys, now: 1500, expect }).expires_at,
    forged: codeOf(() => openResume(`${token.slice(0, -2)}AA`, { keys, now: 1500, expect })),
    merged: merged.merged,
    rendered: renderForParent(merged, { maxTokens: 200 }).text,
  };
  stream.free();
  contract.free();
  return outcome;
}

/**
 * The whole program: also a delegation whose first return is refused, what follows a trap, and that nothing leaks.
 * @param {import('subcontract')} subcontract
 * @param {number} [rounds]  of what may leak
 */
export async function program(subcontract, rounds = 150) {
  return {
    judged: judge(subcontract),
    delegated: await delegated(subcontract),
    trap: afterTrap(subcontract),
    leaks: leaks(subcontract, rounds),
    withoutRegistry: withoutRegistry(() => ({ trap: afterTrap(subcontract), leaks: leaks(subcontract, rounds) })),
  };
}

/** @param {import('subcontract')} subcontract */
async function delegated({ defineAgent, delegate }) {
  const agent = defineAgent({
    name: 'locator',
    description: 'Finds where somebody lives.',
    inputSchema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    outputSchema: person,
    maxRetries: 1,
    run: ({ attempt, input }) => JSON.stringify({ city: attempt === 1 ? input.name : 'Wien' }),
  });
  const delegation = delegate(agent, { name: 'ada' }, { subagentRunId: 's1' });
  const events = [];
  for await (const event of delegation) events.push(event.type);
  const { status, final_result, attempts } = await delegation.envelope;
  const refused = await delegate(agent, { name: 1 }).envelope;
  return {
    events,
    status,
    final_result,
    codes: attempts.map(({ code }) => code ?? null),
    refused: refused.error?.code,
  };
}

/**
 * A contract and a half read stream live on when the instance that they were in has trapped.
 * @param {import('subcontract')} subcontract
 */
function afterTrap({ compileContract }) {
  const contract = compileContract(person);
  const stream = contract.stream();
  stream.push('{"city":');
  const { instances } = watch;
  watch.trapNext = true;
  const code = codeOf(() => contract.check('{"city":"Wien"}'));
  const outcome = {
    code,
    fresh: watch.instances - instances,
    accepted: contract.check('{"city":"Wien"}').ok,
    streamed: [stream.push('"Wien"}'), stream.end().ok],
  };
  stream.free();
  contract.free();
  return outcome;
}

/**
 * What is left in the core of many contracts and streams that were freed, and whether its memory grew after the first ones.
 * @param {import('subcontract')} subcontract
 * @param {number} rounds
 */
function leaks({ compileContract, mergeResults, strictResearchResult }, rounds) {
  const round = () => {
    const contract = compileContract(strictResearchResult);
    const stream = contract.stream();
    contract.check('{"findings":');
    stream.push('{"findings":[');
    stream.snapshot();
    stream.free();
    contract.free();
    mergeResults(prices, [{ id: 'a', result: { plans: [], unresolved: [] } }]);
    codeOf(() => compileContract({ type: 'nonsense' }));
  };
  const handles = watch.handles;
  for (let i = 0; i < rounds / 10; i++) round();
  const memory = watch.memory;
  for (let i = 0; i < rounds; i++) round();
  return { handles: watch.handles - handles, grown: watch.memory - memory };
}

/**
 * Runs something as in a runtime that has no `FinalizationRegistry`.
 * @template T
 * @param {() => T} run
 */
function withoutRegistry(run) {
  const { FinalizationRegistry: registry } = globalThis;
  globalThis.FinalizationRegistry = undefined;
  try {
    return run();
  } finally {
    globalThis.FinalizationRegistry = registry;
  }
}

/** @param {() => unknown} run @param {Function} [kind] */
function codeOf(run, kind) {
  try {
    run();
    return 'no error';
  } catch (error) {
    return kind && !(error instanceof kind) ? String(error) : (error.code ?? String(error));
  }
}

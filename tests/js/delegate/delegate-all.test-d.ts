// What the types of several delegations say.
import {
  type AgentContext,
  type Delegations,
  defineAgent,
  delegate,
  delegateAll,
  type ResultEnvelope,
} from 'subcontract';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const pricer = defineAgent({
  name: 'pricer',
  description: 'd',
  outputSchema: z.object({ price: z.number() }),
  run: () => '',
});
const prose = defineAgent({ name: 'prose', description: 'd', run: () => '' });

test('each envelope has the result of its call, in call order', async () => {
  const children = delegateAll([{ agent: pricer }, { agent: prose }, { agent: pricer, finalSchema: {} }]);
  const [priced, said, other] = await children.envelopes;
  expectTypeOf(priced).toEqualTypeOf<ResultEnvelope<{ price: number }>>();
  expectTypeOf(said).toEqualTypeOf(await delegate(prose).envelope);
  expectTypeOf(other).toEqualTypeOf<ResultEnvelope<unknown>>();
  expectTypeOf(children.children[0].envelope).toEqualTypeOf<Promise<ResultEnvelope<{ price: number }>>>();
  expectTypeOf(await children.orThrow()).toEqualTypeOf(await children.envelopes);
});

test('of calls that are not known one by one, all have the same type', async () => {
  const children = delegateAll(['a', 'b'].map((task) => ({ agent: pricer, brief: { task } })));
  expectTypeOf(await children.envelopes).toEqualTypeOf<ResultEnvelope<{ price: number }>[]>();
  expectTypeOf(children).toExtend<Pick<Delegations, 'envelopeTexts'>>();
});

test("a child's context is a parent's, and so is what holds its ids and its signal", () => {
  const run = (ctx: AgentContext) => {
    delegate(pricer, {}, { parent: ctx });
    delegateAll([{ agent: pricer }], { parent: ctx, limits: { maxCalls: 3 } });
    const { abortSignal, threadId, runId, subagentRunId } = ctx;
    delegate(pricer, {}, { parent: { abortSignal, threadId, runId, subagentRunId } });
    // @ts-expect-error: without ids it is nobody.
    delegate(pricer, {}, { parent: {} });
    // @ts-expect-error: there is no such limit.
    delegate(pricer, {}, { limits: { maxChildren: 3 } });
  };
  expectTypeOf(run).toBeFunction();
});

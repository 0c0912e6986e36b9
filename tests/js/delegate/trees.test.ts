// Trees of children, made at random: whatever they do and however they are read, each is in one envelope, and nothing stays open.
import fc from 'fast-check';
import { type AgentContext, defineAgent, delegateAll, delegationTree, type SubcontractAgent } from 'subcontract';
import type { AGUIEvent } from 'subcontract/ag-ui';
import { expect, test } from 'vitest';
import { countHandles } from './handles.js';
import { soon, verified } from './strict-client.js';

const pause = (ms = 0) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const never = () => new Promise<never>(() => {});

const contract = {
  title: 'price',
  type: 'object',
  properties: { price: { type: 'integer' } },
  required: ['price'],
} as const;

type Does = (ctx: AgentContext) => AsyncGenerator<unknown>;

const returning = (args: string): Does =>
  async function* (ctx) {
    const { returnTool } = ctx;
    yield { type: 'TOOL_CALL_START', toolCallId: 'r', toolCallName: returnTool?.name };
    yield { type: 'TOOL_CALL_ARGS', toolCallId: 'r', delta: args.slice(0, 5) };
    yield { type: 'TOOL_CALL_ARGS', toolCallId: 'r', delta: args.slice(5) };
    yield { type: 'TOOL_CALL_END', toolCallId: 'r' };
    const content = await returnTool?.execute(JSON.parse(args), { toolCallId: 'r' });
    yield { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'r', content };
  };

/** What a child does after its own children. */
const ends: Record<string, Does> = {
  'says a word': async function* () {
    yield 'word';
  },
  returns: returning('{"price":1}'),
  'returns what is refused': returning('{"price":"high"}'),
  // biome-ignore lint/correctness/useYield: it ends before its first event.
  throws: async function* () {
    throw new Error('no luck');
  },
  'throws amid a message': async function* () {
    yield 'half';
    throw new Error('no luck');
  },
  'hangs until it is told to stop': async function* ({ abortSignal }) {
    yield 'wait';
    if (!abortSignal.aborted) await new Promise((resolve) => abortSignal.addEventListener('abort', resolve));
  },
  'hangs for good': async function* () {
    yield 'wait';
    await never();
  },
  'never stops sending': async function* () {
    for (;;) {
      await pause();
      yield { type: 'CUSTOM', name: 'test.tick', value: 1 };
    }
  },
  suspends: async function* () {
    const interrupts = [{ id: 'i', reason: 'approval' }];
    yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts } };
  },
};

interface Node {
  ends: string;
  children: Node[];
  order: 'parallel' | 'sequence';
  /** How it reads its children. */
  reads: 'forwards' | 'asks' | 'leaves' | 'stops reading' | 'ignores';
  afterFailure: 'continue' | 'stop';
  /** The tree that its children stand in besides those around it. */
  limits: 'none' | 'own' | 'shared';
}

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record({
    ends: fc.constantFrom(...Object.keys(ends)),
    children: fc.oneof({ maxDepth: 3 }, fc.constant<Node[]>([]), fc.array(tie('node'), { maxLength: 3 })),
    order: fc.constantFrom('parallel', 'sequence'),
    reads: fc.constantFrom('forwards', 'asks', 'leaves', 'stops reading', 'ignores'),
    afterFailure: fc.constantFrom('continue', 'stop'),
    limits: fc.constantFrom('none', 'own', 'shared'),
  }),
}));

/** All children of one run of the property, and how many of them are accounted for. */
class Forest {
  readonly shared = delegationTree({ maxConcurrent: 1 });
  waiting = 0;

  agent(plan: Node): SubcontractAgent {
    const run = (ctx: AgentContext) => this.#run(plan, ctx);
    return defineAgent({ name: 'a', description: 'd', maxRetries: 1, run: run as never }) as SubcontractAgent;
  }

  call(plan: Node) {
    return { agent: this.agent(plan), ...(plan.ends.startsWith('returns') && { finalSchema: { ...contract } }) };
  }

  async *#run(plan: Node, ctx: AgentContext): AsyncGenerator<unknown> {
    if (plan.children.length > 0) yield* this.#delegate(plan, ctx);
    yield* ends[plan.ends]?.(ctx) ?? [];
  }

  async *#delegate({ children: plans, order, reads, afterFailure, limits }: Node, ctx: AgentContext) {
    const trees = { none: undefined, own: { maxConcurrent: 1 }, shared: this.shared };
    const own = trees[limits] && { limits: trees[limits] };
    const calls = plans.map((plan) => this.call(plan));
    const children = delegateAll(calls, { parent: ctx, order, afterFailure, seal: 'none', ...own });
    const asked = () => {
      this.waiting += 1;
      return children.envelopes.then(() => {
        this.waiting -= 1;
      });
    };
    if (reads === 'asks') return void (await asked());
    if (reads === 'ignores') return void asked();
    const events = children[Symbol.asyncIterator]();
    for (let count = 0; ; count += 1) {
      if (reads === 'leaves' && count === 3) await events.return?.();
      if (reads === 'stops reading' && count === 3) break;
      const next = await events.next();
      if (next.done) break;
      if (reads === 'forwards') yield next.value;
    }
    void asked();
  }
}

test('each child is in one envelope, in call order, the stream is one that clients take, and nothing stays open', async () => {
  const roots = fc.array(node, { minLength: 1, maxLength: 3 });
  const order = fc.constantFrom('parallel' as const, 'sequence' as const);
  const how = fc.constantFrom('reads', 'asks', 'leaves', 'stops reading', 'aborts');
  await fc.assert(
    fc.asyncProperty(
      roots,
      order,
      fc.integer({ min: 1, max: 3 }),
      how,
      fc.integer({ min: 1, max: 12 }),
      async (plans, order, maxConcurrent, how, at) => {
        const handles = countHandles();
        const forest = new Forest();
        // The one clock of the test: what hangs, or is not read on, is ended by it.
        const limits = delegationTree({ maxConcurrent, timeoutMs: 40 });
        const controller = new AbortController();
        const calls = plans.map((plan) => forest.call(plan));
        const options = { threadId: 't', seal: 'none', order, limits, abortSignal: controller.signal } as const;
        const children = delegateAll(calls, options);
        const events: AGUIEvent[] = [];
        let whole = false;
        const read = async () => {
          const iterator = children[Symbol.asyncIterator]();
          for (let count = 0; ; count += 1) {
            if (how === 'leaves' && count === at) return void (await iterator.return?.());
            if (how === 'stops reading' && count === at) return;
            if (how === 'aborts' && count === at) controller.abort();
            const next = await iterator.next();
            if (next.done) break;
            events.push(next.value);
          }
          whole = true;
        };
        if (how !== 'asks') await soon(read());
        const envelopes = await soon(children.envelopes);
        expect(envelopes.map(({ run_id }) => run_id)).toEqual(children.children.map((child) => child.subagentRunId));
        expect(envelopes.filter(({ error }) => error?.code === 'internal_error')).toEqual([]);
        const interrupts = envelopes.flatMap(({ resume }) => resume?.interrupts ?? []);
        if (whole) await verified(events, interrupts);
        const open = () => ({
          ...handles.open,
          running: limits.used.running + forest.shared.used.running,
          waiting: forest.waiting,
        });
        await expect.poll(open, { interval: 5 }).toEqual({ contracts: 0, streams: 0, running: 0, waiting: 0 });
        handles.stop();
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

// What `chatWithSubagents` takes, and the refusal of what it does not do.
import type { AnyTextAdapter } from '@tanstack/ai';
import type { TextActivityOptions } from '@tanstack/ai/adapters';
import type { AgentContext } from '../child/context.js';
import type { SubcontractAgent } from '../define-agent.js';
import { delegationTree, type Limits } from '../limits.js';
import { assertFields, assertObject, assertOneOf } from '../misuse.js';
import type { DelegationObserver } from '../observe.js';
import { assertPresent, type Present } from '../present.js';
import { type Seal, sealOf } from '../resume-seal.js';
import type { Order } from '../router-picks.js';
import type { TranscriptKeeping } from '../transcript.js';
import { isRecord } from '../wire.js';
import type { Router } from './router.js';

/** The children of a chat, and how they are run. */
export interface SubagentsOptions {
  /** The agents the parent's model may delegate to; each becomes one tool, unless `delegateTask` says otherwise. */
  agents: readonly SubcontractAgent[];
  /**
   * Gives the parent's model the one tool `delegate_task(subagent, task | input, final_schema?)` instead, which suits a
   * parent with many agents. `maxAgents` says how many children this run may start. Default: one tool for each agent.
   */
  delegateTask?: boolean | { maxAgents?: number };
  /**
   * Says who takes a turn: `'main'` for the parent's model, else agents, each with its brief. It is asked once for each
   * message of the user's; every input is checked before a child starts, and a pick that cannot be followed ends the run with
   * its code. With a router the parent's model has no tool that delegates.
   */
  router?: Router;
  /**
   * Who answers a turn that the router has given to children: they alone (`'exclusive'`), or after them the parent's model,
   * which reads what they came to (`'handoff'`). Default: `'exclusive'`.
   */
  strategy?: 'exclusive' | 'handoff';
  /**
   * Which children run together: the delegating calls of one turn, or those of a router's list that does not say its own order.
   * In a `'sequence'` one starts when the one before it has ended; of a router's, it also reads what that came to. Default:
   * `'parallel'`.
   */
  order?: Order;
  /**
   * Limits of the whole tree of children. What one forbids is a result that the parent's model can read; what goes beyond
   * `maxConcurrent` waits.
   */
  limits?: Limits;
  /** For a child that delegates itself: its `ctx`. Its children stand in its place in the tree, under the limits above it. */
  parent?: AgentContext;
  /** Hears of the children: typed events without any payload. */
  onEvent?: DelegationObserver;
  /** How the parent's model reads the envelopes of its children. Default: `'json'`. */
  present?: Present;
  /**
   * Keeps what each child did, under the run's `threadId`: give the parent's model `transcriptSpanTool({ store, threadId })` to
   * read spans of it. The envelope names the handle as `transcript_ref`.
   */
  transcripts?: TranscriptKeeping;
  /**
   * How the state of a suspended child is protected on its way through the client: keys to seal it with, and a store where
   * it should not pass through the client at all. `'none'`: it is not protected; whoever holds the messages can read and
   * change it. Required, so that nobody is unsealed by accident.
   */
  seal: Seal;
}

/** `chat()`'s own options, for a streamed chat, with the children. */
export type ChatWithSubagentsOptions<A extends AnyTextAdapter = AnyTextAdapter> = Omit<
  TextActivityOptions<A, undefined, true>,
  'outputSchema' | 'stream'
> & { subagents: SubagentsOptions };

/**
 * Throws a `TypeError` that names the first option this version would have to ignore.
 *
 * The types say the same; plain JavaScript and spread objects get here.
 */
export function refuseUnsupported(options: ChatWithSubagentsOptions): void {
  assertObject('the options of chatWithSubagents', options);
  const { subagents } = options;
  if (!isRecord(subagents)) {
    refuse('pass subagents: { agents, seal }; without children, call chat() itself');
  }
  if (subagents.seal === undefined) {
    refuse("say how suspended children are protected: subagents.seal is required, { keys } or 'none'");
  }
  sealOf(subagents.seal);
  assertPresent(subagents.present);
  if (!Array.isArray(subagents.agents)) refuse('subagents.agents must be a list of agents');
  assertFields(subagents, 'subagents', FIELDS);
  const { router, order = 'parallel', strategy, delegateTask } = subagents;
  assertOneOf('subagents.order', order, ['parallel', 'sequence']);
  assertOneOf('subagents.strategy', strategy ?? 'exclusive', ['exclusive', 'handoff']);
  delegationTree(subagents.limits);
  if (router === undefined) {
    if (strategy !== undefined)
      refuse('subagents.strategy is for turns that a router gives away: pass a router as well');
  } else if (typeof router !== 'function') {
    refuse('subagents.router must be a function');
  } else if (delegateTask) {
    refuse('subagents.delegateTask is for a model that delegates, and with a router it does not: pass one of them');
  }
  const other = options as { outputSchema?: unknown; stream?: unknown; subagents: unknown };
  if (other.outputSchema !== undefined) {
    refuse('outputSchema belongs to the agents: the parent of subagents answers in text');
  }
  if (other.stream === false) refuse('stream: false is not there: read the stream, or use delegate()');
  const delegating = subagents.delegateTask ? ['delegate_task'] : subagents.agents.map(({ name }) => name);
  for (const { name } of options.tools ?? []) {
    if (delegating.includes(name)) refuse(`the parent's tool "${name}" has the name of a tool that delegates`);
  }
}

const FIELDS: readonly string[] = [
  'agents',
  'seal',
  'delegateTask',
  'router',
  'strategy',
  'order',
  'limits',
  'parent',
  'onEvent',
  'present',
  'transcripts',
] satisfies (keyof SubagentsOptions)[];

function refuse(sentence: string): never {
  throw new TypeError(sentence);
}

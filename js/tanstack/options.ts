// What `chatWithSubagents` takes, and the refusal of what it does not do.
import type { AnyTextAdapter } from '@tanstack/ai';
import type { TextActivityOptions } from '@tanstack/ai/adapters';
import type { SubcontractAgent } from '../define-agent.js';
import type { DelegationObserver } from '../observe.js';
import { assertPresent, type Present } from '../present.js';
import { type Seal, sealOf } from '../resume-seal.js';
import type { TranscriptKeeping } from '../transcript.js';

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
   * How the delegating calls of one turn are carried out: `'parallel'` starts their children together, `'sequence'` one
   * after another. Default: `'parallel'`.
   */
  order?: 'parallel' | 'sequence';
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
  const { subagents } = options;
  if (typeof subagents !== 'object' || subagents === null) {
    refuse('pass subagents: { agents, seal }; without children, call chat() itself');
  }
  if (subagents.seal === undefined) {
    refuse("say how suspended children are protected: subagents.seal is required, { keys } or 'none'");
  }
  sealOf(subagents.seal);
  assertPresent(subagents.present);
  if (!Array.isArray(subagents.agents)) refuse('subagents.agents must be a list of agents');
  const { order } = subagents;
  if (order !== undefined && order !== 'parallel' && order !== 'sequence') {
    refuse("subagents.order must be 'parallel' or 'sequence'");
  }
  for (const key of Object.keys(subagents)) {
    if (!['agents', 'seal', 'delegateTask', 'order', 'onEvent', 'present', 'transcripts'].includes(key)) {
      refuse(`subagents.${key} is not there yet: children are called as tools, one after another`);
    }
  }
  const other = options as { outputSchema?: unknown; stream?: unknown; subagents: unknown };
  if (other.outputSchema !== undefined) {
    refuse('outputSchema belongs to the agents: the parent of subagents answers in text');
  }
  if (other.stream === false) refuse('stream: false is not there: read the stream, or use delegate()');
  refuseTwins(subagents.agents);
  const delegating = subagents.delegateTask ? ['delegate_task'] : subagents.agents.map(({ name }) => name);
  for (const { name } of options.tools ?? []) {
    if (delegating.includes(name)) refuse(`the parent's tool "${name}" has the name of a tool that delegates`);
  }
}

function refuseTwins(agents: readonly SubcontractAgent[]): void {
  const names = new Set<string>();
  for (const { name } of agents) {
    if (names.has(name)) refuse(`two agents are named "${name}": the parent could not tell them apart`);
    names.add(name);
  }
}

function refuse(sentence: string): never {
  throw new TypeError(sentence);
}

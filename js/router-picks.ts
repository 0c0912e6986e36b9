// Router picks: whom a router picked, resolved to steps of children, with every input checked before anything starts.
import { acceptBrief, RefusedBrief } from './brief.js';
import { type PickedStep, resolvePick } from './core.js';
import type { SubcontractAgent } from './define-agent.js';
import { RouterPickError } from './errors.js';
import { toJsonText } from './json-text.js';
import { assertOneOf } from './misuse.js';
import { agentsByName, readOwnCall } from './task-call.js';

/** How children run that belong together: all at once, or each when the one before it has ended. */
export type Order = 'parallel' | 'sequence';

/** An agent by name; one with an `inputSchema` needs its `input`, and no other takes one. */
export type AgentPick = string | { name: string; input?: unknown };

/** Children that belong together. The `input` of a list goes to those in it that take one and have none of their own. */
export type RouterStep =
  | AgentPick
  | readonly AgentPick[]
  | { names: AgentPick | readonly AgentPick[]; order?: Order; input?: unknown };

/** What a router may answer: `'main'` lets the parent answer itself; each of `steps` starts when the one before it has ended. */
export type RouterPick = 'main' | RouterStep | { steps: readonly RouterStep[] };

/** A child that was picked. */
export interface PlannedChild {
  agent: SubcontractAgent;
  /** The exact JSON text of its brief, which satisfies the agent's `inputSchema`; absent for an agent without one. */
  brief?: string;
}

/** Children that belong together. An agent may be among them twice, each time with a brief of its own. */
export interface PlannedStep {
  order: Order;
  children: PlannedChild[];
}

/** A pick that can be followed: its steps run one after another; there are none for `'main'`. */
export interface RouterPlan {
  steps: PlannedStep[];
}

/** Who can be picked. */
export interface RouterPickOptions {
  agents: readonly SubcontractAgent[];
  /** The order of a list that does not say its own. Default `parallel`. */
  order?: Order;
}

/**
 * Resolves what a router answered, be it a function's or a model's, and checks every input by its agent's `inputSchema`.
 *
 * Throws a `RouterPickError` that says what is wrong and where: `pick_invalid`, `pick_empty`, `pick_unknown_agent`,
 * `pick_unknown_field`, `pick_unknown_order`, `pick_main_among_agents`, `pick_input_missing`, `pick_input_not_taken`, or
 * `pick_input_rejected` with the issues of the input. Throws a `TypeError` for agents that `defineAgent` did not make, and for
 * two of one name.
 *
 * # Example: two inputs for one agent, then another agent
 * ```ts
 * const { steps } = await resolveRouterPick(
 *   { steps: [[{ name: 'pricer', input: { vendor: 'A' } }, { name: 'pricer', input: { vendor: 'B' } }], 'writer'] },
 *   { agents: [pricer, writer] },
 * );
 * ```
 */
export async function resolveRouterPick(pick: unknown, options: RouterPickOptions): Promise<RouterPlan> {
  const { agents, order = 'parallel' } = options;
  assertOneOf('order', order, ['parallel', 'sequence']);
  const byName = agentsByName(agents);
  const steps: PlannedStep[] = [];
  for (const step of namedSteps(pick, agents, order)) {
    const children: PlannedChild[] = [];
    for (const { name, input } of step.children) {
      const agent = byName.get(name) as SubcontractAgent;
      if (input !== undefined) await check(agent, input);
      children.push({ agent, ...(input !== undefined && { brief: input }) });
    }
    steps.push({ order: step.order, children });
  }
  return { steps };
}

function namedSteps(pick: unknown, agents: readonly SubcontractAgent[], order: Order): PickedStep[] {
  const json = toJsonText(pick ?? null);
  if (!json.ok) throw refused('pick_invalid', json.instancePath, json.message);
  const known = agents.map(({ name, inputContract }) => ({ name, takesInput: inputContract !== undefined }));
  const resolved = resolvePick(json.text, known, order);
  if ('steps' in resolved) return resolved.steps;
  throw refused(resolved.code, resolved.pointer, resolved.message);
}

function refused(code: string, instancePath: string, message: string): RouterPickError {
  const place = instancePath === '' ? '' : ` at ${instancePath}`;
  const issue = { instancePath, schemaPath: '', keyword: code, params: {}, message };
  return new RouterPickError(`the router's pick${place}: ${message}`, { code, issues: [issue] });
}

async function check(agent: SubcontractAgent, input: string): Promise<void> {
  try {
    // A contract that the input gives beside the brief is none of the brief's.
    await acceptBrief(agent, readOwnCall(agent, input).brief);
  } catch (error) {
    if (!(error instanceof RefusedBrief)) throw error;
    const { issues, message } = error;
    throw new RouterPickError(`the router's pick: ${message}`, { code: 'pick_input_rejected', issues, cause: error });
  }
}

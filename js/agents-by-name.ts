// Agents by the names that a model, or a router, calls them by.
import { isAgent, type SubcontractAgent } from './define-agent.js';

/** The agents of a parent. Throws a `TypeError` for what `defineAgent` did not make, and for two of one name. */
export function agentsByName(agents: readonly SubcontractAgent[], user: string): Map<string, SubcontractAgent> {
  if (!Array.isArray(agents)) throw new TypeError(`${user} needs a list of agents`);
  const byName = new Map<string, SubcontractAgent>();
  for (const agent of agents as readonly SubcontractAgent[]) {
    if (!isAgent(agent)) throw new TypeError(`${user} needs agents made by defineAgent`);
    if (byName.has(agent.name)) {
      throw new TypeError(`two agents are named "${agent.name}": nobody could tell them apart`);
    }
    byName.set(agent.name, agent);
  }
  return byName;
}

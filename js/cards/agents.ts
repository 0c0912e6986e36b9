// The agents that a page knows, with their contracts: what returns are judged by in the page.
import { type Contract, compileContract } from '../contract.js';
import type { ContractHandle } from '../contract-handle.js';
import type { ReadonlyJson } from '../core.js';
import { assertList, assertObject } from '../misuse.js';
import type { AgentSchema } from '../schema.js';

/**
 * What a page knows of an agent. A `SubcontractAgent` fits, but its `run` belongs on the server: put the schemas in a module
 * that both sides import.
 */
export interface CardAgent {
  name: string;
  /** Its contract. Without it returns are shown as they come and not judged. */
  outputSchema?: AgentSchema | undefined;
  /** As the agent has it. Default: 2. */
  maxRetries?: number | undefined;
  /** Whether calls of it may bring their own contract. */
  allowFinalSchema?: boolean | undefined;
}

/** A contract, with what the page needs to read a child's calls by it. */
export interface CardContract {
  readonly contract: Contract;
  readonly schema: ReadonlyJson;
  /** The name of the return tool. */
  readonly returnTool: string;
  /** What judges the arguments of the return tool. */
  readonly handle: ContractHandle;
  /** Whether those are `{ result: … }`. */
  readonly wrapped: boolean;
}

const MAX_RETRIES = 2;

/** The agents of a store. Throws a `SchemaError` when a contract does not compile. */
export class KnownAgents {
  readonly #agents = new Map<string, { agent: CardAgent; contract: CardContract | undefined }>();

  constructor(agents: readonly CardAgent[]) {
    assertList('agents', agents);
    for (const agent of agents) {
      assertObject('an agent of the store', agent);
      const { name, outputSchema } = agent;
      const contract = outputSchema === undefined ? undefined : readable(compileContract(outputSchema));
      this.#agents.set(name, { agent, contract });
    }
  }

  get(name: string): CardAgent | undefined {
    return this.#agents.get(name)?.agent;
  }

  contractOf(name: string): CardContract | undefined {
    return this.#agents.get(name)?.contract;
  }

  maxAttempts(name: string): number | undefined {
    const agent = this.get(name);
    return agent && 1 + (agent.maxRetries ?? MAX_RETRIES);
  }
}

/** The contract that a call brought along, which a model wrote; absent when it does not compile, and no child starts by it. */
export function contractOfCall(schema: unknown): CardContract | undefined {
  try {
    return readable(compileContract(schema as object, { trust: 'model' }));
  } catch {
    return undefined;
  }
}

function readable(contract: Contract): CardContract {
  const { name, wrapped } = contract.handle.returnTool();
  return {
    contract,
    schema: contract.jsonSchema,
    returnTool: name,
    handle: (wrapped ? contract.handle.wrapped() : undefined) ?? contract.handle,
    wrapped,
  };
}

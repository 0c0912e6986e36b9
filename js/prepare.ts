// Before a child starts: its brief, the contract that holds, and, when it was suspended, where it goes on.

import type { ResumeEntry } from './ag-ui/events.js';
import { acceptBrief, type Brief, briefText, keptText } from './brief.js';
import { History } from './child/history.js';
import { type Contract, compileContract, isContract } from './contract.js';
import { chooseContract, openResumeState } from './core.js';
import type { AgentSchema, SubcontractAgent } from './define-agent.js';
import type { DelegateOptions } from './delegate.js';
import type { ContractRef } from './envelope.js';
import { ResumeError } from './errors.js';
import { Gate } from './gate.js';
import { wellFormedJson } from './json-text.js';
import { checkAnswers, type ResumeState } from './resume.js';

/** A delegation that may start. */
export interface Prepared {
  brief: Brief;
  /** Absent in prose mode. */
  gate: Gate | undefined;
  history: History;
  /** The answers to the child's interrupts, when it was suspended. */
  resume: ResumeEntry[] | undefined;
}

/** The contract of a delegation. */
export interface Chosen {
  ref: ContractRef;
  contract: Contract | undefined;
  /** The contract's text, when it came with the call and is known nowhere else. */
  schemaText: string | undefined;
}

/**
 * The contract that holds: an explicit `finalSchema` over the agent's `outputSchema`.
 *
 * A compiled `Contract` is the application's own. Anything else is taken as a model's: what does not keep to a model's
 * limits is refused, and the child does not start. A resumed child keeps the contract of its call.
 */
export function chooseContractFor(agent: SubcontractAgent, options: DelegateOptions): Chosen {
  const { finalSchema = options.resume?.state?.contract?.schema_text } = options;
  const { outputContract } = agent;
  const source = chooseContract({
    finalSchema: finalSchema !== undefined,
    outputSchema: outputContract !== undefined,
  });
  if (source !== 'final_schema') return chosen(source, outputContract);
  if (isContract(finalSchema)) return chosen(source, finalSchema);
  const contract = compileContract(finalSchema as AgentSchema, { trust: 'model' });
  return chosen(source, contract, contract.schemaText);
}

function chosen(source: ContractRef['source'], contract: Contract | undefined, schemaText?: string): Chosen {
  return { ref: { source, ...(contract && { digest: contract.digest }) }, contract, schemaText };
}

/** Checks everything that can be checked before the child starts. Throws the error that says what is wrong. */
export async function prepare(
  agent: SubcontractAgent,
  contract: Contract | undefined,
  brief: unknown,
  options: DelegateOptions,
): Promise<Prepared> {
  const text = briefText(agent.name, brief);
  const state = options.resume && openState(agent, contract, text, options.resume.state, options);
  if (state && options.resume) checkAnswers(state, options.resume.entries);
  return {
    // A resumed child's input is the one it was suspended with, whatever was replayed.
    brief: await acceptBrief(agent, state ? (state.brief_text ?? undefined) : text),
    gate: contract && new Gate(contract, { maxRetries: agent.maxRetries, used: state?.attempts_used }),
    history: new History(state?.messages),
    resume: options.resume && [...options.resume.entries],
  };
}

function openState(
  agent: SubcontractAgent,
  contract: Contract | undefined,
  replayed: string | undefined,
  state: ResumeState,
  options: DelegateOptions,
): ResumeState {
  // Read as it is, whoever opened it, and compared with what this call says.
  const opened = openResumeState(wellFormedJson(state ?? null), {
    subagent: agent.name,
    threadId: options.threadId,
    toolCallId: options.parentToolCallId,
    // A blank text is what some providers send for an empty object.
    brief: replayed === undefined ? undefined : keptText(agent, replayed.trim() === '' ? '{}' : replayed),
    contractDigest: contract?.digest,
    now: options.now?.() ?? Date.now(),
  });
  if ((opened.contract.digest === undefined) !== (contract === undefined)) {
    throw new ResumeError('the contract has changed since this child was suspended', {
      code: 'resume_contract_changed',
    });
  }
  return opened;
}

// Before a child starts: its brief, the contract that holds, and, when it was suspended, where it goes on.

import type { ResumeEntry } from './ag-ui/events.js';
import { judgeAnswers } from './answers.js';
import { acceptBrief, type Brief, briefText, keptText } from './brief.js';
import { History } from './child/history.js';
import type { ChildIds } from './child/ids.js';
import { inwardAnswers } from './child/names.js';
import type { ClaimTurn } from './claim-turns.js';
import { type Contract, compileContract, isContract } from './contract.js';
import { chooseContract, openResumeState } from './core.js';
import { type AgentSchema, conflictWithReturnTool, type SubcontractAgent } from './define-agent.js';
import type { DelegateOptions } from './delegate.js';
import type { RunOptions } from './delegation-options.js';
import type { AttemptRecord, ContractRef } from './envelope.js';
import { ResumeError, SubagentContractError } from './errors.js';
import { Gate } from './gate.js';
import type { Guard } from './guards.js';
import { wellFormedJson } from './json-text.js';
import type { ResumeState } from './resume.js';
import { sealOf } from './resume-seal.js';
import { readClock } from './sources.js';

/** A delegation that may start. */
export interface Prepared {
  brief: Brief;
  /** Absent in prose mode. */
  gate: Gate | undefined;
  history: History;
  /** The answers to the child's interrupts, when it was suspended. */
  resume: ResumeEntry[] | undefined;
  /** Answers to interrupts that the child does not have. */
  ignored: string[];
  /** A person called off what the child itself waited for. */
  cancelled: boolean;
  /** The envelope of a child that was resumed like this before, and has ended: it is not run again. */
  ended: string | undefined;
  /** Keeps the envelope of the child that this resume has claimed. */
  keep(envelopeText: string): Promise<void>;
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

/** What a delegation is about, however it ends. */
export interface Delegated {
  ids: ChildIds;
  agent: SubcontractAgent;
  chosen: Chosen;
  /** Absent when the child never started. */
  prepared: Prepared | undefined;
}

/** Checks everything that can be checked before the child starts. Throws the error that says what is wrong. */
export async function prepare(
  agent: SubcontractAgent,
  contract: Contract | undefined,
  brief: unknown,
  options: RunOptions,
  {
    signal,
    transcriptRef,
    turn,
  }: { signal: AbortSignal; transcriptRef: string | undefined; turn: ClaimTurn | undefined },
): Promise<Prepared> {
  const text = briefText(agent.name, brief);
  const { resume: given, seal } = options;
  const sealing = seal && sealOf(seal);
  const state = given && openState(agent, contract, text, given.state, options, sealing?.onContractChange);
  const answers =
    state &&
    given &&
    judgeAnswers(state, given.entries, { now: readClock(options.now), trusted: sealing !== undefined });
  const history = new History(state?.messages);
  const judged = state ? (state.brief_text ?? undefined) : text;
  const accepted =
    options.host && 'input' in options.host
      ? { input: options.host.input, text: judged ?? null }
      : await acceptBrief(agent, judged);
  const gate = contract && gateOf(agent, contract, history, { used: state?.attempts_used, signal, transcriptRef });
  // Last, because a child that is claimed and then refused could not be resumed any more.
  const claiming = state && answers && sealing && (() => sealing.claim(state.id, answers.entries));
  const claim = await (turn && claiming ? turn.take(claiming, signal) : claiming?.());
  return {
    // A resumed child's input is the one it was suspended with, whatever was replayed.
    brief: accepted,
    gate,
    history,
    resume: state && answers && inwardAnswers(answers.entries, state.subagent_run_id),
    ignored: answers?.ignored ?? [],
    cancelled: answers?.cancelled ?? false,
    ended: claim && !claim.mine ? claim.envelopeText : undefined,
    keep: async (envelopeText) => {
      if (claim?.mine && state) await sealing?.ended(state.id, envelopeText);
    },
  };
}

/**
 * The gate of one delegation. Throws a `SubagentContractError` for a child whose own tool has the return tool's name, and
 * for a resumed one that has no attempt left.
 */
function gateOf(
  agent: SubcontractAgent,
  contract: Contract,
  history: History,
  given: { used: readonly AttemptRecord[] | undefined; signal: AbortSignal; transcriptRef: string | undefined },
): Gate {
  const { maxRetries, definition } = agent;
  const { name } = contract.handle.returnTool();
  const conflict = conflictWithReturnTool(agent.tools, name);
  if (conflict !== undefined) throw new SubagentContractError(conflict, { code: 'return_tool_conflict' });
  const spent = given.used?.length ?? 0;
  if (spent > maxRetries) {
    const message = `no return was accepted in ${spent} attempts, and there is none left`;
    throw new SubagentContractError(message, { code: 'contract_exhausted' });
  }
  const { guards } = definition as { guards?: readonly Guard[] };
  return new Gate(contract, {
    ...given,
    maxRetries,
    guards,
    evidence: () => ({ toolCalls: history.toolCalls(name) }),
  });
}

function openState(
  agent: SubcontractAgent,
  contract: Contract | undefined,
  replayed: string | undefined,
  state: ResumeState,
  options: DelegateOptions,
  onContractChange: 'refuse' | 'revalidate' = 'refuse',
): ResumeState {
  const same = onContractChange === 'refuse';
  // Read as it is, whoever opened it, and compared with what this call says.
  const opened = openResumeState(wellFormedJson(state ?? null), {
    subagent: agent.name,
    threadId: options.threadId,
    toolCallId: options.parentToolCallId,
    // A blank text is what some providers send for an empty object.
    brief: replayed === undefined ? undefined : keptText(agent, replayed.trim() === '' ? '{}' : replayed),
    contractDigest: same ? contract?.digest : undefined,
  });
  if (same && (opened.contract.digest === undefined) !== (contract === undefined)) {
    throw new ResumeError('the contract has changed since this child was suspended', {
      code: 'resume_contract_changed',
    });
  }
  return opened;
}

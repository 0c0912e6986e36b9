// What a suspended child leaves behind: its state, sealed as the host has chosen.
import type { Interrupt } from './ag-ui/events.js';
import { earliestExpiry } from './answers.js';
import { writeResumeState } from './core.js';
import { ResumeError } from './errors.js';
import type { Delegated } from './prepare.js';
import type { ResumeState } from './resume.js';
import { type Seal, sealOf } from './resume-seal.js';

/** A suspended child's state as its envelope has it: in plain text, or sealed. */
export type Parked = { state: string } | { sealed: string };

/** What is known of a child when it suspends. */
export interface Suspending extends Delegated {
  /** A new id for this suspension. */
  id: string;
  interrupts: Interrupt[];
}

/** Writes the state of a child that suspends, and seals it. Throws a `ResumeError` when that cannot be done. */
export async function park(child: Suspending, seal: Seal | undefined, now: number): Promise<Parked> {
  if (seal === undefined) {
    throw new ResumeError(
      "the child waits for an answer, and nobody has said how its state is protected: pass seal: { keys }, or seal: 'none'",
      { code: 'seal_required' },
    );
  }
  const state = stateOf(child);
  const sealing = sealOf(seal);
  return sealing ? { sealed: await sealing.seal(state, now) } : { state: writeResumeState(state) };
}

function stateOf({ id, ids, agent, chosen, prepared, interrupts }: Suspending): ResumeState {
  const { schemaText } = chosen;
  const expiresAt = earliestExpiry(interrupts);
  return {
    schema_version: 1,
    id,
    brief_text: prepared?.brief.text ?? null,
    // The core fills it in.
    brief_digest: null,
    agent: agent.name,
    contract: { ...chosen.ref, ...(schemaText !== undefined && { schema_text: schemaText }) },
    thread_id: ids.threadId,
    tool_call_id: ids.parentToolCallId ?? null,
    subagent_run_id: ids.subagentRunId,
    attempts_used: prepared?.gate?.attempts ?? [],
    interrupts,
    messages: prepared?.history.messages() ?? [],
    ...(expiresAt !== undefined && { expires_at: Math.max(0, Math.floor(expiresAt)) }),
  };
}

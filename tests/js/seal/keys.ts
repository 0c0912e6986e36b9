// What the tests of sealing share: keys, a state, and what it was sealed for.
import type { ResumeState, SealKey } from 'subcontract';

export const NOW = 1_764_520_000_000;
export const HOUR = 3_600_000;

export const KEYS: SealKey[] = [
  { id: 'new', secret: new Uint8Array(32).fill(7) },
  { id: 'old', secret: new Uint8Array(48).fill(9) },
];

export const STATE: ResumeState = {
  id: 'suspension-1',
  brief_text: '{"task":"x","id":9007199254740993}',
  brief_digest: null,
  agent: 'pricing',
  contract: { source: 'none' },
  thread_id: 't1',
  tool_call_id: 'call-1',
  subagent_run_id: 's1',
  attempts_used: [],
  interrupts: [{ id: 'i1', reason: 'approval' }],
  messages: [{ role: 'assistant', content: 'Looking für 😀.' }],
};

export const EXPECT = {
  threadId: 't1',
  toolCallId: 'call-1',
  subagent: 'pricing',
  brief: '{ "id": 9007199254740993, "task": "x" }',
};

/** The code of the `ResumeError` that something ends in. */
export async function codeOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    const { name, code } = error as { name: string; code: string };
    if (name === 'ResumeError') return code;
    throw error;
  }
  return 'opened';
}

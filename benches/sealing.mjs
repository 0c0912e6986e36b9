// Resume state sealed and opened, beside what any host has to do with it: JSON there and back.
import { createHmac } from 'node:crypto';
import { openResume, sealResume } from 'subcontract';
import { interleave } from './timing.mjs';

const KEYS = [{ id: '2026-11', secret: new Uint8Array(32).fill(7) }];
const NOW = 1_764_520_000_000;
const EXPECT = { threadId: 't1', toolCallId: 'call-1', subagent: 'pricing', brief: '{"task":"x"}' };

/** A state whose messages have about this many bytes. @param {number} bytes @returns {import('subcontract').ResumeState} */
function stateOf(bytes) {
  const content = 'The vendor lists a Team plan at 10 EUR a seat and month, "billed yearly"; see §4.\n'.repeat(6);
  /** @type {import('subcontract').HistoryMessage[]} */
  const messages = [];
  for (let size = 0; size < bytes; size += content.length + 60) messages.push({ role: 'user', content });
  return {
    id: 'suspension-1',
    brief_text: '{"task":"x"}',
    brief_digest: null,
    agent: 'pricing',
    contract: { source: 'none' },
    thread_id: 't1',
    tool_call_id: 'call-1',
    subagent_run_id: 's1',
    attempts_used: [],
    interrupts: [{ id: 'i1', reason: 'approval' }],
    messages,
  };
}

/** @param {import('./report.mjs').Report} report @param {{ quick: boolean }} options */
export function sealing(report, { quick }) {
  for (const [name, bytes] of /** @type {const} */ ([
    ['5 KB', 5_000],
    ['500 KB', 500_000],
  ])) {
    const state = stateOf(bytes);
    const secret = Buffer.alloc(32, 7);
    const terms = { keys: KEYS, now: NOW, ttl: 3_600_000 };
    report.addTimes(
      `seal + open ${name}`,
      interleave(
        [
          {
            name: 'ours',
            run: () => openResume(sealResume(state, terms), { keys: KEYS, now: NOW, expect: EXPECT }),
          },
          {
            name: "JSON, base64url and Node's HMAC, nothing checked",
            run: () => {
              const body = Buffer.from(JSON.stringify(state)).toString('base64url');
              const mac = createHmac('sha256', secret).update(body).digest('base64url');
              const again = createHmac('sha256', secret).update(body).digest('base64url');
              return mac === again && JSON.parse(Buffer.from(body, 'base64url').toString());
            },
          },
        ],
        { rounds: quick ? 5 : 30 },
      ),
    );
  }
}

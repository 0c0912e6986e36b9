// What the programs return, whatever runtime they ran in.
import { expect } from 'vitest';

/** Whether deep.mjs got an answer to each of its cases: a verdict, or a schema error that names a limit. */
export function expectAnswers(outcomes: Record<string, string>): void {
  const answers = ['ok', 'schema_violation', 'too_complex', 'too_deep'];
  expect(Object.keys(outcomes).length).toBeGreaterThan(40);
  expect(Object.entries(outcomes).filter(([, outcome]) => !answers.includes(outcome))).toEqual([]);
}

/** What `judge` of program.mjs returns in every runtime, also at the module scope of a Worker. */
export const judged = {
  digest: 'sha256-5e6d2bb4cf6537d604abf5e56d03882c622afe8469b4a5aed4b6c5d7c8edd331',
  accepted: {
    ok: true,
    value: { city: 'Wien', id: Number('9007199254740993') },
    text: '{"city":"Wien","id":9007199254740993}',
    flags: ['unsafe_integer'],
  },
  bytes: 'schema_violation',
  refused: {
    ok: false,
    code: 'schema_violation',
    issues: [
      {
        instancePath: '/city',
        schemaPath: '/properties/city/pattern',
        keyword: 'pattern',
        params: { pattern: '^[A-Z]' },
        message: 'expected a string that matches the pattern ^[A-Z]',
      },
    ],
    flags: [],
  },
  truncated: 'truncated',
  schemaError: 'invalid_schema',
  streamed: {
    statuses: ['incomplete', 'incomplete', 'rejected', 'rejected'],
    snapshot: { city: 'Wien', id: 1 },
    rejectedAt: 25,
    code: 'truncated',
  },
  mac: 'aH8_X2mIu3nL4sDPETny9xM4N4v6BSlkvH-_Ptl8vYk',
  opened: 2000,
  forged: 'resume_tampered',
  merged: { plans: ['Team', 'Scale'], unresolved: ['Is there a minimum?'] },
  rendered: [
    '#1 subagent a: completed',
    '#2 subagent b: completed',
    'unresolved: "Is there a minimum?"',
    'field plans: ["Team","Scale"]',
  ].join('\n'),
};

const trap = { code: 'internal_error', fresh: 1, accepted: true, streamed: ['complete', true] };
const leaks = { handles: 0, grown: 0 };

/** What `program` of program.mjs returns in every runtime. */
export const expected = {
  judged,
  delegated: {
    events: [
      'SUBAGENT_STARTED',
      ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'CUSTOM'],
      ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'CUSTOM'],
      'SUBAGENT_FINISHED',
    ],
    status: 'completed',
    final_result: { city: 'Wien' },
    codes: ['schema_violation', null],
    refused: 'brief_rejected',
  },
  trap,
  leaks,
  withoutRegistry: { trap, leaks },
};

/** As {@link judged} by the reference engine, which judges a stream at its end. */
export const judgedByReference = {
  ...judged,
  streamed: {
    statuses: ['incomplete', 'incomplete', 'incomplete', 'incomplete'],
    snapshot: { city: 'Wien', id: 1 },
    code: 'truncated',
  },
};

/** As {@link expected} by the reference engine. */
export const expectedOfReference = { ...expected, judged: judgedByReference };

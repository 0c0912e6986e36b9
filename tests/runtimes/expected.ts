// What the programs return, whatever runtime they ran in.
import { expect } from 'vitest';

/** Whether deep.mjs got an answer to each of its cases: a verdict, or a schema error that names a limit. */
export function expectAnswers(outcomes: Record<string, string>): void {
  const answers = ['ok', 'schema_violation', 'too_complex', 'too_deep'];
  expect(Object.keys(outcomes).length).toBeGreaterThan(40);
  expect(Object.entries(outcomes).filter(([, outcome]) => !answers.includes(outcome))).toEqual([]);
}

/** What `program.mjs` returns in every runtime. */
export const expected = {
  digest: expect.stringMatching(/^sha256-/),
  accepted: {
    ok: true,
    value: { city: 'Wien', id: Number('9007199254740993') },
    text: '{"city":"Wien","id":9007199254740993}',
    flags: ['unsafe_integer'],
  },
  refused: {
    ok: false,
    code: 'schema_violation',
    issues: [
      expect.objectContaining({
        instancePath: '/city',
        schemaPath: '/properties/city/pattern',
        keyword: 'pattern',
      }),
    ],
    flags: [],
  },
  malformed: expect.objectContaining({ ok: false, code: 'truncated' }),
  schemaError: 'invalid_schema',
  trap: 'internal_error',
  acceptedAfterTrap: true,
};

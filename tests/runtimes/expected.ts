// What `program.mjs` returns in every runtime.
import { expect } from 'vitest';

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

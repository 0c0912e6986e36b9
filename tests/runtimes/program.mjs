// The program that every runtime runs: what it returns must not depend on where it ran.

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['city'],
  properties: { city: { type: 'string', pattern: '^[A-Z]' }, id: { type: 'integer' } },
};

/** @param {import('subcontract')} subcontract */
export function program({ compileContract, SchemaError }) {
  const contract = compileContract(schema);
  return {
    digest: contract.digest,
    accepted: contract.check('{"city":"Wien","id":9007199254740993}'),
    refused: contract.check('{"city":"wien"}'),
    malformed: contract.check('{"city":'),
    schemaError: schemaErrorCode(),
  };

  function schemaErrorCode() {
    try {
      compileContract({ type: 'nonsense' });
      return 'compiled';
    } catch (error) {
      return error instanceof SchemaError ? error.code : String(error);
    }
  }
}

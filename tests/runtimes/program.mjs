// The program that every runtime runs: what it returns must not depend on where it ran.
// The tests lay this file beside node_modules, so that it reaches a file of the package which the exports map keeps private.
import { call } from './node_modules/subcontract/pkg/boundary.js';

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
    trap: trapCode(),
    acceptedAfterTrap: contract.check('{"city":"Wien"}').ok,
  };

  /** Asks the core for more memory than it can have, which traps. */
  function trapCode() {
    try {
      call((core) => core.input(2 ** 32 - 1));
      return 'no trap';
    } catch (error) {
      return error.cause instanceof WebAssembly.RuntimeError ? error.code : String(error.cause ?? error);
    }
  }

  function schemaErrorCode() {
    try {
      compileContract({ type: 'nonsense' });
      return 'compiled';
    } catch (error) {
      return error instanceof SchemaError ? error.code : String(error);
    }
  }
}

// Schemas compiled, the check against their metaschema included.
import { Validator } from '@cfworker/json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileContract, researchResult } from 'subcontract';
import { z } from 'zod';
import { interleave } from './timing.mjs';

/** @param {import('./report.mjs').Report} report @param {{ quick: boolean }} options */
export function compiling(report, { quick }) {
  // Ajv keeps what it compiled by the schema object: a fresh object is a fresh schema.
  const schema = () => ({ ...researchResult });
  const warm = new Ajv2020({ strict: false });
  report.addTimes(
    'compile with metaschema check',
    interleave(
      [
        {
          name: 'ours',
          run: () => {
            const contract = compileContract(schema());
            contract.free();
            return true;
          },
        },
        { name: 'new Ajv', run: () => new Ajv2020({ strict: false }).compile(schema()) },
        { name: 'Ajv that has its metaschema', run: () => warm.compile(schema()) },
        {
          name: 'cfworker, which checks no schema',
          run: () => new Validator(/** @type {any} */ (schema()), '2020-12'),
        },
        { name: 'zod, which checks no schema', run: () => z.fromJSONSchema(/** @type {any} */ (schema())) },
      ],
      { rounds: quick ? 3 : 10 },
    ),
  );
}

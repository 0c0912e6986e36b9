// The official JSON Schema test suite through wasm and the shim, where the suite is at hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type CompileOptions, compileContract } from 'subcontract';
import { describe, expect, test } from 'vitest';

const root =
  process.env.JSON_SCHEMA_TEST_SUITE ?? resolve(import.meta.dirname, '../../../shared/json-schema-test-suite');
const found = existsSync(join(root, 'tests'));
if (!found) console.warn('skipped: no JSON Schema test suite; set JSON_SCHEMA_TEST_SUITE to a checkout of it');

interface Group {
  description: string;
  schema: object | boolean;
  tests: { description: string; data: unknown; valid: boolean }[];
}

const DRAFTS: [folder: string, dialect: NonNullable<CompileOptions['dialect']>, required: number][] = [
  ['draft4', 'draft4', 618],
  ['draft6', 'draft6', 839],
  ['draft7', 'draft7', 927],
  ['draft2019-09', '2019-09', 1259],
  ['draft2020-12', '2020-12', 1299],
];

function remotes(): Record<string, string> {
  const folder = join(root, 'remotes');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.map((file) => {
      const path = join(folder, file);
      return [`http://localhost:1234/${relative(folder, path).replaceAll('\\', '/')}`, readFileSync(path, 'utf8')];
    }),
  );
}

describe.skipIf(!found)('the required tests of the official suite', () => {
  const schemas = found ? remotes() : {};
  test.each(DRAFTS)('%s', (folder, dialect, required) => {
    const directory = join(root, 'tests', folder);
    const failures: string[] = [];
    let count = 0;
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.json'))) {
      for (const group of JSON.parse(readFileSync(join(directory, file), 'utf8')) as Group[]) {
        const contract = compileContract(group.schema, { dialect, formats: 'annotate', schemas });
        for (const { description, data, valid } of group.tests) {
          count += 1;
          const text = JSON.stringify(data);
          if (contract.isValid(text) !== valid || contract.check(text).ok !== valid) {
            failures.push(`${file}: ${group.description}: ${description}`);
          }
        }
        contract.free();
      }
    }
    expect(failures).toEqual([]);
    expect(count).toBe(required);
  });
});

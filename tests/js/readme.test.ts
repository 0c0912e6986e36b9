// The README's program, run as it stands there: it has to print what the README says it prints.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

test('the program of the README runs and prints what stands below it', async () => {
  const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
  const [, program = '', printed = ''] = /```ts\n(.*?)```\n\n```\n(.*?)```/s.exec(readme) ?? [];
  expect(program).toContain("from 'subcontract'");
  // Inside the repository, so that `subcontract` is the built package.
  const folder = resolve(root, '.cache/readme');
  mkdirSync(folder, { recursive: true });
  const file = resolve(folder, 'program.ts');
  writeFileSync(file, program);
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { cwd: root });
  expect(stdout).toBe(printed);
});

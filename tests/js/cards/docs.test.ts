// The programs of docs/cards.md compile as they stand there.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

it('every program of the page compiles', async () => {
  const page = readFileSync(resolve(root, 'docs/cards.md'), 'utf8');
  const programs = [...page.matchAll(/```(tsx?)\n(.*?)```/gs)];
  expect(programs).toHaveLength(6);
  const folder = resolve(root, '.cache/docs-cards');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    for (const [at, [, ending, program = '']] of programs.entries()) {
      writeFileSync(resolve(folder, `program-${at}.${ending}`), program);
    }
    writeFileSync(resolve(folder, 'styles.d.ts'), "declare module 'subcontract/styles.css';\n");
    const include = ['./*', '../../js/wasm-modules.d.ts'];
    writeFileSync(resolve(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tests/tsconfig.json', include }));
    const tsc = resolve(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--project', folder]).catch((error) => error);
    expect(stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);

// The package's declarations stand alone, under the TypeScripts and module resolutions that its users have.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { run, tools } from '../runtimes/process.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

const core = `
import { compileContract, type Verdict } from 'subcontract';
import { lintEvents, type Finding } from 'subcontract/ag-ui';
import { init } from 'subcontract/init';
import core from 'subcontract/core.wasm';

await init(core);
const verdict: Verdict = compileContract({ type: 'string' }).check('"text"');
const findings: readonly Finding[] = lintEvents([]);
console.log(verdict.ok ? verdict.value : verdict.issues, findings);
`;

/** What needs the frameworks' own declarations. */
const frameworks = `
import { chatWithSubagents } from 'subcontract/tanstack';
import * as react from 'subcontract/react';
import { compileContract } from 'subcontract/reference';

export const parts: readonly unknown[] = [chatWithSubagents, react, compileContract];
// @ts-expect-error a subpath that there is not
import 'subcontract/nothing';
`;

const compilers = {
  '5.9': () => join(repository, 'node_modules/typescript/bin/tsc'),
  '7.0': () => join(tools(), 'node_modules/typescript-7/bin/tsc'),
};

test.each([
  ['5.9', 'nodenext'],
  ['5.9', 'bundler'],
  ['7.0', 'nodenext'],
  ['7.0', 'bundler'],
] as const)('TypeScript %s, %s', async (version, resolution) => {
  const tsc = compilers[version]();
  const project = inject('project');
  const folder = join(project, 'types', `${version} ${resolution}`);
  for (const name of ['@tanstack', '@types']) mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  for (const name of ['@tanstack/ai', '@tanstack/ai-client', '@types/react', '@types/react-dom']) {
    symlinkSync(join(repository, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(join(folder, 'core.ts'), core);
  writeFileSync(join(folder, 'frameworks.ts'), frameworks);
  const nodenext = { module: 'NodeNext', moduleResolution: 'NodeNext' };
  const options = {
    ...(resolution === 'nodenext' ? nodenext : { module: 'ESNext', moduleResolution: 'Bundler' }),
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable', 'ESNext.Disposable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedSideEffectImports: true,
    noEmit: true,
    types: [],
  };
  expect(await run(process.execPath, [tsc, '--version'], { cwd: folder })).toContain(`Version ${version}.`);
  const programs = [
    // Everything that the core's declarations lead to is checked; a framework's own are its own.
    ['core', { ...options, skipLibCheck: false }],
    ['frameworks', { ...options, skipLibCheck: true }],
  ] as const;
  for (const [name, compilerOptions] of programs) {
    const file = join(folder, `tsconfig.${name}.json`);
    writeFileSync(file, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
    // Fails with what the compiler prints.
    await run(process.execPath, [tsc, '--project', file], { cwd: folder });
  }
});

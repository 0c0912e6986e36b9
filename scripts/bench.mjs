// `npm run bench [-- --json]`: set-up, then the benchmarks beside other validators.
import { existsSync } from 'node:fs';
import { at } from './setup/paths.mjs';
import { prepare } from './setup/prepare.mjs';
import { entry, SetupError } from './setup/report.mjs';
import { run } from './setup/run.mjs';

const program = 'benches/run.mjs';

await entry(async () => {
  await prepare();
  if (!existsSync(at(program))) throw new SetupError('this version has no benchmarks', 'none; use a later version');
  const args = process.argv.slice(2).filter((argument) => argument !== '--yes');
  return run(process.execPath, [program, ...args], { stdout: 'inherit' });
});

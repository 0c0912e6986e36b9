// `npm run bench [-- --json] [-- --quick]`: set-up, then the benchmarks beside other validators.
import { existsSync } from 'node:fs';
import { at } from './setup/paths.mjs';
import { prepare } from './setup/prepare.mjs';
import { entry, SetupError } from './setup/report.mjs';
import { run } from './setup/run.mjs';

const program = 'benches/run.mjs';
const FLAGS = ['--json', '--quick', '--yes'];

await entry(async () => {
  const args = process.argv.slice(2);
  // Before minutes of set-up and measuring.
  const unknown = args.find((argument) => !FLAGS.includes(argument));
  if (unknown !== undefined)
    throw new SetupError(`there is no option ${unknown}`, `npm run bench -- [${FLAGS.join('] [')}]`);
  await prepare();
  if (!existsSync(at(program))) throw new SetupError('this version has no benchmarks', 'none; use a later version');
  return run(process.execPath, [program, ...args], { stdout: 'inherit' });
});

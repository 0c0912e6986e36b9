// `npm run demo`: set-up, then the Ledgerline run.
import { existsSync } from 'node:fs';
import { at } from './setup/paths.mjs';
import { prepare } from './setup/prepare.mjs';
import { entry, SetupError } from './setup/report.mjs';
import { run } from './setup/run.mjs';

const program = 'examples/ledgerline/main.ts';

await entry(async () => {
  const args = process.argv.slice(2).filter((argument) => argument !== '--yes');
  if (args.includes('--web')) {
    throw new SetupError(
      'the demo has no chat page yet',
      'run `npm run demo` without --web for the run in the terminal',
    );
  }
  await prepare({ reference: false });
  if (!existsSync(at(program))) throw new SetupError(`${program} is missing`, 'check out the whole repository');
  return run(process.execPath, ['--import', 'tsx', program, ...args], { stdout: 'inherit' });
});

// `npm run demo`: set-up, then the Ledgerline run in the terminal, or with --web as a chat page.
import { existsSync, readFileSync } from 'node:fs';
import { buildLedgerlinePage } from './setup/page.mjs';
import { at } from './setup/paths.mjs';
import { prepare } from './setup/prepare.mjs';
import { entry, SetupError } from './setup/report.mjs';
import { run } from './setup/run.mjs';

const program = 'examples/ledgerline/main.ts';

await entry(async () => {
  const args = process.argv.slice(2).filter((argument) => argument !== '--yes');
  if (!existsSync(at(program))) throw new SetupError(`${program} is missing`, 'check out the whole repository');
  // Who asks for help does not want to wait for a build.
  if (args.includes('--help') || args.includes('-h')) {
    console.log(readFileSync(at('examples/ledgerline/usage.txt'), 'utf8').trimEnd());
    return 0;
  }
  await prepare({ reference: false });
  if (args.includes('--web')) await buildLedgerlinePage();
  return run(process.execPath, ['--import', 'tsx', program, ...args], { stdout: 'inherit' });
});

// The npm dependencies, exactly as the lock file has them.
import { readFileSync } from 'node:fs';
import { at } from './paths.mjs';
import { say } from './report.mjs';
import { must } from './run.mjs';
import { hashInputs, isDone, markDone } from './stamp.mjs';

export async function installDependencies() {
  // Not all of package.json: its scripts and exports install nothing.
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const hash = hashInputs({
    files: ['package-lock.json'],
    facts: [process.version, JSON.stringify([dependencies, devDependencies, peerDependencies])],
  });
  if (isDone('dependencies', hash, ['node_modules/.package-lock.json'])) return;
  say('install the npm dependencies', 'they are not installed, or the lock file changed');
  // `npm run` names the npm that runs us, which need not be the one on the PATH.
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm, 'ci']] : ['npm', ['ci']];
  await must(command, [...args, '--no-audit', '--no-fund'], {
    remedy: 'check the network and the npm registry settings (`npm config get registry`), then run the command again',
  });
  markDone('dependencies', hash);
}

// A browser for the tests that run in one.
import { existsSync } from 'node:fs';
import { SetupError } from './report.mjs';
import { installPackages, isDebian, isRoot } from './system-packages.mjs';

const remedy = 'set CHROMIUM_PATH to a Chromium or Chrome, or on Debian run `apt-get install chromium` as root';

/**
 * The path of the browser's program, installed first when it is missing.
 * @param {{ yes: boolean }} options
 */
export async function chromium(options) {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!existsSync(given)) throw new SetupError(`CHROMIUM_PATH names ${given}, which does not exist`, remedy);
    return given;
  }
  const installed = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));
  if (installed) return installed;
  if (!isDebian() || !isRoot()) throw new SetupError('the browser tests found no Chromium', remedy);
  await installPackages(['chromium'], {
    why: 'part of the tests runs in a browser',
    remedy,
    ...options,
  });
  return '/usr/bin/chromium';
}

// The validator of AG-UI streams from PyPI, in an environment of its own. It is a second opinion: tests do without it and say so.
import { alone } from './lock.mjs';
import { at } from './paths.mjs';
import { note, say } from './report.mjs';
import { capture, run } from './run.mjs';
import { hashInputs, isDone, markDone } from './stamp.mjs';
import { installPackages, isDebian, isRoot } from './system-packages.mjs';

const requirements = 'scripts/setup/ag-ui-validate.txt';
const folder = '.cache/ag-ui-validate';
const bin = `${folder}/${process.platform === 'win32' ? 'Scripts' : 'bin'}`;
const program = `${bin}/ag-ui-validate`;
/** Of Python 3, which the validator asks for. */
const OLDEST_MINOR = 11;
const why = 'tests have AG-UI streams judged by the validator ag-ui-validate from PyPI';

/**
 * Installs the validator where it is missing. What keeps it from that is said, and is no failure.
 * @param {{ yes: boolean }} options
 */
export async function agUiValidate(options) {
  await alone(() => install(options));
}

/** @param {{ yes: boolean }} options */
async function install(options) {
  const python = await findPython(options);
  if (!python) return skipped('there is no Python 3.11 or later (on Debian: `apt-get install python3-venv` as root)');
  const hash = hashInputs({ files: [requirements, 'scripts/setup/python.mjs'], facts: [python.version] });
  if (isDone('ag-ui-validate', hash, [program])) return;
  say('install ag-ui-validate from PyPI', why);
  if (!(await makeEnvironment(python.command, options))) {
    return skipped('Python cannot make a virtual environment (on Debian: `apt-get install python3-venv` as root)');
  }
  // Everything is pinned, so nothing is resolved; and nothing is built from source.
  const pinned = ['--no-deps', '--only-binary', ':all:', '--requirement', requirements];
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...pinned];
  if ((await run(at(bin, 'python'), pip)) !== 0) {
    return skipped('pip could not install it: check the network and the settings of pip');
  }
  markDone('ag-ui-validate', hash);
}

/** @param {string} reason */
function skipped(reason) {
  note(`ag-ui-validate is not installed, its tests are skipped: ${reason}`);
}

/** @param {{ yes: boolean }} options @returns {Promise<{ command: string, version: string } | undefined>} */
async function findPython(options) {
  const found = pythonOnPath();
  if (found || !(await installVenv(options))) return found;
  return pythonOnPath();
}

function pythonOnPath() {
  for (const command of ['python3', 'python']) {
    const version = capture(command, ['--version']);
    const minor = /^Python 3\.(\d+)/.exec(version ?? '')?.[1];
    if (version && Number(minor) >= OLDEST_MINOR) return { command, version };
  }
  return undefined;
}

/** @param {string} command @param {{ yes: boolean }} options */
async function makeEnvironment(command, options) {
  const make = async () => (await run(command, ['-m', 'venv', '--clear', at(folder)])) === 0;
  // Debian has venv in a package of its own, and without it says so only when asked.
  if (capture(command, ['-c', 'import ensurepip, venv']) === undefined) await installVenv(options);
  return make();
}

/** @param {{ yes: boolean }} options */
async function installVenv(options) {
  if (!isDebian() || !isRoot()) return false;
  try {
    await installPackages(['python3-venv'], { why, remedy: 'none; its tests are skipped', ...options });
    return true;
  } catch (error) {
    note(String(error));
    return false;
  }
}

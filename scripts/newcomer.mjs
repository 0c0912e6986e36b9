// `npm run newcomer`: what a newcomer waits for. It clones the last commit into an empty folder, gives npm and cargo empty caches,
// and runs the README's two commands there, each in a clone of its own, since each has to set everything up alone.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './setup/paths.mjs';
import { entry, SetupError, say } from './setup/report.mjs';
import { run } from './setup/run.mjs';

const commands = { demo: ['run', 'demo'], test: ['test'] };

// What runs us would pass its settings on.
for (const name of Object.keys(process.env)) if (/^npm_/i.test(name)) delete process.env[name];

await entry(async () => {
  const asked = process.argv.slice(2);
  const names = /** @type {(keyof typeof commands)[]} */ (asked.length > 0 ? asked : Object.keys(commands));
  const unknown = names.find((name) => !(name in commands));
  if (unknown !== undefined)
    throw new SetupError(`there is no command ${unknown}`, 'name demo, test, or neither for both');
  /** @type {string[]} */
  const lines = [];
  let failed = 0;
  for (const name of names) {
    const { code, seconds } = await asNewcomer(name);
    lines.push(`npm ${commands[name].join(' ')}: ${code === 0 ? 'ok' : `exit code ${code}`} after ${minutes(seconds)}`);
    failed += code === 0 ? 0 : 1;
  }
  console.log(lines.join('\n'));
  return failed;
});

/** @param {keyof typeof commands} name */
async function asNewcomer(name) {
  const folder = mkdtempSync(join(tmpdir(), 'subcontract-newcomer-'));
  try {
    const clone = join(folder, 'subcontract');
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
    const env = {
      npm_config_cache: join(folder, 'npm'),
      CARGO_HOME: cargoHome(join(folder, 'cargo')),
      // rustup finds its toolchains there, whatever cargo's home is.
      RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), '.rustup'),
    };
    say(`npm ${commands[name].join(' ')}`, 'in an empty folder, with empty caches of npm and cargo');
    const began = performance.now();
    const code = await run('npm', [...commands[name], '--', '--yes'], { cwd: clone, env, stdout: 'inherit' });
    return { code, seconds: (performance.now() - began) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An empty home that knows the machine's registries. @param {string} home */
function cargoHome(home) {
  mkdirSync(home);
  const before = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  for (const file of ['config.toml', 'credentials.toml']) {
    if (existsSync(join(before, file))) copyFileSync(join(before, file), join(home, file));
  }
  return home;
}

/** @param {number} seconds */
function minutes(seconds) {
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

// The runtimes and bundlers that only the tests of the packed package use. They have a lock file of their own, so that nobody
// else's `npm ci` has them, and stay in .cache until that changes.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../../..');

/** How long a registry may take. */
const TIMEOUT_MS = 600_000;

/**
 * Installs them, unless they are there already; returns their folder, below which `import 'next'` finds them.
 *
 * @throws {Error} that says what to do, when npm cannot
 */
export function installTools(): Promise<string> {
  return install({
    from: 'tests/runtimes/tools',
    into: '.cache/runtimes',
    what: 'the runtimes and bundlers (about 1 GB)',
  });
}

/** Packages of tests that have a lock file of their own. */
export interface Installed {
  /** The folder of package.json and package-lock.json, from the repository's root. */
  from: string;
  into: string;
  what: string;
}

/**
 * Installs packages, unless they are there already; returns their folder.
 *
 * @throws {Error} that says what to do, when npm cannot
 */
export async function install({ from, into, what }: Installed): Promise<string> {
  const folder = join(root, into);
  const inputs = [`${from}/package.json`, `${from}/package-lock.json`, '.npmrc'];
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of inputs) hash.update(readFileSync(join(root, file)));
  const wanted = hash.digest('hex');
  const stamp = join(folder, 'installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;

  console.error(`• install ${what} for the tests (not installed yet, or changed)`);
  mkdirSync(folder, { recursive: true });
  rmSync(stamp, { force: true });
  for (const file of inputs) copyFileSync(join(root, file), join(folder, file.split('/').pop() as string));
  // The npm that runs us would pass its settings on through the environment.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  try {
    await promisify(execFile)('npm', ['ci', '--loglevel=error'], { cwd: folder, env, timeout: TIMEOUT_MS });
  } catch (error) {
    const { stderr, killed, message } = error as Error & { stderr?: string; killed?: boolean };
    const why = killed ? `it did not end within ${TIMEOUT_MS / 60_000} minutes` : stderr?.trim() || message;
    throw new Error(
      `npm could not install ${what} of ${from}/package.json: ${why}\n` +
        '  remedy: check the network and the npm registry settings (`npm config get registry`), then run the tests again',
    );
  }
  writeFileSync(stamp, wanted);
  return folder;
}

/** Where each package has its program, for this platform. Their scripts have not run, so that their wrappers know of none. */
const programs = {
  deno: ['@deno', /^(linux|darwin)-(x64|arm64)(-glibc)?$/, 'deno'],
  bun: ['@oven', /^bun-(linux|darwin)-(x64|aarch64)$/, 'bin/bun'],
  node: ['.', /^node-linux-(x64|arm64)$/, 'bin/node'],
} as const;

/** The path of a runtime's program among the tools. */
export function programOf(tools: string, name: keyof typeof programs): string {
  const [scope, pattern, path] = programs[name];
  const packages = join(tools, 'node_modules', scope);
  const found = existsSync(packages) ? readdirSync(packages).filter((entry) => pattern.test(entry)) : [];
  const program = found.map((entry) => join(packages, entry, path)).find((file) => existsSync(file));
  if (program === undefined) throw new Error(`there is no ${name} for ${process.platform} on ${process.arch}`);
  return program;
}

// Child processes: shown as they run, or captured.
import { spawn, spawnSync } from 'node:child_process';
import { at, root } from './paths.mjs';
import { note, SetupError } from './report.mjs';

/** @typedef {{ env?: Record<string, string>, cwd?: string }} RunOptions */

/**
 * Runs a command with its output shown (on stderr, so that stdout stays the program's own) and returns its exit code.
 * @param {string} command @param {string[]} args @param {RunOptions & { stdout?: 'inherit' | 'stderr' }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ['inherit', options.stdout === 'inherit' ? 'inherit' : 2, 'inherit'],
    });
    child.on('error', (error) => reject(explained(error, command)));
    child.on('close', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

/**
 * Says the command, runs it, and fails with the remedy when it does not succeed.
 * @param {string} command @param {string[]} args @param {RunOptions & { remedy: string }} options
 */
export async function must(command, args, options) {
  const shown = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value}`);
  note(['$', ...shown, command, ...args].join(' '));
  const code = await run(command, args, options);
  if (code !== 0) throw new SetupError(`${command} ended with exit code ${code}`, options.remedy);
}

/**
 * The trimmed standard output of a quick command, or undefined when it is missing or fails.
 * @param {string} command @param {string[]} args
 */
export function capture(command, args) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/**
 * Runs a command, showing its output and keeping it too.
 * @param {string} command @param {string[]} args @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function tee(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
        process.stderr.write(text);
      });
    }
    child.on('error', (error) => reject(explained(error, command)));
    child.on('close', (code, signal) => resolve({ code: signal ? 1 : (code ?? 1), output }));
  });
}

/**
 * @param {Error} error
 * @param {string} command
 */
function explained(error, command) {
  const missing = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
  return missing ? new SetupError(`${command} was not found`, remedyFor(command)) : error;
}

/**
 * What to do about a program that is not there.
 * @param {string} command
 */
function remedyFor(command) {
  if (command === 'cargo') {
    return 'install Rust 1.88 or later with rustup, and start again in a shell that has cargo on its PATH';
  }
  if (command.startsWith(at('node_modules'))) {
    return 'another process may be installing the npm dependencies: wait for it, or delete node_modules, and start again';
  }
  return `install ${command}`;
}

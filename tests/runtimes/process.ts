// Runs the throw-away programs: each a process of its own, with an end in sight, and stopped by its id.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { programOf } from './tools/tools.js';

/** The folder of the runtimes and bundlers that these tests need. Fails with the reason why they are not there. */
export function tools(): string {
  const { folder, failure } = inject('tools');
  if (folder === undefined) throw new Error(failure ?? 'the runtimes were not installed');
  return folder;
}

/** The path of a runtime's program: the Node that runs the tests, or one of the installed ones. */
export function runtime(name: 'node 20' | 'node 24' | 'deno' | 'bun'): string {
  if (name === 'node 20') return process.execPath;
  return programOf(tools(), name === 'node 24' ? 'node' : name);
}

/** A copy of the throw-away project from which the runtimes and bundlers can be imported, for as long as the test runs. */
export function projectBesideTools(): string {
  const project = mkdtempSync(join(tools(), 'project-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  cpSync(inject('project'), project, { recursive: true });
  return project;
}

export interface ProcessOptions {
  cwd: string;
  env?: Record<string, string>;
  timeoutMs?: number;
}

/** What a program prints. Fails with its messages when it does not end well or in time. */
export function run(program: string, args: string[], options: ProcessOptions): Promise<string> {
  const timeout = options.timeoutMs ?? 60_000;
  // No settings of ours: neither of an npm that runs us nor vitest's.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env };
  return new Promise((resolve, reject) => {
    const settings = { cwd: options.cwd, env, timeout, killSignal: 'SIGKILL', maxBuffer: 1 << 26 } as const;
    execFile(program, args, settings, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const why = error.killed ? `did not end within ${timeout} ms` : `ended with ${error.code ?? error.signal}`;
      reject(new Error(`${program} ${args.join(' ')} ${why}\n${stdout}${stderr}`));
    });
  });
}

/** Starts a server and waits until it says where it listens. It and what it started are stopped with the test. */
export async function serve(
  program: string,
  args: string[],
  options: ProcessOptions,
  address: RegExp,
): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env };
  const child = spawn(program, args, { cwd: options.cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => stopGroup(child));
  let output = '';
  return new Promise((resolve, reject) => {
    const end = (why: string) => reject(new Error(`${program} ${args.join(' ')} ${why}\n${output}`));
    const timer = setTimeout(() => end('did not say where it listens'), options.timeoutMs ?? 60_000);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const found = address.exec(output)?.[1];
        if (found !== undefined) {
          clearTimeout(timer);
          resolve(found);
        }
      });
    }
    child.on('error', (error) => end(error.message));
    child.on('exit', (code) => end(`ended with ${code}`));
  });
}

function stopGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

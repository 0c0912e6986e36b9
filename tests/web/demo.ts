// A server of the chat page, as a process of its own, as a person starts it.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Demo {
  url: string;
  stop(): Promise<void>;
}

export interface DemoOptions {
  /** How long the scripted model waits between pieces, in milliseconds. */
  delayMs?: number;
  /** What is started; default: the demo. */
  program?: string;
  env?: Record<string, string>;
}

/** Resolves once it has said where its page is. */
export function startDemo({
  delayMs = 1,
  program = 'examples/ledgerline/main.ts',
  env = {},
}: DemoOptions = {}): Promise<Demo> {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, OPENAI_MODEL: _model, ...inherited } = process.env;
  const args = ['--import', 'tsx', program, '--web', '--port', '0', '--delay', String(delayMs)];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill();
    await ended;
  };
  return new Promise((resolve, reject) => {
    let said = '';
    const read = (text: Buffer) => {
      said += text;
      const url = /^page +(\S+)$/m.exec(said)?.[1];
      if (url !== undefined) resolve({ url, stop });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`the demo ended: ${said}`)));
  });
}

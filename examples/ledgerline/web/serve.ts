// `--web`: serves the chat page until the program is interrupted.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connect } from '../provider.js';
import { startPageServer } from './server.js';

/** Where the set-up puts the built page. */
const PAGE = fileURLToPath(new URL('../../../.cache/ledgerline-page', import.meta.url));
const USUAL_PORT = 8787;
const DELAY_MS = 25;

export async function servePage({ port, delayMs = DELAY_MS }: { port?: number; delayMs?: number }): Promise<number> {
  if (!existsSync(PAGE)) {
    console.error('the chat page is not built: start it with `npm run demo -- --web`');
    return 1;
  }
  const provider = await connect(process.env, { chunkDelayMs: delayMs });
  const serve = (on: number) => startPageServer({ provider, page: PAGE, port: on });
  const server = await serve(port ?? USUAL_PORT).catch((error: NodeJS.ErrnoException) => {
    // A port that was asked for is not exchanged for another.
    if (error.code !== 'EADDRINUSE' || port !== undefined) throw error;
    return serve(0);
  });
  console.log(`model   ${provider.label}`);
  console.log(`page    ${server.url}`);
  console.log('stop    Ctrl+C');
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await server.stop();
  await provider.stop();
  return 0;
}

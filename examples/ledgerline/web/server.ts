// The chat page's server: the built page, the chat as server-sent events, and what the page asks beside it. On loopback only.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { chatParamsFromRequestBody } from '@tanstack/ai';
import { memoryResumeStore, type Seal } from 'subcontract';
import type { ChatRequest } from '../chat.js';
import { QUESTION_AT_ONCE } from '../conversation.js';
import type { Provider } from '../provider.js';
import { Thread } from './thread.js';

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const HOST = '127.0.0.1';
const MOST_BYTES = 16 * 1024 * 1024;
/** Of a demo that nobody stops, the oldest conversations are forgotten. */
const MOST_THREADS = 50;

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

export interface PageServer {
  url: string;
  stop(): Promise<void>;
}

export interface PageServerOptions {
  provider: Provider;
  /** The folder of the built page. */
  page: string;
  /** Default: any free one. */
  port?: number;
  /** What the scripted model can be asked. */
  question?: string;
}

/** An answer that is no stream: a status and a text. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export async function startPageServer({
  provider,
  page,
  port = 0,
  question = QUESTION_AT_ONCE,
}: PageServerOptions): Promise<PageServer> {
  const files = builtFiles(page);
  const threads = new Map<string, Thread>();
  // A server has the keys from its configuration. The store resumes a child once, however many tabs answer.
  const seal: Seal = {
    keys: [{ id: 'demo', secret: crypto.getRandomValues(new Uint8Array(32)) }],
    store: memoryResumeStore(),
  };

  const threadOf = (id: string): Thread => {
    const known = threads.get(id);
    if (known !== undefined) return known;
    const thread = new Thread(id, { line: provider.open(), seal });
    threads.set(id, thread);
    const oldest = [...threads.values()].find((one) => !one.running && one !== thread);
    if (threads.size > MOST_THREADS && oldest !== undefined) threads.delete(oldest.id);
    return thread;
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${HOST}`);
    const asked = (name: string) => url.searchParams.get(name) ?? '';
    switch (`${request.method} ${url.pathname}`) {
      case 'GET /api/about':
        return json(response, { scripted: provider.scripted, model: provider.label, question });
      case 'POST /api/chat':
        return postChat(request, response);
      case 'GET /api/chat':
        return url.searchParams.has('runId')
          ? joinRun(request, response, asked('runId'))
          : json(response, threadOf(asked('threadId')).open());
      case 'POST /api/stop':
        threadOf(asked('threadId')).stop(url.searchParams.get('subagentRunId') ?? undefined);
        return json(response, {});
      case 'GET /api/figures': {
        const figures = threadOf(asked('threadId')).figures();
        if (figures === undefined) throw new Refusal(409, 'no child has ended yet');
        return json(response, await figures);
      }
      case 'GET /api/span':
        return text(
          response,
          await threadOf(asked('threadId')).span(asked('ref'), asked('toolCallId')),
          'application/json',
        );
      default: {
        const file = request.method === 'GET' ? files.get(url.pathname) : undefined;
        if (file === undefined) throw new Refusal(404, 'there is nothing here');
        response.setHeader('content-type', file.type);
        response.setHeader(
          'cache-control',
          url.pathname.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-store',
        );
        response.end(file.bytes);
      }
    }
  }

  async function postChat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { 'x-run-id': runId, 'last-event-id': seen } = request.headers;
    const body = await readJson(request);
    const params = await chatParamsFromRequestBody(body).catch((error: Error) => {
      throw new Refusal(400, error.message);
    });
    const thread = threadOf(params.threadId);
    // The connection had dropped, and the run has not.
    const known = thread.read(params.runId, offsetAfter(seen), closing(response));
    if (known !== undefined && runId === params.runId) return stream(response, known, offsetAfter(seen));
    if (thread.running) throw new Refusal(409, 'this conversation has a run under way, perhaps from another tab');
    const { threadId, messages, parentRunId, resume } = params;
    const chat: ChatRequest = {
      threadId,
      runId: params.runId,
      messages,
      ...(parentRunId !== undefined && { parentRunId }),
      ...(resume !== undefined && { resume }),
    };
    thread.start(chat);
    return stream(response, thread.read(chat.runId, 0, closing(response)), 0);
  }

  async function joinRun(request: IncomingMessage, response: ServerResponse, runId: string): Promise<void> {
    const offset = offsetAfter(request.headers['last-event-id']);
    for (const thread of threads.values()) {
      const frames = thread.replay(runId, offset, closing(response));
      if (frames !== undefined) return stream(response, frames, offset);
    }
    throw new Refusal(404, 'there is no such run');
  }

  const server = createServer((request, response) => {
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    guard(request)
      .then(() => handle(request, response))
      .catch((error: unknown) => {
        const { status, message } = error instanceof Refusal ? error : new Refusal(500, 'the server failed');
        if (!(error instanceof Refusal)) console.error(error);
        if (response.headersSent) return response.destroy();
        response.statusCode = status;
        return text(response, message);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/`,
    stop: () => closed(server, threads),
  };
}

/** A page of another origin must not spend the server's key: not by a name that leads here, nor by a form. */
async function guard({ headers, method }: IncomingMessage): Promise<void> {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (host !== HOST && host !== 'localhost') throw new Refusal(403, 'this server answers to 127.0.0.1 alone');
  if (method === 'POST' && !headers['content-type']?.startsWith('application/json')) {
    throw new Refusal(415, 'send JSON');
  }
}

/** Every file of the built page, by its path. */
function builtFiles(folder: string): Map<string, { type: string; bytes: Buffer }> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = names.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length).replaceAll('\\', '/').replace(/^\/?/, '/');
    return [name, { type: TYPES[extname(name)] ?? 'application/octet-stream', bytes: readFileSync(path) }] as const;
  });
  const index = files.find(([name]) => name === '/index.html');
  return new Map([...files, ...(index ? [['/', index[1]] as const] : [])]);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_BYTES) throw new Refusal(413, 'this body is too large');
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    throw new Refusal(400, 'this body is not JSON');
  }
}

/** Each frame with its place, by which a client whose connection drops asks for the rest. */
async function stream(
  response: ServerResponse,
  frames: AsyncIterable<string> | undefined,
  offset: number,
): Promise<void> {
  if (frames === undefined) throw new Refusal(404, 'there is no such run');
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  let id = offset;
  for await (const frame of frames) {
    if (!response.write(`id: ${id}\n${frame}`)) await drained(response);
    id += 1;
  }
  response.end();
}

/** Until the client has taken what was written, or has gone. */
async function drained(response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const over = () => gone.abort();
  response.once('close', over);
  await once(response, 'drain', { signal: gone.signal }).catch(() => {});
  response.off('close', over);
}

function closing(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** `Last-Event-ID` is the place of the last frame seen. */
function offsetAfter(header: string | string[] | undefined): number {
  const last = Number(header ?? -1);
  return Number.isInteger(last) && last >= 0 ? last + 1 : 0;
}

function json(response: ServerResponse, value: unknown): void {
  text(response, JSON.stringify(value), 'application/json');
}

function text(response: ServerResponse, body: string, type = 'text/plain; charset=utf-8'): void {
  response.setHeader('content-type', type);
  response.setHeader('cache-control', 'no-store');
  response.end(body);
}

async function closed(server: Server, threads: Map<string, Thread>): Promise<void> {
  for (const thread of threads.values()) thread.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

// The Worker: a chat route whose children can be suspended in one isolate and resumed in another.
import { chatParamsFromRequest } from '@tanstack/ai';
import { recordTranscripts, transcriptSpanTool } from 'subcontract';
import { chatWithSubagents, toSubagentResponse } from 'subcontract/tanstack';
import type { Env } from './env.js';
import { model, researcher } from './researcher.js';
import { resumeStore, transcripts } from './stores.js';

export { Claim } from './claim.js';

export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname !== '/chat') return new Response('POST /chat', { status: 404 });
    if (request.method !== 'POST') return new Response('POST /chat', { status: 405, headers: { allow: 'POST' } });
    // What chatParamsFromRequest throws for a body that it cannot read is a response.
    return answer(request, env).catch((error) => (error instanceof Response ? error : Promise.reject(error)));
  },
};

async function answer(request: Request, env: Env): Promise<Response> {
  const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequest(request);
  const store = transcripts(env);
  const events = chatWithSubagents({
    adapter: model(env, env.PARENT_MODEL),
    messages,
    threadId,
    runId,
    parentRunId,
    resume,
    tools: [transcriptSpanTool({ store, threadId })],
    subagents: {
      agents: [researcher(env)],
      // With `bind: user.id` nobody but that user resumes them.
      seal: { keys: [{ id: '1', secret: secretOf(env) }], store: resumeStore(env) },
    },
  });
  return toSubagentResponse(recordTranscripts(events, { store, threadId }), { signal: request.signal });
}

/** The key that suspended children are sealed with. */
function secretOf(env: Env): Uint8Array {
  try {
    return Uint8Array.from(atob(env.SEAL_SECRET), (character) => character.charCodeAt(0));
  } catch {
    throw new TypeError('SEAL_SECRET must be base64 of at least 32 random bytes');
  }
}

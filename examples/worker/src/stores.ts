// Where suspended children and transcripts outlive an isolate: in KV, with claims in Durable Objects.
import { type ResumeStore, type TranscriptStore, unstorageTranscripts } from 'subcontract';
import { createStorage, type Storage } from 'unstorage';
import cloudflareKV from 'unstorage/drivers/cloudflare-kv-binding';
import type { Env } from './env.js';

/**
 * The store of suspended children. KV has no atomic operation: two isolates that resume one child at the same moment are told
 * apart by a Durable Object.
 */
export function resumeStore(env: Env): ResumeStore {
  const storage = storageOf(env);
  return {
    getItem: (key) => storage.getItem(key),
    setItem: (key, value, options) => storage.setItem(key, value, { ...options }),
    claim: (key, { ttl }) => env.CLAIMS.get(env.CLAIMS.idFromName(key)).take(ttl),
  };
}

/** The store of transcripts, for `fetch_transcript_span`. */
export function transcripts(env: Env): TranscriptStore {
  return unstorageTranscripts(storageOf(env));
}

function storageOf(env: Env): Storage {
  return createStorage({ driver: cloudflareKV({ binding: env.CHILDREN }) });
}

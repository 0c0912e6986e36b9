// Where transcripts are kept: in memory, or in any store with `unstorage`'s `getItem` and `setItem`.
import { digestOf } from './core.js';
import { wellFormedJson } from './json-text.js';
import { spelled } from './misuse.js';
import type { Transcript } from './transcript.js';

/** Keeps transcripts by their handle. */
export interface TranscriptStore {
  /** The transcript of this handle, if there is one. */
  load(ref: string): Promise<Transcript | undefined>;
  /** Keeps a transcript under its `ref`, in place of what was there. */
  save(transcript: Transcript): Promise<void>;
}

/** Transcripts in this process, of which the oldest make room: at most `limit`, by default 1,000. */
export function memoryTranscripts({ limit = 1000 }: { limit?: number } = {}): TranscriptStore {
  if (typeof limit !== 'number' || !(limit >= 1))
    throw new RangeError(`limit must be at least 1, not ${spelled(limit)}`);
  const texts = new Map<string, string>();
  return {
    async load(ref) {
      const text = texts.get(ref);
      return text === undefined ? undefined : (JSON.parse(text) as Transcript);
    },
    async save(transcript) {
      texts.delete(transcript.ref);
      texts.set(transcript.ref, JSON.stringify(transcript));
      for (const ref of texts.keys()) {
        if (texts.size <= limit) break;
        texts.delete(ref);
      }
    },
  };
}

/** What is asked of a storage: `unstorage` has it, and so have others. */
export interface KeyValueStorage {
  /** What was set under the key, as text or parsed; null or undefined when there is nothing. */
  getItem(key: string): Promise<unknown>;
  /** Sets the text under the key. */
  setItem(key: string, value: string): Promise<void>;
}

/** Transcripts in a storage, under keys that no handle can lead out of: `<base>:<handle>`. */
export function unstorageTranscripts(
  storage: KeyValueStorage,
  { base = 'transcripts' }: { base?: string } = {},
): TranscriptStore {
  const keyOf = (ref: string) => `${base}:${fileName(ref)}`;
  return {
    async load(ref) {
      const found = await storage.getItem(keyOf(ref));
      // unstorage parses what looks like JSON; other storages give the text back.
      const value: unknown = typeof found === 'string' ? parsed(found, ref) : found;
      // A file system that does not tell cases apart may give another handle's.
      return isTranscript(value) && value.ref === ref ? value : undefined;
    },
    save: (transcript) => storage.setItem(keyOf(transcript.ref), JSON.stringify(transcript)),
  };
}

/** What was stored. What the parser says of a text that is none has a part of it. */
function parsed(text: string, ref: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`what is stored under the transcript ${JSON.stringify(ref)} is no JSON`);
  }
}

/** File systems take names of 255 bytes, to which a driver may add. */
const LONGEST_NAME = 200;

/** A handle as one segment of a key, on every driver: letters, digits, `_` and `-`, the rest as code points. */
function fileName(ref: string): string {
  // A driver on files takes an empty name for the folder.
  if (ref === '') return '=';
  const name = ref.replace(/[^A-Za-z0-9_-]/gu, (character) => `=${character.codePointAt(0)?.toString(16)}=`);
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, 100)}=${digestOf(wellFormedJson(ref))}`;
}

function isTranscript(value: unknown): value is Transcript {
  const found = value as Partial<Transcript> | null | undefined;
  return typeof found?.ref === 'string' && typeof found.threadId === 'string' && Array.isArray(found.entries);
}

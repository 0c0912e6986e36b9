// What a store keeps of a suspension: the sealed state, who resumed it with which answers, and what came of it.
import type { ResumeEntry } from '../ag-ui/events.js';
import { digestOf } from '../core.js';
import { ResumeError } from '../errors.js';
import { wellFormedJson } from '../json-text.js';
import type { ResumeStore } from './resume-store.js';

/** What a claim came to: the child is this caller's to run, or it has ended before. */
export type Claim = { mine: true } | { mine: false; envelopeText: string };

/** Before each text: `unstorage` parses what looks like JSON, and would round its numbers. */
const MARK = 'v1 ';

/** Claims being made in this process, for stores that have no atomic claim of their own. */
const claimedHere = new WeakMap<ResumeStore, Set<string>>();

/** The suspensions in one store. */
export class Suspensions {
  readonly #store: ResumeStore;
  /** In seconds. */
  readonly #ttl: number;

  constructor(store: ResumeStore, ttlMs: number) {
    this.#store = store;
    this.#ttl = Math.ceil(ttlMs / 1000);
  }

  /** Keeps the part of a token that the client does not carry. */
  async keep(id: string, text: string): Promise<void> {
    await this.#set(`${keyOf(id)}:state`, text);
  }

  /** The part of a token that was kept. Throws a `ResumeError` when there is none. */
  async find(id: string): Promise<string> {
    const text = await this.#get(`${keyOf(id)}:state`);
    if (text !== undefined) return text;
    throw new ResumeError('the store has no such suspended child, or no longer', { code: 'resume_not_found' });
  }

  /**
   * Takes a suspension for these answers. Throws a `ResumeError`: `resume_answered_differently`, or
   * `resume_in_progress` for one that was taken and has not ended, and may never.
   */
  async claim(id: string, answers: readonly ResumeEntry[]): Promise<Claim> {
    const digest = digestOfAnswers(answers);
    if (await this.#claim(`${keyOf(id)}:claim`)) {
      await this.#set(`${keyOf(id)}:answers`, digest);
      return { mine: true };
    }
    const before = await this.#get(`${keyOf(id)}:answers`);
    if (before !== undefined && before !== digest) {
      throw new ResumeError('this child was resumed before, with other answers', {
        code: 'resume_answered_differently',
      });
    }
    const envelopeText = await this.#get(`${keyOf(id)}:envelope`);
    if (envelopeText !== undefined) return { mine: false, envelopeText };
    throw new ResumeError('this child was resumed before and has not ended', { code: 'resume_in_progress' });
  }

  /** Keeps what came of a claimed suspension, so that it is not run again when the answer was lost on its way. */
  async end(id: string, envelopeText: string): Promise<void> {
    await this.#set(`${keyOf(id)}:envelope`, envelopeText);
  }

  async #claim(key: string): Promise<boolean> {
    const store = this.#store;
    if (store.claim) {
      const taken: unknown = await asked(async () => store.claim?.(key, { ttl: this.#ttl }));
      if (typeof taken === 'boolean') return taken;
      // Redis' own 'OK', say: it would pass for a child that somebody else has.
      throw new ResumeError(`the store's claim must answer true or false, and answered a ${typeof taken}`, {
        code: 'resume_store_failed',
      });
    }
    const here = claimedHere.get(store) ?? new Set();
    claimedHere.set(store, here);
    if (here.has(key)) return false;
    here.add(key);
    try {
      // Another process may have it: seen, unless it asks at the same moment.
      if ((await this.#get(key)) !== undefined) return false;
      await this.#set(key, '1');
      return true;
    } finally {
      here.delete(key);
    }
  }

  async #get(key: string): Promise<string | undefined> {
    const value = await asked(async () => this.#store.getItem(key));
    return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined;
  }

  async #set(key: string, text: string): Promise<void> {
    await asked(async () => this.#store.setItem(key, MARK + text, { ttl: this.#ttl }));
  }
}

/**
 * Asks the store, whose failures say that they are its. What it said is the `cause`, and not in the message, which goes to
 * the client: a driver's sentence names files, hosts, and with a connection URL its password.
 */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new ResumeError('the store of suspended children failed', { code: 'resume_store_failed', cause });
  }
}

/** A key of any store, file systems among them, whatever a host's ids are made of. Two ids never share one. */
function keyOf(id: string): string {
  return `resume:${id.replace(/[^A-Za-z0-9-]/g, (unit) => `_${unit.charCodeAt(0).toString(16)}_`)}`;
}

/** Equal for the same answers in any order. Metadata is the transport's. */
function digestOfAnswers(answers: readonly ResumeEntry[]): string {
  const said = answers.map(({ interruptId, status, payload }) => [interruptId, { status, payload }]);
  return digestOf(wellFormedJson(Object.fromEntries(said)));
}

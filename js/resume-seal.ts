// `resumeSeal`: how a host protects suspended children: keys, and, if it likes, encryption and a store.
import type { ResumeEntry } from './ag-ui/events.js';
import { assertString } from './boundary.js';
import { openResumeState } from './core.js';
import { ResumeError } from './errors.js';
import { assertOneOf } from './misuse.js';
import type { ResumeState } from './resume.js';
import {
  assertExpectation,
  assertFields,
  CARRIED_BYTES,
  checkTokenSize,
  openBody,
  type SealedExpectation,
  sizedBody,
  sizeLimit,
} from './seal.js';
import { decrypt, encrypt } from './seal-cipher.js';
import { KeyRing, type SealKey } from './seal-keys.js';
import { assertBind, assertTtl, bodyText, openToken, sealBody, stateText, wholeTime } from './sealed-token.js';
import type { ResumeStore } from './stores/resume-store.js';
import { type Claim, Suspensions } from './stores/suspensions.js';

/** How suspended children are protected on their way through the client. */
export interface SealOptions {
  /** The first one seals, each opens what it sealed: put a new one first, and keep the old one for a `ttl`. */
  keys: readonly SealKey[];
  /**
   * Keeps the state here: the client then carries an id and a MAC. With an atomic `claim` a child is resumed, and an
   * approved tool run, at most once across requests; without a store, once within a request.
   */
  store?: ResumeStore;
  /** Hides the state from whoever carries or stores it. */
  encrypt?: boolean;
  /** How long a child may be resumed, in milliseconds. Default seven days. */
  ttl?: number;
  /** Whose the children are: a user or a tenant. Nobody else resumes them. */
  bind?: string | undefined;
  /**
   * When the agent's contract is no longer the one that a child was suspended under: `'refuse'`, the default, or
   * `'revalidate'`, which judges the return by the one that holds now.
   */
  onContractChange?: 'refuse' | 'revalidate';
  /** How large a state may be, in bytes. Default 1 MiB, or 16 MiB with a store. */
  maxBytes?: number;
}

/** The choice that every host makes. `'none'`: whoever holds the state can read and change it. */
export type Seal = SealOptions | ResumeSeal | 'none';

const WEEK = 7 * 24 * 60 * 60 * 1000;
const STORED_BYTES = 16 << 20;
/** Of a suspension, in bytes: whatever a client sends as one is asked of the store. */
const LONGEST_ID = 256;
/** Of what a token is remembered by, in UTF-16 units: a thread's id and an invocation's. */
const LONGEST_NAME = 1024;
const REFERENCE = /^sr1\.s\.([A-Za-z0-9_-]{1,342})\.([A-Za-z0-9_-]{43})$/;
const LONGEST_REFERENCE = 'sr1.s.'.length + 342 + '.'.length + 43;
const FIELDS: readonly string[] = [
  'keys',
  'store',
  'encrypt',
  'ttl',
  'bind',
  'onContractChange',
  'maxBytes',
] satisfies (keyof SealOptions)[];

/** Seals and opens as a {@link SealOptions} says. Made by {@link resumeSeal}. */
export class ResumeSeal {
  readonly #keys: KeyRing;
  readonly #options: SealOptions;
  readonly #ttl: number;
  readonly #maxBytes: number;
  readonly #suspensions: Suspensions | undefined;

  /** @internal */
  constructor(options: SealOptions) {
    assertFields(options, 'seal', FIELDS);
    const { keys, store, encrypt, ttl = WEEK, bind, onContractChange = 'refuse' } = options;
    this.#keys = new KeyRing(keys);
    this.#options = { ...options, keys: [] };
    assertTtl('seal.ttl', ttl);
    assertBind(bind);
    if (store !== undefined) assertStore(store);
    if (encrypt !== undefined && typeof encrypt !== 'boolean')
      throw new TypeError('seal.encrypt must be true or false');
    assertOneOf('seal.onContractChange', onContractChange, ['refuse', 'revalidate']);
    this.#ttl = ttl;
    this.#maxBytes = sizeLimit(options.maxBytes, store ? STORED_BYTES : CARRIED_BYTES);
    this.#suspensions = store && new Suspensions(store, ttl);
  }

  /** What to do when the contract has changed. */
  get onContractChange(): 'refuse' | 'revalidate' {
    return this.#options.onContractChange ?? 'refuse';
  }

  /** Seals a state: the text for the client to carry. Throws a `ResumeError` `resume_too_large`. */
  async seal(state: ResumeState, now: number = Date.now()): Promise<string> {
    const { encrypt: hidden, bind } = this.#options;
    const key = this.#keys.sealing;
    const body = sizedBody(stateText(state, { now, ttl: this.#ttl, bind }), this.#maxBytes);
    const token = hidden ? sealBody('encrypted', await encrypt(body, key), key) : sealBody('plain', body, key);
    if (!this.#suspensions) return token;
    const { kept, mac } = split(token);
    if (new TextEncoder().encode(state.id).length > LONGEST_ID) {
      throw new ResumeError(`the id of a suspended child may have ${LONGEST_ID} bytes`, { code: 'resume_too_large' });
    }
    const id = base64url(state.id);
    // As it will be read: a lone surrogate of a host's id does not come back.
    await this.#suspensions.keep(fromBase64url(id), kept);
    return `sr1.s.${id}.${mac}`;
  }

  /**
   * Opens what {@link seal} gave, and compares it with what is expected. `now: null` opens an expired state too, to be
   * cancelled. Throws a `ResumeError`, see `openResume`; with a store also `resume_not_found`.
   */
  async open(text: string, expect: SealedExpectation, now: number | null = Date.now()): Promise<ResumeState> {
    assertString(text);
    assertExpectation(expect);
    if (now !== null) wholeTime(now);
    checkTokenSize(text, this.#maxBytes);
    const { form, keyId, body } = openToken(await this.#whole(text), this.#keys);
    const plain = form === 'encrypted' ? await decrypt(body, this.#keys.of(keyId)) : body;
    const { bind, onContractChange } = this.#options;
    return openBody(bodyText(plain), {
      now: now ?? undefined,
      expect,
      bind,
      ...(onContractChange && { onContractChange }),
    });
  }

  /** Takes a child for this caller alone, where there is a store. Throws a `ResumeError`. @internal */
  async claim(id: string, answers: readonly ResumeEntry[]): Promise<Claim> {
    return this.#suspensions ? this.#suspensions.claim(id, answers) : { mine: true };
  }

  /** Keeps what came of a claimed child, where there is a store. @internal */
  async ended(id: string, envelopeText: string): Promise<void> {
    await this.#suspensions?.end(id, envelopeText);
  }

  /** Keeps a token under a name that its child's host will say again, where there is a store. @internal */
  async remember(name: string, token: string): Promise<void> {
    await this.#suspensions?.keep(`token ${name}`, token);
  }

  /** What {@link remember} kept; nothing without a store, and nothing that it does not have. @internal */
  async recall(name: string): Promise<string | undefined> {
    if (!this.#suspensions || name.length > LONGEST_NAME) return undefined;
    try {
      return await this.#suspensions.find(`token ${name}`);
    } catch (error) {
      if (error instanceof ResumeError && error.code === 'resume_not_found') return undefined;
      throw error;
    }
  }

  /** The whole token: with a store the client has carried the id and the MAC, and the rest is in there. */
  async #whole(text: string): Promise<string> {
    if (!this.#suspensions) {
      if (!text.startsWith('sr1.s.')) return text;
      throw new ResumeError('the resume token refers to a store, and seal has none', { code: 'resume_not_found' });
    }
    const [, id = '', mac] = REFERENCE.exec(text) ?? [];
    // A whole token is what a host without a store gave out; it opens as it did there.
    if (mac === undefined && !text.startsWith('sr1.s.')) return text;
    if (text.length > LONGEST_REFERENCE)
      throw new ResumeError('this is no resume token', { code: 'resume_unreadable' });
    if (mac === undefined)
      throw new ResumeError('the end of the resume token is missing', { code: 'resume_truncated' });
    return `${await this.#suspensions.find(fromBase64url(id))}.${mac}`;
  }
}

/**
 * How a host seals suspended children, checked: what `seal` options take as well. A framework with a loop of its own seals
 * and opens with it.
 *
 * Throws a `TypeError` for keys that cannot be used.
 *
 * # Example: the client carries an id and a MAC
 * ```ts
 * const seal = resumeSeal({ keys: [{ id: '2026-11', secret }], store: memoryResumeStore() });
 * const token = await seal.seal(state);
 * const opened = await seal.open(token, { threadId, toolCallId, subagent: 'researcher', brief });
 * ```
 */
export function resumeSeal(options: SealOptions): ResumeSeal {
  return new ResumeSeal(options);
}

/** The seal that a `seal` option stands for; undefined for `'none'`. Throws a `TypeError` for anything else. */
export function sealOf(seal: Seal): ResumeSeal | undefined {
  if (seal === 'none') return undefined;
  if (seal instanceof ResumeSeal) return seal;
  if (typeof seal === 'object' && seal !== null) return new ResumeSeal(seal);
  throw new TypeError("seal must be { keys, store? } or 'none'");
}

/**
 * A suspended child's state, out of what a client carries of it. Not by time: an expired child can still be cancelled, which is
 * decided when it goes on. Throws a `ResumeError`.
 */
export async function openedState(
  seal: ResumeSeal | undefined,
  token: string,
  expect: SealedExpectation,
): Promise<ResumeState> {
  return seal ? seal.open(token, expect, null) : openResumeState(token, expect);
}

/** Throws a `TypeError` for what is no store: the first child that suspends should not find out, nor go without one. */
function assertStore(store: Partial<ResumeStore> | null): void {
  const { getItem, setItem, claim } = store ?? {};
  if (typeof getItem !== 'function' || typeof setItem !== 'function') {
    throw new TypeError('seal.store must have getItem and setItem, as a storage of unstorage has');
  }
  if (claim !== undefined && typeof claim !== 'function') throw new TypeError('seal.store.claim must be a function');
}

function split(token: string): { kept: string; mac: string } {
  const at = token.lastIndexOf('.');
  return { kept: token.slice(0, at), mac: token.slice(at + 1) };
}

function base64url(text: string): string {
  const binary = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64url(text: string): string {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
    if (base64url(decoded) === text) return decoded;
  } catch {}
  throw new ResumeError('this is no resume token', { code: 'resume_unreadable' });
}

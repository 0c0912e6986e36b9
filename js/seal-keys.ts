// The keys that resume state is sealed under: checked once, then kept where no log or inspection shows them.
import { ResumeError } from './errors.js';

/** A secret and its name. Make the secret with a random source, `crypto.getRandomValues(new Uint8Array(32))`. */
export interface SealKey {
  /** Tokens show it: 1 to 64 bytes of UTF-8, and another one for each secret. */
  id: string;
  /** At least 32 bytes. */
  secret: Uint8Array;
}

const SHORTEST_SECRET = 32;
const LONGEST_ID = 64;

/** The keys of one host: the first seals, each opens what it sealed. */
export class KeyRing {
  /** A map, so that no id can name what an object inherits. */
  readonly #secrets = new Map<string, Uint8Array>();
  readonly #first: string;

  /** Throws a `TypeError` for keys that cannot be used. */
  constructor(keys: readonly SealKey[]) {
    if (!Array.isArray(keys) || keys.length === 0) throw new TypeError('seal needs at least one key in keys');
    for (const [index, key] of (keys as readonly (SealKey | null | undefined)[]).entries()) {
      const at = `keys[${index}]`;
      const { id, secret } = key ?? ({} as Partial<SealKey>);
      if (typeof id !== 'string' || id === '' || new TextEncoder().encode(id).length > LONGEST_ID) {
        throw new TypeError(`${at}.id must be a text of 1 to ${LONGEST_ID} bytes`);
      }
      if (!(secret instanceof Uint8Array)) throw new TypeError(`${at}.secret must be a Uint8Array`);
      if (secret.length < SHORTEST_SECRET) {
        throw new TypeError(`${at}.secret must have at least ${SHORTEST_SECRET} bytes`);
      }
      if (this.#secrets.has(id)) throw new TypeError(`${at}.id is ${JSON.stringify(id)}, as of a key before it`);
      this.#secrets.set(id, secret.slice());
    }
    this.#first = (keys[0] as SealKey).id;
  }

  /** The key to seal under. */
  get sealing(): SealKey {
    return this.of(this.#first);
  }

  /** The key of this id. Throws a `ResumeError` when there is none. */
  of(id: string): SealKey {
    const secret = this.#secrets.get(id);
    if (secret) return { id, secret };
    throw new ResumeError('the resume token was sealed under a key that is not among the given ones', {
      code: 'resume_unknown_key',
    });
  }
}

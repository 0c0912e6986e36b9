// Sealed tokens, as the core makes and reads them.
import { call } from './boundary.js';
import { ResumeError, SubcontractError } from './errors.js';
import { wellFormedJson } from './json-text.js';
import type { ResumeState } from './resume.js';
import type { KeyRing, SealKey } from './seal-keys.js';

/** For how long and for whom state is sealed. */
export interface SealTerms {
  /** Milliseconds since the epoch. */
  now: number;
  /** How long the child may be resumed, in milliseconds. */
  ttl: number;
  /** Whose it is: a user or a tenant, as the host names them. The token shows it, unless it is encrypted. */
  bind?: string | undefined;
}

/** What a token says of itself. */
export interface TokenHead {
  form: 'plain' | 'encrypted';
  keyId: string;
}

/** A state's text under these terms: the body of a token. Throws a `ResumeError`. */
export function stateText(state: ResumeState, { now, ttl, bind }: SealTerms): string {
  if (!Number.isSafeInteger(ttl) || ttl <= 0) {
    throw new RangeError(`ttl must be a whole number of milliseconds above 0, not ${String(ttl)}`);
  }
  const json = wellFormedJson(state);
  const terms = wellFormedJson({ now: Math.floor(now), ttl, bind });
  return refusing(() => call((core) => core.write_resume_state_under(json, terms)));
}

/** Seals a body. */
export function sealBody(form: TokenHead['form'], body: Uint8Array, { id, secret }: SealKey): string {
  return refusing(() => call((core) => core.seal_body(form === 'encrypted', body, id, secret)));
}

/** Reads what a token says of itself, which nobody has to believe yet. Throws a `ResumeError`. */
export function readToken(token: string): TokenHead {
  const read = refusing(() => call((core) => core.read_token(token)));
  const { form, keyId } = JSON.parse(read) as { form: string; keyId: string };
  return { form: form === 'e' ? 'encrypted' : 'plain', keyId };
}

/** A token's body, when it was sealed under one of the keys and nobody has changed it since. Throws a `ResumeError`. */
export function openToken(token: string, keys: KeyRing): TokenHead & { body: Uint8Array } {
  const head = readToken(token);
  const { secret } = keys.of(head.keyId);
  return { ...head, body: refusing(() => call((core) => core.open_token(token, secret))) };
}

/** The text of a body. Throws a `ResumeError` when it is none. */
export function bodyText(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new ResumeError('this is no resume state: it is not valid UTF-8', { code: 'resume_unreadable', cause });
  }
}

/** Runs `refuse`, whose refusals are about resume state. */
export function refusing<T>(refuse: () => T): T {
  try {
    return refuse();
  } catch (error) {
    if (!(error instanceof SubcontractError) || error instanceof ResumeError || error.code === 'internal_error') {
      throw error;
    }
    throw new ResumeError(error.message, { code: error.code, cause: error });
  }
}

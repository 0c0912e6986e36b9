// Sealed tokens, as the core makes and reads them.
import { ask, call } from './boundary.js';
import { ResumeError, SubcontractError } from './errors.js';
import { isPlainObject, noJson, toJsonText, wellFormed, wellFormedJson } from './json-text.js';
import { spelled } from './misuse.js';
import { type ResumeState, readState } from './resume.js';
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
  assertTtl('ttl', ttl);
  assertBind(bind);
  const terms = wellFormedJson({ now: wholeTime(now), ttl, bind });
  const json = toJsonText(state);
  if (!json.ok) throw unreadable(`it is ${noJson(json)}`);
  // Now, and not when the child is to go on.
  if (!isPlainObject(state)) throw unreadable('expected an object');
  readState(state);
  return refusing(() => ask('WriteResumeStateUnder', wellFormed(json.text), terms));
}

/** Throws a `RangeError` for what is no length of time. */
export function assertTtl(name: string, ttl: number): void {
  if (Number.isSafeInteger(ttl) && ttl > 0) return;
  throw new RangeError(`${name} must be a whole number of milliseconds above 0, not ${spelled(ttl)}`);
}

/** A time in whole milliseconds since the epoch. Throws a `RangeError`: what is no time would be compared with nothing. */
export function wholeTime(now: number): number {
  if (typeof now === 'number' && now >= 0 && Number.isSafeInteger(Math.floor(now))) return Math.floor(now);
  throw new RangeError(`now must be a time in milliseconds since the epoch, not ${spelled(now)}`);
}

/** Throws a `TypeError` for what names nobody. */
export function assertBind(bind: unknown): void {
  if (bind === undefined || (typeof bind === 'string' && bind !== '')) return;
  throw new TypeError('bind must be a text that names a user or a tenant');
}

function unreadable(why: string): ResumeError {
  return new ResumeError(`this is no resume state: ${why}`, { code: 'resume_unreadable' });
}

/** Seals a body. */
export function sealBody(form: TokenHead['form'], body: Uint8Array, { id, secret }: SealKey): string {
  return refusing(() => call((core) => core.seal_body(form === 'encrypted', body, id, secret)));
}

/** Reads what a token says of itself, which nobody has to believe yet. Throws a `ResumeError`. */
function readToken(token: string): TokenHead {
  const read = refusing(() => ask('ReadToken', token));
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
    // The core's own word for a record that it cannot read: here that is the state.
    if (error.code === 'invalid_options') throw unreadable(error.message);
    throw new ResumeError(error.message, { code: error.code, cause: error });
  }
}

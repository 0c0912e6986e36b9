// The encryption of sealed state: AES-256-GCM through WebCrypto, under a key derived from the sealing secret.
import { ResumeError } from './errors.js';
import type { SealKey } from './seal-keys.js';

const NONCE_BYTES = 12;
const INFO = 'subcontract.resume-state encryption';
const VERSION = 'sr1';

/** Encrypts a body: a random nonce, then the ciphertext with its tag. Version and key id are authenticated with it. */
export async function encrypt(body: Uint8Array<ArrayBuffer>, key: SealKey): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const secret = await derive(key, 'encrypt');
  const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters(iv, key.id), secret, body));
  const out = new Uint8Array(NONCE_BYTES + sealed.length);
  out.set(iv);
  out.set(sealed, NONCE_BYTES);
  return out;
}

/** Decrypts what {@link encrypt} made. Throws a `ResumeError`. */
export async function decrypt(sealed: Uint8Array, key: SealKey): Promise<Uint8Array> {
  const iv = sealed.slice(0, NONCE_BYTES);
  const secret = await derive(key, 'decrypt');
  try {
    return new Uint8Array(await crypto.subtle.decrypt(parameters(iv, key.id), secret, sealed.slice(NONCE_BYTES)));
  } catch (cause) {
    throw new ResumeError('the resume token cannot be decrypted', { code: 'resume_tampered', cause });
  }
}

function parameters(iv: Uint8Array<ArrayBuffer>, keyId: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(`${VERSION} ${keyId}`) };
}

/** HKDF gives the cipher a key of its own: the secret itself is the MAC's. */
async function derive({ secret }: SealKey, usage: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', secret.slice(), 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode(INFO);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    [usage],
  );
}

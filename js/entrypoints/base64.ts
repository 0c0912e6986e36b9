/** Decodes the core that the synchronous entries carry as text. */

type Decoders = typeof globalThis & {
  Buffer?: { from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer> };
};

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as Decoders;
  if (Buffer !== undefined) return Buffer.from(text, 'base64');
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

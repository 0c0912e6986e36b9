// Texts that are cut, never through a character.

/** `at`, or one less where that would part a surrogate pair. */
export function boundary(text: string, at: number): number {
  const inside = at > 0 && at < text.length && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return inside ? at - 1 : at;
}

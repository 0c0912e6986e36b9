// The host's transcript handle in a return, in place of one that the child made up.
import type { Contract } from './contract.js';
import type { Flag } from './core.js';
import { isPlainObject } from './json-text.js';
import { rewrite } from './refine.js';

/** Where a return has its handle. */
export const HANDLE = '/transcript_ref';

/** A text and what is to be known of its value. */
interface Text {
  text: string;
  flags: Flag[];
}

/**
 * The return with the host's handle, which a child cannot know, in place of its own. Where the contract does not take that, or
 * the host keeps no transcript, the child's own is taken out, or is null. `given` itself: the return has no handle but the
 * host's. Nothing: the contract takes none of these.
 */
export function withHandle(contract: Contract, given: Text, handle: string | undefined): Text | undefined {
  // A name may be spelled with escapes.
  if (!/transcript_ref|\\u/.test(given.text)) return given;
  const value: unknown = JSON.parse(given.text);
  if (!isPlainObject(value) || !Object.hasOwn(value, 'transcript_ref') || value.transcript_ref === handle) return given;
  for (const transcript_ref of handle === undefined ? [undefined, null] : [handle, undefined, null]) {
    if (value.transcript_ref === transcript_ref) return given;
    const changed = rewrite(given, { ...value, transcript_ref });
    if ('text' in changed && contract.isValid(changed.text)) return { text: changed.text, flags: changed.flags };
  }
  return undefined;
}

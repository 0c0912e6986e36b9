// Slot telemetry: which parts of a rendered return a parent's later text acted on, so that a team can trim its contract.

import { assertString } from './boundary.js';
import { assertObject } from './misuse.js';

/** One slot of a rendered text: how many entries it showed, and the markers of those that were acted on. */
export interface SlotUse {
  shown: number;
  actedOn: string[];
}

/** What a parent did after it read a rendered return. */
export interface LaterActs {
  /** What it wrote. An entry is acted on where its marker stands in brackets: `[f1]`, `[f1, a2]`. */
  texts?: readonly string[];
  /** Open questions that it sent on, as {@link followUps} spells them. */
  questions?: readonly string[];
}

const SLOTS = { finding: 'findings', assumption: 'assumptions', unresolved: 'unresolved' } as const;

/**
 * Which findings, assumptions and open questions were acted on, of a text that {@link renderForParent} wrote with `markers`. Without
 * markers nothing is shown and nothing acted on: telemetry is off unless a host asks for it. It counts; it sends nothing.
 */
export function slotUse(
  rendered: string,
  later: LaterActs,
): Record<'findings' | 'assumptions' | 'unresolved', SlotUse> {
  assertString(rendered);
  assertObject('what the parent did later', later);
  const named = new Set<string>();
  for (const text of later.texts ?? []) {
    for (const [, list] of text.matchAll(/\[((?:[fau]\d+)(?:,\s*[fau]\d+)*)\]/g)) {
      for (const marker of list?.split(',') ?? []) named.add(marker.trim());
    }
  }
  const asked = new Set(later.questions);
  const use = { findings: none(), assumptions: none(), unresolved: none() };
  for (const line of rendered.split('\n')) {
    const [, kind, marker, rest = ''] = /^(finding|assumption|unresolved) ([fau]\d+)(?:[:,]| \()(.*)$/.exec(line) ?? [];
    if (kind === undefined || marker === undefined) continue;
    const slot = use[SLOTS[kind as keyof typeof SLOTS]];
    slot.shown += 1;
    const question = kind === 'unresolved' ? firstString(rest) : undefined;
    if (named.has(marker) || (question !== undefined && asked.has(question))) slot.actedOn.push(marker);
  }
  return use;
}

function none(): SlotUse {
  return { shown: 0, actedOn: [] };
}

/** The JSON string that a line's text starts with. */
function firstString(text: string): string | undefined {
  const [found] = /"(?:[^"\\]|\\.)*"/.exec(text) ?? [];
  try {
    return found === undefined ? undefined : (JSON.parse(found) as string);
  } catch {
    // A text that renderForParent did not write.
    return undefined;
  }
}

// What a child hedged, and a mechanical test for whether a text still says so.
import type { StrictResearchResult } from 'subcontract';

export type CaveatKind = 'assumption' | 'open question' | 'hedged finding' | 'gap';

export interface Caveat {
  kind: CaveatKind;
  /** The child's own words. */
  text: string;
}

/** Kept: the words and the hedge are there. Hedge lost: the words alone are. Absent: neither. */
export type Presence = 'kept' | 'hedge lost' | 'absent';

/** Printed with the table, so that a reader can judge the test. */
export const DEFINITION =
  'A caveat is an entry of assumptions, unresolved or coverage.not_searched, or a finding below "verified". Its words are found where one passage has at least two thirds of its distinctive words (4 letters or more, compared by their first five letters; ids and numbers whole). A passage is one sentence of prose, or one list entry of JSON with the names of its slots. It is kept if that passage also has a word that marks its kind ("assume", "whether", "likely", "inferred", "not searched", ...). Looked for in what the arm hands over for that child, nowhere else.';

const MARKS: Record<CaveatKind, RegExp> = {
  assumption: /\b(assum\w*|presum\w*|suppos\w*|taken as|took .* as|provided that)/i,
  'open question':
    /\b(unresolved|unknown|unclear|open question|whether|not known|could not|cannot tell|not determined|does not say|leaves? (it )?open)\b|\?/i,
  'hedged finding':
    /\b(inferred|infers?|reported|reportedly|likely|probably|appears?|seems?|suggests?|may|might|according to|unverified|not verified|asserts?|expect\w*|estimate\w*)\b/i,
  gap: /\b(not[_ ]searched|not checked|not read|not looked|not covered?|did not (look|check|read|search)|unchecked|outside the)\b/i,
};

const STOP = new Set(
  'about after again also because been before being does each every from have into itself more most none only other over same says such than that their them then there these they this those through under until were what when where which while whose will with would'.split(
    ' ',
  ),
);

export function caveatsOf(record: StrictResearchResult): Caveat[] {
  const hedged = record.findings.filter(({ confidence }) => confidence !== 'verified');
  return [
    ...record.assumptions.map((text) => ({ kind: 'assumption' as const, text })),
    ...record.unresolved.map(({ question }) => ({ kind: 'open question' as const, text: question })),
    ...hedged.map(({ claim }) => ({ kind: 'hedged finding' as const, text: claim })),
    ...record.coverage.not_searched.map((text) => ({ kind: 'gap' as const, text })),
  ];
}

/** Looks for a caveat in texts, each of which is JSON or prose. */
export function presenceOf(caveat: Caveat, texts: string[]): Presence {
  const wanted = distinctive(caveat.text);
  const found = texts.flatMap(passages).filter((passage) => {
    const has = distinctive(passage);
    return [...wanted].filter((word) => has.has(word)).length >= (2 / 3) * wanted.size;
  });
  if (found.length === 0) return 'absent';
  return found.some((passage) => MARKS[caveat.kind].test(passage)) ? 'kept' : 'hedge lost';
}

function distinctive(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9][a-z0-9_-]*/g) ?? [];
  const kept = words.filter((word) => /\d/.test(word) || (word.length >= 4 && !STOP.has(word)));
  return new Set(kept.map((word) => (/\d/.test(word) ? word : word.slice(0, 5))));
}

function passages(text: string): string[] {
  const json = parse(text);
  if (typeof json === 'object' && json !== null) return entries(json, '');
  return text.split(/(?<=[.!?;])\s+|\n+/);
}

/** One passage for each list entry and each lone value, with the slots that lead to it. */
function entries(value: unknown, slots: string): string[] {
  if (Array.isArray(value)) return value.map((item) => `${slots} ${flat(item)}`);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => entries(inner, `${slots} ${name}`));
  }
  return [`${slots} ${String(value)}`];
}

function flat(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${Array.isArray(value) ? '' : name} ${flat(inner)}`)
    .join(' ');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A child's text as a page may show it: what hides, or changes how the rest is laid out, is written out.

/** A stretch of text, or one character that is not shown as it is: `U+202E`. */
export type VisiblePart = string | { readonly hidden: string };

/**
 * The code points that the core's renderer writes out too: controls, default-ignorable and bidirectional characters, line and
 * paragraph separators, annotations, noncharacters. Of lone surrogates a page would show a box.
 */
const HIDDEN =
  '\\p{Cc}\\p{Cs}\\p{DI}\\p{Zl}\\p{Zp}\\u2800\\ufdd0-\\ufdef\\ufff9-\\ufffc\\ufffe\\uffff' +
  '\\u{13430}-\\u{1345f}\\u{1d159}\\u{1fffe}\\u{1ffff}\\u{10fffe}\\u{10ffff}';
const SPLIT = /* @__PURE__ */ new RegExp(`([${HIDDEN}])`, 'u');
const ALL = /* @__PURE__ */ new RegExp(`[${HIDDEN}]`, 'gu');

/**
 * A text in parts, with every hidden character on its own. Line breaks and tabs are layout that a reader sees: they stay,
 * unless `oneLine`.
 */
export function visibleParts(text: string, oneLine = false): readonly VisiblePart[] {
  if (!SPLIT.test(text)) return [text];
  const parts: VisiblePart[] = [];
  const given = oneLine ? text : text.replaceAll('\r\n', '\n');
  for (const [at, piece] of given.split(SPLIT).entries()) {
    if (piece === '') continue;
    const layout = !oneLine && (piece === '\n' || piece === '\t');
    if (at % 2 === 1 && !layout) parts.push({ hidden: `U+${hex(piece).toUpperCase().padStart(4, '0')}` });
    else if (typeof parts.at(-1) === 'string') parts[parts.length - 1] += piece;
    else parts.push(piece);
  }
  return parts;
}

/** A text on one line, its hidden characters as `\u{202e}`. */
export function visibleText(text: string): string {
  return text.replace(ALL, (character) => `\\u{${hex(character)}}`);
}

function hex(character: string): string {
  return character.codePointAt(0)?.toString(16) ?? '';
}

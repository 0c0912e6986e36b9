// A child's text in a page: what hides in it is written out, and it is the same set as in the core's renderer.
import { renderForParent } from 'subcontract';
import { visibleParts, visibleText } from 'subcontract/cards';
import { expect, it } from 'vitest';

const SURROGATE = /[\ud800-\udfff]/;

it('writes out exactly what the core’s renderer does, of all of Unicode', () => {
  const differs: string[] = [];
  for (let from = 0; from < 0x110000; from += 0x400) {
    const characters: string[] = [];
    for (let code = from; code < from + 0x400; code += 1) {
      const character = String.fromCodePoint(code);
      if (code > 0xffff || !SURROGATE.test(character)) characters.push(character);
    }
    if (characters.length === 0) continue;
    // Each between two letters, so that nothing is told from what stands beside it.
    const rendering = renderForParent(
      { assumptions: [characters.map((one) => `a${one}b`).join(' ')] },
      { maxTokens: 1e9 },
    );
    const line = 'text' in rendering ? (rendering.text.split('assumption: ')[1] ?? '').split('\n')[0] : '';
    const shown = (JSON.parse(line ?? '""') as string).split(/(?<=b) (?=a)/);
    expect(shown).toHaveLength(characters.length);
    // The string is JSON: an escape in its text is what was written out.
    const raw = (line ?? '').slice(1, -1).split(/(?<=b) (?=a)/);
    for (const [at, character] of characters.entries()) {
      const escaped = !(raw[at] ?? '').includes(character) || character === '"' || character === '\\';
      const markup = ['"', '\\', '<'].includes(character);
      if (!markup && escaped !== (visibleText(character) !== character)) {
        differs.push(`U+${(character.codePointAt(0) ?? 0).toString(16)}`);
      }
    }
  }
  expect(differs).toEqual([]);
}, 60_000);

it.each<[string, string, unknown[]]>([
  ['plain text is one part', 'naïve 漢字 🙂 שלום', ['naïve 漢字 🙂 שלום']],
  ['bidirectional controls', 'a\u202eb\u2066c', ['a', { hidden: 'U+202E' }, 'b', { hidden: 'U+2066' }, 'c']],
  ['zero width', 'ze\u200bro', ['ze', { hidden: 'U+200B' }, 'ro']],
  ['beyond the basic plane', 'x\u{e0041}', ['x', { hidden: 'U+E0041' }]],
  ['a lone surrogate', 'x\ud800y', ['x', { hidden: 'U+D800' }, 'y']],
  ['terminal escapes', '\u001b[31m', [{ hidden: 'U+001B' }, '[31m']],
  ['layout stays', 'a\n\tb\r\nc', ['a\n\tb\nc']],
  ['a lone carriage return is none', 'a\rb', ['a', { hidden: 'U+000D' }, 'b']],
  ['nothing', '', ['']],
])('%s', (_name, text, parts) => {
  expect(visibleParts(text)).toEqual(parts);
});

it('on one line a line break is written out too', () => {
  expect(visibleParts('a\nb', true)).toEqual(['a', { hidden: 'U+000A' }, 'b']);
  expect(visibleText('a\nb\u202e')).toBe('a\\u{a}b\\u{202e}');
});

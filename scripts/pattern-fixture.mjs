// Writes tests/fixtures/ecma-patterns.json: what V8 says of many patterns (valid under flag u?) and texts (does it match?).
import { writeFileSync } from 'node:fs';

let seed = Number(process.argv[3] ?? 20261130);
const random = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor((seed / 2 ** 32) * n);
};
const pick = (list) => list[random(list.length)];
const pieces = [
  'a',
  'b',
  'c',
  'é',
  '字',
  '😀',
  '0',
  '-',
  '_',
  ' ',
  '.',
  '^',
  '$',
  '|',
  '|',
  '(',
  '(',
  '(?:',
  '(?<n>',
  '(?<m>',
  ')',
  ')',
  ')',
  '*',
  '+',
  '?',
  '{2}',
  '{1,2}',
  '{0,}',
  '{',
  '}',
  '[',
  ']',
  '[^',
  '[ab]',
  '[^a-c]',
  '[\\d-]',
  '[a-é]',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\b',
  '\\B',
  '\\t',
  '\\0',
  '\\cA',
  '\\x61',
  '\\u0062',
  '\\u{63}',
  '\\ud83d\\ude00',
  '\\-',
  '\\/',
  '\\.',
  '\\p{L}',
  '\\P{Lu}',
  '\\p{Nd}',
  '\\p{Script=Han}',
  '\\1',
  '\\2',
  '\\k<n>',
  '(?=',
  '(?!',
  '(?<=',
  '[]',
  '[^]',
  ',',
  '1',
  '\\',
];
const textPieces = ['a', 'b', 'c', 'ab', 'é', '字', '😀', '0', '1', '-', '_', ' ', '\t', '\n', '.', 'A', '\u0001', '/'];
const text = () => Array.from({ length: random(7) }, () => pick(textPieces)).join('');

/** Mostly balanced, so that enough of them are patterns. */
function balanced(depth) {
  const parts = Array.from({ length: 1 + random(4) }, () => {
    const atom =
      depth > 0 && random(3) === 0
        ? `${pick(['(', '(?:', '(?:'])}${balanced(depth - 1)})`
        : pick(pieces.slice(0, 10).concat(pieces.slice(34, 60)));
    return atom + pick(['', '', '', '*', '+', '?', '{2}', '{1,2}', '+?', '{0,3}']);
  });
  return parts.join('') + (random(4) === 0 ? `|${pick(pieces.slice(0, 9))}` : '');
}

const wanted = Number(process.argv[2] ?? 1500);
const rows = new Map();
while (rows.size < wanted) {
  const kind = random(4);
  let pattern = kind === 0 ? Array.from({ length: random(9) }, () => pick(pieces)).join('') : balanced(2);
  if (kind === 2) pattern = `^(?:${pattern})$`;
  let expression;
  try {
    expression = new RegExp(pattern, 'u');
  } catch {}
  const texts = {};
  for (let i = 0; expression && i < 12; i++) {
    const sample = text();
    texts[sample] = expression.test(sample);
  }
  rows.set(pattern, expression ? { pattern, valid: true, texts } : { pattern, valid: false });
}
writeFileSync(
  process.argv[4] ?? new URL('../tests/fixtures/ecma-patterns.json', import.meta.url),
  `[\n${[...rows.values()].map((row) => JSON.stringify(row)).join(',\n')}\n]\n`,
);

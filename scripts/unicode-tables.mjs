// Writes src/schema/pattern/tables.rs: the Unicode sets that patterns know natively, as this Node's own RegExp defines them.
import { writeFileSync } from 'node:fs';

const sets = [
  'L',
  'LC',
  'Lu',
  'Lt',
  'M',
  'Nd',
  'Nl|No',
  'P',
  'Z',
  'Script=Latin',
  'Script=Greek',
  'Script=Cyrillic',
  'Script=Han',
  'Script=Hebrew',
  'Script=Hiragana',
  'Script=Katakana',
];

function members(property) {
  const matcher = new RegExp(
    `^[${property
      .split('|')
      .map((name) => `\\p{${name}}`)
      .join('')}]$`,
    'u',
  );
  const found = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    if (matcher.test(String.fromCodePoint(code))) found.push(code);
  }
  return found;
}

/** Runs of `count` members, `step` (1 or 2) apart. */
function runs(codes) {
  const result = [];
  for (let i = 0; i < codes.length; ) {
    const step = codes[i + 1] === codes[i] + 2 && codes[i + 2] === codes[i] + 4 ? 2 : 1;
    let end = i;
    while (codes[end + 1] === codes[end] + step && !(step === 2 && codes[end + 2] === codes[end + 1] + 1)) end++;
    result.push({ start: codes[i], count: end - i + 1, step });
    i = end + 1;
  }
  return result;
}

function varint(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

function encode(property) {
  const bytes = [];
  let next = 0;
  for (const { start, count, step } of runs(members(property))) {
    bytes.push(...varint((start - next) * 2 + step - 1), ...varint(count));
    next = start + (count - 1) * step + 1;
  }
  return bytes;
}

let total = 0;
let source = `//! Unicode ${process.versions.unicode} sets, written by scripts/unicode-tables.mjs; \`classes.rs\` reads them.\n//!\n//! A set is a list of runs, two variable-length integers each: twice the gap since the last run plus one if only every second\n//! code point belongs to the run, then the number of members.\n`;
for (const property of sets) {
  const bytes = encode(property);
  total += bytes.length;
  const lines = [];
  for (let i = 0; i < bytes.length; i += 32) lines.push(`    ${bytes.slice(i, i + 32).join(', ')},`);
  source += `\n/// \`\\p{${property}}\`.\npub(super) const ${property.replace('Script=', '').replace('|', '_').toUpperCase()}: &[u8] = &[\n${lines.join('\n')}\n];\n`;
  console.log(property, bytes.length);
}
console.log('total', total);
writeFileSync(new URL('../src/schema/pattern/tables.rs', import.meta.url), source);

// Texts, bytes and values judged in Node, beside the peers.
import { compileContract, researchResult } from 'subcontract';
import {
  beyondLatin,
  deepDocument,
  patternDocument,
  researchRecord,
  unionDocument,
  wrongEarly,
  wrongLate,
} from './documents.mjs';
import { ajv, ajvStandalone, cfworker, hyperjump, referenceEngine, zod } from './peers.mjs';
import { deepSchema, patternSchema, unionSchema } from './schemas.mjs';
import { interleave } from './timing.mjs';

/** How a text is judged, by contestant. @typedef {Record<string, (text: string) => boolean>} Judges */

/** @param {object} schema @returns {Promise<Judges>} */
async function judgesOfText(schema) {
  const contract = compileContract(schema);
  /** @type {Record<string, import('./peers.mjs').Judge>} */
  const peers = {
    Ajv: ajv(schema),
    'Ajv standalone': await ajvStandalone(schema),
    cfworker: cfworker(schema),
    hyperjump: await hyperjump(schema),
    zod: zod(schema),
  };
  const reference = (await referenceEngine())?.(schema);
  return {
    ours: (text) => contract.isValid(text),
    ...Object.fromEntries(
      Object.entries(peers).map(([name, judge]) => [
        `JSON.parse + ${name}`,
        (/** @type {string} */ text) => judge(JSON.parse(text)),
      ]),
    ),
    ...(reference && { 'the jsonschema crate in wasm': (/** @type {string} */ text) => reference.isValid(text) }),
    'JSON.parse alone': (text) => JSON.parse(text) !== undefined,
  };
}

/** Times judges on texts, after making sure that they agree. @param {Judges} judges @param {string[]} texts @param {boolean} verdict @param {number} rounds */
function timed(judges, texts, verdict, rounds) {
  const contestants = Object.entries(judges).map(([name, judge]) => {
    const alone = name === 'JSON.parse alone';
    if (!alone && texts.some((text) => judge(text) !== verdict)) throw new Error(`${name} judges otherwise`);
    return { name, run: (/** @type {number} */ variant) => judge(/** @type {string} */ (texts[variant])) };
  });
  return interleave(contestants, { rounds, variants: texts.length });
}

/** Four records of a size: one alone would be learnt by heart by the processor. @param {number} bytes */
const records = (bytes) => [1, 2, 3, 4].map((seed) => researchRecord(bytes, seed));

/** @param {import('./report.mjs').Report} report @param {{ quick: boolean }} options */
export async function judging(report, { quick }) {
  const rounds = quick ? 12 : 40;
  const judges = await judgesOfText(researchResult);
  for (const [size, bytes] of /** @type {const} */ ([
    ['1 KB', 1e3],
    ['5 KB', 5e3],
    ['100 KB', 1e5],
  ])) {
    report.addTimes(`text ${size}`, timed(judges, records(bytes), true, rounds));
  }
  for (const [size, bytes] of quick
    ? []
    : /** @type {const} */ ([
        ['1 MB', 1e6],
        ['10 MB', 1e7],
      ])) {
    report.addTimes(`text ${size}`, timed(judges, [researchRecord(bytes)], true, bytes > 1e6 ? 4 : 8));
  }
  report.addTimes('text 5 KB outside Latin-1', timed(judges, records(5e3).map(beyondLatin), true, rounds));
  report.addTimes('text 5 KB, late error', timed(judges, records(5e3).map(wrongLate), false, rounds));
  report.addTimes('text 5 KB, early error', timed(judges, records(5e3).map(wrongEarly), false, rounds));

  const patterns = timed(await judgesOfText(patternSchema), [patternDocument()], true, rounds);
  report.add('160 patterns, share of JSON.parse + Ajv', patterns.ours ?? 0, patterns['JSON.parse + Ajv'] ?? 0, share);
  report.addTimes('160 patterns', patterns);
  report.addTimes('union of 10', timed(await judgesOfText(unionSchema), [unionDocument()], true, rounds));
  report.addTimes('tree of 60 levels', timed(await judgesOfText(deepSchema), [deepDocument()], true, rounds));
  await otherInputs(report, rounds);
}

/** @type {import('./report.mjs').Kind} */
const share = { unit: 'ns', as: 'share' };

/** Bytes, values, and verdicts that carry the value. @param {import('./report.mjs').Report} report @param {number} rounds */
async function otherInputs(report, rounds) {
  const contract = compileContract(researchResult);
  const [byAjv, byCfworker] = [ajv(researchResult), cfworker(researchResult)];
  const texts = records(5e3);
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  const values = texts.map((text) => JSON.parse(text));
  const decoder = new TextDecoder();
  const parse = (/** @type {number} */ i) => JSON.parse(/** @type {string} */ (texts[i]));
  const parseBytes = (/** @type {number} */ i) => JSON.parse(decoder.decode(bytes[i]));

  report.addTimes(
    'bytes 5 KB',
    interleave(
      [
        { name: 'ours', run: (i) => contract.isValid(/** @type {Uint8Array} */ (bytes[i])) },
        { name: 'TextDecoder + JSON.parse + Ajv', run: (i) => byAjv(parseBytes(i)) },
        { name: 'TextDecoder + JSON.parse alone', run: parseBytes },
      ],
      { rounds, variants: 4 },
    ),
  );
  const checked = interleave(
    [
      { name: 'ours', run: (i) => contract.check(/** @type {string} */ (texts[i])).ok },
      { name: 'JSON.parse + Ajv', run: (i) => byAjv(parse(i)) },
      { name: 'JSON.parse + cfworker', run: (i) => byCfworker(parse(i)) },
    ],
    { rounds, variants: 4 },
  );
  report.add('check 5 KB, share of JSON.parse + Ajv', checked.ours ?? 0, checked['JSON.parse + Ajv'] ?? 0, share);
  report.addTimes('check 5 KB', checked);
  report.addTimes(
    'checkValue 5 KB',
    interleave(
      [
        { name: 'ours', run: (i) => contract.checkValue(values[i]).ok },
        { name: 'Ajv', run: (i) => byAjv(values[i]) },
        { name: 'cfworker', run: (i) => byCfworker(values[i]) },
      ],
      { rounds, variants: 4 },
    ),
  );
}

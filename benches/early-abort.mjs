// How much of a bad return is never generated, when the child is stopped at the delta that proves it wrong: counted in tokens.
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';
import { compileContract, strictResearchResult } from 'subcontract';
import { tsImport } from 'tsx/esm/api';
import { randomNumbers, researchRecord, wrongEarly, wrongLate } from './documents.mjs';

const contract = compileContract(strictResearchResult);

/**
 * Returns of one kind of fault, each in several sizes: what a model wrote, wrong in one place. Where the place is decides what
 * is saved, so the kinds are shown apart and their mean stands beside them. A missing member is proved by the closing brace alone.
 * @type {Record<string, (record: string, random: () => number) => string>}
 */
const FAULTS = {
  'a bad value in the first finding': (record) => wrongEarly(record),
  'a bad value in any finding': (record, random) => {
    const places = [...record.matchAll(/"confidence":"\w+"/g)];
    const place = places[Math.floor(random() * places.length)];
    if (place === undefined) return wrongEarly(record);
    return `${record.slice(0, place.index)}"confidence":"certain"${record.slice(place.index + place[0].length)}`;
  },
  'an unknown member in any finding': (record, random) => {
    const places = [...record.matchAll(/"claim":/g)];
    const at = places[Math.floor(random() * places.length)]?.index ?? 0;
    return `${record.slice(0, at)}"severity":"high",${record.slice(at)}`;
  },
  'a bad value near the end': (record) => wrongLate(record),
  'a missing member': (record) => record.replace(/"assumptions":\[.*?\],/, ''),
};

/** @type {import('./report.mjs').Kind} */
const KIND = { unit: 'tokens', as: 'share' };

const SIZES = [1e3, 2e3, 5e3, 1e4];
const SEEDS = [1, 2, 3, 4, 5];

/** Tokens up to the delta at which the text is given up, and of the whole. A delta is a token. @param {string} text */
function spent(text) {
  const stream = contract.stream();
  const tokens = encode(text);
  let before = 0;
  for (const token of tokens) {
    before += 1;
    const status = stream.push(decode([token]));
    if (status === 'rejected' || status === 'invalid_json') break;
  }
  const verdict = stream.end();
  if (verdict.ok) throw new Error('a return that was to be wrong is right');
  return { before, whole: tokens.length };
}

/** The return of the Ledgerline demo that its child has to mend. */
async function ledgerlineReturn() {
  const { adapterAuditor } = await tsImport('../examples/ledgerline/script/adapter-auditor.ts', import.meta.url);
  /** @type {{ calls?: { name: string, args: unknown }[] }[]} */
  const turns = adapterAuditor.turns;
  const [first] = turns.flatMap(({ calls = [] }) => calls).filter(({ name }) => name === 'research_result');
  if (first === undefined) throw new Error('the demo has no return any more');
  return JSON.stringify(first.args);
}

/**
 * Tokens of o200k_base that bad returns cost until they are stopped, beside what they cost whole. It says nothing of how often
 * models return badly, and where: the faults are made, not observed.
 * @param {import('./report.mjs').Report} report
 */
export async function earlyAbort(report) {
  const demo = spent(await ledgerlineReturn());
  report.add("early abort, the demo's refused return: tokens generated", demo.before, demo.whole, KIND);
  const random = randomNumbers(11);
  let [before, whole] = [0, 0];
  for (const [fault, spoil] of Object.entries(FAULTS)) {
    let [ours, all] = [0, 0];
    for (const size of SIZES) {
      for (const seed of SEEDS) {
        const counted = spent(spoil(researchRecord(size, seed), random));
        ours += counted.before;
        all += counted.whole;
      }
    }
    report.add(`early abort, ${fault}: tokens generated`, ours, all, KIND);
    before += ours;
    whole += all;
  }
  report.add('early abort, these faults together: tokens generated', before, whole, KIND);
}

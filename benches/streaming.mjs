// Texts that stream in, with the value so far after each delta: this package beside what frameworks use.
import { JSONParser } from '@streamparser/json';
import { parsePartialJson } from 'ai';
import { parse as bestEffortParse } from 'best-effort-json-parser';
import { parse as partialParse } from 'partial-json';
import { compileContract, researchResult } from 'subcontract';
import untruncateJson from 'untruncate-json';
import { randomNumbers, researchRecord, wrongEarly } from './documents.mjs';
import { percentile } from './timing.mjs';

/**
 * `follow` gives the value so far after each delta; `done` is what its documentation asks for when the text is over.
 * @typedef {{ follow: (delta: string, whole: string) => unknown, done?: () => void }} Follower
 */

const contract = compileContract(researchResult);

/** Ours: it judges as well. @returns {Follower} */
function ours() {
  const stream = contract.stream();
  return {
    follow: (delta) => {
      stream.push(delta);
      return stream.snapshot();
    },
    done: () => stream.free(),
  };
}

/** Ours without looking at the value. @returns {Follower} */
function oursUnseen() {
  const stream = contract.stream();
  return { follow: (delta) => stream.push(delta), done: () => stream.free() };
}

/** The only other one that does not start again at each delta. It judges nothing. @returns {Follower} */
function streamParser() {
  const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
  /** @type {unknown} */
  let root;
  /** The array that shows an item which is not whole. @type {unknown[] | undefined} */
  let ahead;
  parser.onValue = ({ value, key, parent, stack, partial }) => {
    root = stack[1]?.value ?? parent ?? value;
    // It hands a value that is not whole out, but does not set it.
    if (!partial || value === undefined || parent === undefined || key === undefined) return;
    if (Array.isArray(parent)) {
      ahead = parent;
      parent.push(value);
    } else {
      /** @type {Record<string | number, unknown>} */ (parent)[key] = value;
    }
  };
  return {
    follow: (delta) => {
      // It will add the item itself.
      ahead?.pop();
      ahead = undefined;
      parser.write(delta);
      return root;
    },
  };
}

/** Those that parse the whole text so far at each delta. They judge nothing. @type {Record<string, (text: string) => unknown>} */
const reparsers = {
  'partial-json': (text) => partialParse(text),
  'best-effort-json-parser': (text) => bestEffortParse(text),
  'untruncate-json': (text) => JSON.parse(untruncateJson.default(text)),
};

/** A text in deltas of 4 to 20 characters, as models write. @param {string} text */
function deltasOf(text) {
  const random = randomNumbers(7);
  const deltas = [];
  for (let at = 0; at < text.length; ) {
    const length = 4 + Math.floor(random() * 17);
    deltas.push(text.slice(at, at + length));
    at += length;
  }
  return deltas;
}

/** Nanoseconds of processor time for a whole text, so many times over. @param {() => Follower} start @param {string[]} deltas @param {number} times */
function whole(start, deltas, times) {
  const began = process.cpuUsage();
  for (let time = 0; time < times; time++) {
    const { follow, done } = start();
    let text = '';
    for (const delta of deltas) {
      text += delta;
      follow(delta, text);
    }
    done?.();
  }
  return spentSince(began) / times;
}

/**
 * Processor time, the garbage collector's included. Time on the clock would be that of other programs too: on a busy machine
 * a round at 1 MB takes longer than a time slice, and one at 1 KB does not. @param {NodeJS.CpuUsage} began
 */
function spentSince(began) {
  const { user, system } = process.cpuUsage(began);
  return (user + system) * 1e3;
}

/** At so many places of a text a parser of the whole is timed; what it takes at all of them follows. */
const PLACES = 24;

/** The texts so far at places that stand for all. @param {string[]} deltas */
function beginnings(deltas) {
  const step = Math.max(1, deltas.length / PLACES);
  return Array.from({ length: Math.min(PLACES, deltas.length) }, (_, place) =>
    deltas.slice(0, Math.floor((place + 0.5) * step) + 1).join(''),
  );
}

/** @param {string[]} texts @param {number} count  of all deltas @param {number} times @param {(text: string) => unknown} parse */
async function sampled(texts, count, times, parse) {
  const began = process.cpuUsage();
  for (let time = 0; time < times; time++) for (const text of texts) await parse(text);
  return (spentSince(began) / times / texts.length) * count;
}

/**
 * Each contestant's time for a whole text: the 10th percentile of interleaved rounds.
 * @param {Record<string, () => number | Promise<number>>} contestants @param {number} rounds
 * @returns {Promise<Record<string, number>>}
 */
async function interleaved(contestants, rounds) {
  /** @type {Record<string, number[]>} */
  const times = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) {
      const samples = times[name] ?? [];
      times[name] = samples;
      samples.push(await run());
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, samples]) => [name, percentile(samples, 0.1)]));
}

/** @param {import('./report.mjs').Report} report @param {{ quick: boolean }} options */
export async function streaming(report, { quick }) {
  agree(deltasOf(researchRecord(5e3)));
  /** @type {Map<number, number>} */
  const perDelta = new Map();
  for (const [size, bytes] of /** @type {const} */ ([
    ['1 KB', 1e3],
    ['5 KB', 5e3],
    ['100 KB', 1e5],
    ['1 MB', 1e6],
  ])) {
    const deltas = deltasOf(researchRecord(bytes));
    const texts = beginnings(deltas);
    // Small texts are over before processor time is counted: several make one round.
    const times = Math.max(1, Math.round(1e5 / bytes));
    const repeated = (/** @type {() => Follower} */ start) => () => whole(start, deltas, times);
    /** @type {Record<string, () => number | Promise<number>>} */
    const contestants = {
      ours: repeated(ours),
      'ours without the value': repeated(oursUnseen),
      '@streamparser/json': repeated(streamParser),
    };
    // At 1 MB one round of these would take minutes.
    if (bytes <= 1e5) {
      for (const [name, parse] of Object.entries(reparsers)) {
        contestants[name] = () => sampled(texts, deltas.length, times, parse);
      }
      contestants["the AI SDK's parsePartialJson"] = () => sampled(texts, deltas.length, times, parsePartialJson);
    }
    const rounds = bytes > 1e5 ? 8 : bytes > 1e4 ? 12 : 40;
    const result = await interleaved(contestants, quick ? Math.ceil(rounds / 3) : rounds);
    report.addTimes(`stream ${size}`, result);
    perDelta.set(bytes, (result.ours ?? Number.NaN) / deltas.length);
  }
  const [small, large] = [perDelta.get(1e3) ?? Number.NaN, perDelta.get(1e6) ?? Number.NaN];
  report.add('stream: time a delta at 1 MB, share of that at 1 KB', large, small, { unit: 'ns', as: 'share' });
  for (const [size, bytes] of /** @type {const} */ ([
    ['5 KB', 5e3],
    ['100 KB', 1e5],
  ])) {
    const text = wrongEarly(researchRecord(bytes));
    const at = rejectedAt(text);
    report.add(`stream ${size}, bad first finding: text needed`, at, text.length, { unit: 'bytes', as: 'share' });
  }
}

/** Where a text is given up. @param {string} text */
function rejectedAt(text) {
  const stream = contract.stream();
  for (const delta of deltasOf(text)) if (stream.push(delta) === 'rejected') break;
  stream.free();
  return stream.rejectedAt ?? Number.NaN;
}

/** Makes sure that everybody gives the value at the end, and ours the beginning of it before. @param {string[]} deltas */
function agree(deltas) {
  const text = deltas.join('');
  for (const start of [ours, streamParser]) {
    const { follow, done } = start();
    let last;
    for (const delta of deltas) last = follow(delta, text);
    done?.();
    if (JSON.stringify(last) !== text) throw new Error(`${start.name} ends with another value`);
  }
  for (const [name, parse] of Object.entries(reparsers)) {
    if (JSON.stringify(parse(text)) !== text) throw new Error(`${name} ends with another value`);
  }
}

// The metrics, their goals, and how they are shown.

/**
 * One comparison. `ratio` is how many times faster than the peer (`faster`), or our share of the peer's figure (`share`).
 * @typedef {{ ours: number, peer: number | null, ratio: number | null, goal: string | null, met: boolean | null }} Metric
 * @typedef {{ unit: 'ns' | 'ms' | 'bytes' | 'tokens' | 'per byte' | 'count', as: 'faster' | 'share' }} Kind
 */

/** What each metric is to reach; those that are not named here are for information. @type {Record<string, [relation: '≥' | '≤', limit: number]>} */
const GOALS = {
  'core.wasm, gzip': ['≤', 80 * 1024],
  'validator alone, gzip': ['≤', 36 * 1024],
  'text 1 KB vs JSON.parse + Ajv': ['≥', 1.5],
  'text 5 KB vs JSON.parse + Ajv': ['≥', 1.5],
  'text 100 KB vs JSON.parse + Ajv': ['≥', 1.5],
  'bytes 5 KB vs TextDecoder + JSON.parse + Ajv': ['≥', 3.5],
  'check 5 KB, share of JSON.parse + Ajv': ['≤', 1.8],
  'check 5 KB vs JSON.parse + cfworker': ['≥', 4],
  'workerd: text 5 KB vs JSON.parse + Ajv standalone': ['≥', 1],
  'workerd: text 5 KB vs JSON.parse + cfworker': ['≥', 8],
  '160 patterns, share of JSON.parse + Ajv': ['≤', 1.5],
  'compile with metaschema check vs new Ajv': ['≥', 20],
  'fresh process to first verdict, share of Ajv': ['≤', 0.12],
  "stream 5 KB vs the AI SDK's parsePartialJson": ['≥', 200],
  "stream 100 KB vs the AI SDK's parsePartialJson": ['≥', 3000],
  'stream 5 KB vs partial-json': ['≥', 200],
  'stream 100 KB vs partial-json': ['≥', 3000],
  'stream: time a delta at 1 MB, share of that at 1 KB': ['≤', 1.5],
  'stream 5 KB, bad first finding: text needed': ['≤', 0.05],
  'stream 100 KB, bad first finding: text needed': ['≤', 0.0025],
  'card: 100 KB in 8,000 deltas, tasks over 50 ms': ['≤', 0],
  'card: 100 KB in 8,000 deltas, longest task in processor time': ['≤', 50],
  'card: 100 KB in 8,000 deltas, renders a frame': ['≤', 1],
  'merge: time a child of 4096, share of that of 64': ['≤', 2],
  'render: time a child of 4096, share of that of 64': ['≤', 2],
  'growth: time a byte at 10 MB, share of that at 1 KB': ['≤', 1.5],
  'growth: memory for 10 MB, in texts': ['≤', 6],
};

export class Report {
  /** @type {Map<string, Metric & Kind>} */
  #metrics = new Map();

  /** @param {string} name @param {number} ours @param {number | null} peer @param {Kind} kind */
  add(name, ours, peer, kind) {
    const ratio = peer === null ? null : kind.as === 'faster' ? peer / ours : ours / peer;
    const [relation, limit] = GOALS[name] ?? [];
    const figure = ratio ?? ours;
    const met = limit === undefined ? null : relation === '≥' ? figure >= limit : figure <= limit;
    this.#metrics.set(name, {
      ours,
      peer,
      ratio,
      goal: limit === undefined ? null : `${relation} ${limit}`,
      met,
      ...kind,
    });
  }

  /** Our figure beside each of several contestants'. @param {string} what @param {Record<string, number>} times @param {string} ours */
  addTimes(what, times, ours = 'ours') {
    for (const [name, time] of Object.entries(times)) {
      if (name !== ours) this.add(`${what} vs ${name}`, times[ours] ?? Number.NaN, time, { unit: 'ns', as: 'faster' });
    }
  }

  json() {
    const plain = [...this.#metrics].map(([name, { ours, peer, ratio, goal, met }]) => [
      name,
      {
        ours: rounded(ours),
        peer: peer === null ? null : rounded(peer),
        ratio: ratio === null ? null : rounded(ratio),
        goal,
        met,
      },
    ]);
    return JSON.stringify(Object.fromEntries(plain), null, 2);
  }

  /** A table, the goals first, and a sentence that counts them. */
  text() {
    const rows = [...this.#metrics].map(([name, metric]) => [
      name,
      figure(metric.ours, metric.unit),
      metric.peer === null ? '' : figure(metric.peer, metric.unit),
      metric.ratio === null ? '' : `${rounded(metric.ratio)}${metric.as === 'faster' ? 'x faster' : ' of it'}`,
      metric.goal ?? '',
      metric.met === null ? '' : metric.met ? 'met' : 'MISSED',
    ]);
    const header = ['metric', 'ours', 'peer', 'ratio', 'goal', ''];
    const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
    const line = (/** @type {string[]} */ row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ');
    const [withGoal, without] = [rows.filter((row) => row[4] !== ''), rows.filter((row) => row[4] === '')];
    const missed = withGoal.filter((row) => row[5] === 'MISSED').map((row) => row[0]);
    const summary = `${withGoal.length - missed.length} of ${withGoal.length} goals met${missed.length > 0 ? `; missed: ${missed.join('; ')}` : ''}`;
    return [line(header), ...withGoal.map(line), '', ...without.map(line), '', summary].join('\n');
  }
}

/** @param {number} number */
const rounded = (number) => Number(number.toPrecision(4));

/** @param {number} value @param {Kind['unit']} unit */
function figure(value, unit) {
  if (unit === 'bytes') return `${(value / 1024).toFixed(1)} KiB`;
  if (unit === 'per byte' || unit === 'tokens' || unit === 'count') return `${rounded(value)}`;
  const ns = unit === 'ms' ? value * 1e6 : value;
  return ns < 1e4 ? `${ns.toFixed(0)} ns` : ns < 1e7 ? `${(ns / 1e3).toFixed(1)} µs` : `${(ns / 1e6).toFixed(1)} ms`;
}

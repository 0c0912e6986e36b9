// The texts that are judged: research records of a wanted size, from a fixed seed, and what goes wrong in them.

const WORDS =
  'the adapter pins version three of the upstream client while settlement jobs retry a capture after timeout and the ledger keeps both entries until nightly reconciliation drops one merchant id at a time because batch order is not stable across regions'.split(
    ' ',
  );
const CONFIDENCE = ['verified', 'inferred', 'reported'];

/** Numbers below one, the same ones for the same seed. @param {number} seed */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A research record of about so many bytes, compact, as a provider hands over a tool call's arguments.
 * @param {number} bytes @param {number} [seed]
 */
export function researchRecord(bytes, seed = 1) {
  const random = randomNumbers(seed);
  const sentence = () =>
    Array.from({ length: 12 + Math.floor(random() * 10) }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
  const source = () => `src/${WORDS[Math.floor(random() * WORDS.length)]}/capture.ts:${Math.floor(random() * 900)}`;
  const record = {
    findings: /** @type {object[]} */ ([]),
    assumptions: [sentence()],
    unresolved: [{ question: sentence(), would_settle_it: sentence() }],
    coverage: { searched: [source(), source()], not_searched: [sentence()] },
    effort: { tool_calls: 12, budget_exhausted: false },
    transcript_ref: 'tr_8f14e45f/3',
  };
  let length = JSON.stringify(record).length;
  while (length < bytes - 120) {
    const finding = {
      claim: sentence(),
      provenance: [source(), source()].slice(0, 1 + Math.floor(random() * 2)),
      confidence: CONFIDENCE[Math.floor(random() * 3)],
    };
    record.findings.push(finding);
    length += JSON.stringify(finding).length + 1;
  }
  return JSON.stringify(record);
}

/** The record, wrong in its first finding. @param {string} text */
export const wrongEarly = (text) => text.replace(/"confidence":"\w+"/, '"confidence":"certain"');

/** The record, wrong in its last slot but one. @param {string} text */
export const wrongLate = (text) => text.replace('"tool_calls":12', '"tool_calls":"12"');

/** The record as models of other languages write it: outside Latin-1, so that JavaScript holds two bytes a character. @param {string} text */
export const beyondLatin = (text) => text.replaceAll(' and ', ' — ').replaceAll(' the ', ' “the” ');

/** An object for {@link patternSchema}, whose members all match. */
export function patternDocument() {
  const members = Array.from({ length: 160 }, (_, i) => {
    const values = [`inv-${i}-20417`, `${i}.14.3`, `2026-03-${String(10 + (i % 18))}`, `src/module_${i}/file.ts:88`];
    return [`field_${i}`, values[i % 4]];
  });
  return JSON.stringify(Object.fromEntries(members));
}

/** A list for {@link unionSchema}, of every kind of event. */
export function unionDocument() {
  const kinds = 10;
  const events = Array.from({ length: 60 }, (_, i) => {
    const kind = i % kinds;
    return { type: `event_${kind}`, at: 1700000000 + i, [`payload_${kind}`]: `value ${i}`, tags: ['a', 'b'] };
  });
  return JSON.stringify(events);
}

/** A tree for {@link deepSchema}: a chain of 60 nodes, each with two leaves. */
export function deepDocument() {
  let tree = { name: 'leaf', weight: 1, children: /** @type {object[]} */ ([]) };
  for (let level = 0; level < 60; level++) {
    const leaf = (/** @type {string} */ side) => ({ name: `${side} ${level}`, weight: level, children: [] });
    tree = { name: `node ${level}`, weight: level, children: [leaf('left'), tree, leaf('right')] };
  }
  return JSON.stringify(tree);
}

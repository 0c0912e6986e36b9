// The Worker that judges in workerd. Its clock stands still while it computes: who asks takes the time.
import { Validator } from '@cfworker/json-schema';
// @ts-expect-error: written by Ajv while the Worker is bundled
import byAjv from 'ajv-standalone';
import { compileContract, researchResult } from 'subcontract';
import { researchRecord } from './documents.mjs';

const texts = [1, 2, 3, 4].map((seed) => researchRecord(5e3, seed));
const bytes = texts.map((text) => new TextEncoder().encode(text));
const contract = compileContract(researchResult);
const validator = new Validator(/** @type {any} */ (researchResult), '2020-12', true);
const decoder = new TextDecoder();

/** @type {Record<string, (variant: number) => boolean>} */
const contestants = {
  nothing: () => true,
  'ours, text': (i) => contract.isValid(/** @type {string} */ (texts[i])),
  'ours, bytes': (i) => contract.isValid(/** @type {Uint8Array} */ (bytes[i])),
  'ours, check': (i) => contract.check(/** @type {string} */ (texts[i])).ok,
  'JSON.parse + Ajv standalone': (i) => byAjv(JSON.parse(/** @type {string} */ (texts[i]))),
  'TextDecoder + JSON.parse + Ajv standalone': (i) => byAjv(JSON.parse(decoder.decode(bytes[i]))),
  'JSON.parse + cfworker': (i) => validator.validate(JSON.parse(/** @type {string} */ (texts[i]))).valid,
};

export default {
  /** @param {Request} request */
  fetch(request) {
    const { searchParams } = new URL(request.url);
    const run = contestants[searchParams.get('contestant') ?? ''];
    if (run === undefined) return Response.json(Object.keys(contestants));
    const calls = Number(searchParams.get('calls'));
    let accepted = 0;
    for (let call = 0; call < calls; call++) if (run(call % texts.length)) accepted++;
    return Response.json(accepted);
  },
};

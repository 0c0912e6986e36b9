// `npm run bench [-- --json] [-- --quick]`: this package beside other validators. Ratios of interleaved runs count, not times.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from '../scripts/setup/chromium.mjs';
import { cards } from './cards.mjs';
import { compiling } from './compiling.mjs';
import { earlyAbort } from './early-abort.mjs';
import { judging } from './judging.mjs';
import { merging } from './merging.mjs';
import { referenceEngine } from './peers.mjs';
import { coldStarts, growth } from './processes.mjs';
import { Report } from './report.mjs';
import { sealing } from './sealing.mjs';
import { sizes } from './sizes.mjs';
import { streaming } from './streaming.mjs';
import { workerd } from './workerd.mjs';

const flag = /** @type {const} */ ({ type: 'boolean', default: false });
const { json, quick, yes } = parseArgs({ options: { json: flag, quick: flag, yes: flag } }).values;
const options = { quick };
const report = new Report();

/** What is going on, beside the results. @param {string} text */
const note = (text) => console.error(`  ${text}`);

note(
  `load of this machine: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')} over 1, 5 and 15 minutes`,
);
if ((await referenceEngine()) === undefined) {
  note('this build has no subcontract/reference: the jsonschema crate is left out');
}
note('sizes');
sizes(report);
note('judging texts, bytes and values in Node');
await judging(report, options);
note('texts that stream in');
await streaming(report, options);
note('bad returns that are stopped early');
await earlyAbort(report);
note('merging and rendering records');
merging(report, options);
note('compiling schemas');
compiling(report, options);
note('sealing and opening resume state');
sealing(report, options);
note('judging in workerd');
await workerd(report, options);
note('a card in Chromium under a large return');
await cards(report, { ...options, browser: await chromium({ yes }) });
note('cold starts in fresh processes');
await coldStarts(report, options);
note('growth from 1 KB to 10 MB');
growth(report);
note(
  `load of this machine: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
);

console.log(json ? report.json() : report.text());

// `npm run setup`: everything that the other commands need, the browser of the tests included.
import { chromium } from './setup/chromium.mjs';
import { prepare } from './setup/prepare.mjs';
import { entry, note } from './setup/report.mjs';

await entry(async () => {
  await prepare();
  await chromium({ yes: process.argv.includes('--yes') });
  note('everything is in place');
});

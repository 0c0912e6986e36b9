// `npm run setup`: everything that the other commands need, the tests' browser and validator included.
import { chromium } from './setup/chromium.mjs';
import { prepare } from './setup/prepare.mjs';
import { agUiValidate } from './setup/python.mjs';
import { entry, note } from './setup/report.mjs';

await entry(async () => {
  await prepare();
  await chromium({ yes: process.argv.includes('--yes') });
  await agUiValidate({ yes: process.argv.includes('--yes') });
  note('everything is in place');
});

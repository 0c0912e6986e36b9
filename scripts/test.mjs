// `npm test`: set-up and every test. Arguments are passed to vitest, and then only its tests run.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { chromium } from './setup/chromium.mjs';
import { at, bin } from './setup/paths.mjs';
import { prepare } from './setup/prepare.mjs';
import { agUiValidate } from './setup/python.mjs';
import { entry, say } from './setup/report.mjs';
import { run, tee } from './setup/run.mjs';

/** @typedef {{ name: string, passed: number, failed: number, skipped: number }} Outcome */

await entry(async () => {
  const filters = process.argv.slice(2).filter((argument) => argument !== '--yes');
  // A run of few tests builds the reference engine when it asks for that engine's tests.
  await prepare({ reference: filters.length === 0 || filters.some((filter) => filter.includes('reference')) });
  const browser = await chromium({ yes: process.argv.includes('--yes') });
  await agUiValidate({ yes: process.argv.includes('--yes') });
  if (filters.length > 0)
    return run(bin('vitest'), ['run', ...filters], {
      stdout: 'inherit',
      env: { CHROMIUM_PATH: browser },
    });

  /** @type {Outcome[]} */
  const outcomes = [];
  say('run the Rust tests', 'unit tests, fixtures, documentation examples and xtask');
  outcomes.push(await cargoTest());
  say('run the TypeScript tests', 'the shim and the core in wasm, and what users see of the types');
  outcomes.push(await vitest('js', {}));
  say('run the package tests', 'the packed tarball in each runtime and bundler, except Next: `npm run test:next`');
  outcomes.push(await vitest('package', { CHROMIUM_PATH: browser }));
  say('run the tests of the chat page', 'the demo’s server and page in Chromium');
  outcomes.push(await vitest('web', { CHROMIUM_PATH: browser }));

  for (const { name, passed, failed, skipped } of outcomes) {
    console.log(`${name}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }
  const total = (/** @type {'passed' | 'failed'} */ key) => outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
  console.log(`${total('passed')} passed, ${total('failed')} failed`);
  return total('failed') === 0 ? 0 : 1;
});

/**
 * Counts what cargo's test harnesses printed.
 * @returns {Promise<Outcome>}
 */
async function cargoTest() {
  const core = await tee('cargo', [
    'test',
    '--package',
    'subcontract',
    '--features',
    'reference',
    '--locked',
    '--no-fail-fast',
  ]);
  // In the profile that the build has compiled wasm-bindgen's library for already.
  const xtask = await tee('cargo', ['test', '--package', 'xtask', '--locked', '--profile', 'tool']);
  const output = core.output + xtask.output;
  const results = [...output.matchAll(/^test result: \S+ (\d+) passed; (\d+) failed; (\d+) ignored/gm)];
  const sum = (/** @type {number} */ group) => results.reduce((total, result) => total + Number(result[group]), 0);
  return atLeastOne({ name: 'rust', passed: sum(1), failed: sum(2), skipped: sum(3) }, core.code || xtask.code);
}

/**
 * Counts what vitest reported.
 * @param {string} project @param {Record<string, string>} env @returns {Promise<Outcome>}
 */
async function vitest(project, env) {
  const report = at('.cache', `vitest-${project}.json`);
  mkdirSync(at('.cache'), { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run(bin('vitest'), ['run', '--project', project, ...reporters], { env });
  const counted = {
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    ...readReport(report),
  };
  return atLeastOne(
    {
      name: project,
      passed: counted.numPassedTests,
      failed: counted.numFailedTests,
      skipped: counted.numPendingTests,
    },
    code,
  );
}

/** @param {string} path  a report that vitest may have failed to write */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * A runner that fails outside its tests (a file that does not compile, an unhandled rejection) or runs none has one
 * failure that it did not count.
 * @param {Outcome} outcome @param {number} code
 */
function atLeastOne(outcome, code) {
  const uncounted = outcome.failed === 0 && (code !== 0 || outcome.passed === 0);
  if (uncounted) console.log(`${outcome.name}: ended with exit code ${code} after ${outcome.passed} tests, a failure`);
  return uncounted ? { ...outcome, failed: 1 } : outcome;
}

// The small examples, run as a user runs them: offline, against the built package.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

async function run(example: string): Promise<string[]> {
  const program = `examples/${example}/main.ts`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program], { cwd: ROOT });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}

test('typed evidence: a verdict that contradicts its reasons goes back, and one failure fails the whole', async () => {
  expect(await run('typed-evidence')).toEqual([
    'check-1: 1 judged return(s)',
    'check-2: 2 judged return(s)',
    '#1 subagent checker: completed',
    '#2 subagent checker: completed',
    'field source (#1): "npm test"',
    'field source (#2): "wc -l src/*"',
    'field passed: false',
    'field failures: ["src/router.ts has 412 lines"]',
  ]);
}, 60_000);

test('vendor pricing: prices are numbers, a failed vendor is said, and a small budget says what it leaves out', async () => {
  const lines = await run('vendor-pricing');
  expect(lines).toContain(
    'field plans[0] (#1): {"plan":"Ardent Team"} | #1 {"price_per_seat":10,"billing_period":"monthly","source_url":"https://ardent.example/pricing"}',
  );
  expect(lines.filter((line) => line.startsWith('#3 subagent pricer: failed'))).toHaveLength(2);
  expect(lines.filter((line) => line === 'unresolved: "Is there a minimum number of seats?"')).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith('left out for the token budget: '))).toHaveLength(1);
  expect(lines.at(-1)).toBe('still to ask Ardent: Is there a minimum number of seats?');
}, 60_000);

test('plain loop: a parent of fetch alone asks a child, whose one bad return is stopped, mended and accepted', async () => {
  expect(await run('plain-loop')).toEqual([
    'pricing begins',
    '  it calls read_page',
    '  it calls list_price',
    '  attempt 1: rejected',
    '  it calls list_price',
    '  attempt 2: accepted',
    'pricing: completed, 1 tool call(s) of its own',
    'the parent\'s model reads of pricing: {"plan":"Team","price_per_seat":10,"source_url":"https://ardent.example/pricing"}',
    'A seat of Ardent Team costs 10 dollars a month.',
  ]);
}, 60_000);

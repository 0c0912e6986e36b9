// Runs the demo as a user does, offline and as a process of its own, and reads its figures.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Affected, computeAffected } from '../../examples/ledgerline/affected.js';
import type { SeenRun } from '../../examples/ledgerline/agents.js';
import type { Check } from '../../examples/ledgerline/checks.js';
import type { Figures } from '../../examples/ledgerline/measure.js';
import type { ApprovalLog } from '../../examples/ledgerline/tools.js';
import type { Child } from '../../examples/ledgerline/watch.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Report {
  scripted: boolean;
  children: Pick<Child, 'name' | 'status' | 'starts' | 'attempts' | 'envelope'>[];
  runs: SeenRun[];
  approvals: ApprovalLog;
  posted: number[];
  sealed: number[];
  answer: string;
  computed: Affected;
  figures: Figures;
  checks: Check[];
}

interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

function demo(...args: string[]): Promise<Ended> {
  const { OPENAI_API_KEY: _key, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', 'examples/ledgerline/main.ts', ...args],
      { cwd: ROOT, env, maxBuffer: 16 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

describe('the Ledgerline demo', () => {
  let report: Report;

  beforeAll(async () => {
    const { status, stdout, stderr } = await demo('--json');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    report = JSON.parse(stdout) as Report;
  }, 120_000);

  const child = (name: string) => {
    const found = report.children.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no child ${name}`);
    return found;
  };

  it('completes four children from the scripted model', () => {
    expect(report.scripted).toBe(true);
    expect(report.children.map(({ name, status }) => [name, status])).toEqual([
      ['changelog_analyst', 'completed'],
      ['adapter_auditor', 'completed'],
      ['config_analyst', 'completed'],
      ['production_checker', 'completed'],
    ]);
    for (const { envelope } of report.children) expect(envelope?.status).toBe('completed');
  });

  it('refuses the first return of adapter_auditor for its three faults, and takes the second', () => {
    const { attempts, envelope } = child('adapter_auditor');
    expect(attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'rejected'],
      [2, 'accepted'],
    ]);
    const issues = attempts[0]?.issues?.map(({ instancePath, keyword }) => [instancePath, keyword]);
    expect(issues).toHaveLength(3);
    expect(issues).toEqual(
      expect.arrayContaining([
        ['/findings/2/severity', 'additionalProperties'],
        ['/findings/4/confidence', 'enum'],
        ['/unresolved/0', 'required'],
      ]),
    );
    expect(envelope?.attempts).toHaveLength(2);
    for (const name of ['changelog_analyst', 'config_analyst', 'production_checker']) {
      expect(child(name).attempts).toHaveLength(1);
    }
  });

  it('resumes production_checker with the same input, and runs the approved tool once', () => {
    expect(child('production_checker').starts).toBe(2);
    const runs = report.runs.filter(({ agent }) => agent === 'production_checker');
    expect(runs.map(({ resumed }) => resumed)).toEqual([false, true]);
    expect(runs[1]?.input).toEqual(runs[0]?.input);
    expect(runs[1]?.subagentRunId).toBe(runs[0]?.subagentRunId);
    expect(report.posted).toHaveLength(1);
    expect(report.sealed).toEqual([expect.any(Number)]);
    expect(report.sealed[0]).toBeLessThan((report.posted[0] ?? 0) / 2);
    expect(report.approvals.executions).toHaveLength(1);
    expect(report.approvals.executions[0]?.merchant_ids).toEqual(report.computed.indirect);
  });

  it('finds the nineteen merchants that the router can send to the retired version', () => {
    const computed = computeAffected('2023-08');
    expect(report.computed).toEqual(computed);
    expect(computed.direct).toHaveLength(16);
    expect(computed.indirect).toHaveLength(3);
    const claims = child('config_analyst').envelope?.final_result?.findings.map((f) => f.claim);
    const ids = new Set(claims?.join(' ').match(/mer_\d{4}/g));
    expect([...ids].sort()).toEqual([...computed.direct, ...computed.indirect].sort());
    for (const id of ids) expect(report.answer).toContain(id);
  });

  it('says that the configuration table was taken as authoritative', () => {
    const assumptions = child('config_analyst').envelope?.final_result?.assumptions ?? [];
    expect(assumptions.some((text) => text.includes('authoritative'))).toBe(true);
  });

  it('fills less of the window with envelopes than with transcripts', () => {
    const { window } = report.figures;
    expect(window.before).toBeGreaterThan(0);
    expect(window.envelopes).toBeGreaterThan(window.before);
    expect(window.envelopes).toBeLessThan(window.transcripts);
  });

  it('keeps every caveat in the envelopes', () => {
    const { caveats } = report.figures;
    expect(caveats.length).toBeGreaterThan(20);
    expect(caveats.filter(({ presence }) => presence.envelopes !== 'kept')).toEqual([]);
    // The test can say no: a summary is prose, and these lose some.
    expect(caveats.some(({ presence }) => presence.summaries === 'absent')).toBe(true);
  });

  it('gives a child less to read than a copy of the parent', () => {
    for (const { input } of report.figures.children) {
      expect(input.first).toBeLessThan(input.firstWithCopy);
      expect(input.calls).toBeGreaterThan(1);
    }
  });

  it('lets every one of its own checks hold', () => {
    expect(report.checks.filter(({ holds }) => !holds)).toEqual([]);
    expect(report.checks.length).toBeGreaterThan(8);
  });
});

describe('the command line of the demo', () => {
  it('tells the run in plain text of at most 100 columns', async () => {
    const { status, stdout } = await demo();
    expect(status).toBe(0);
    expect(stdout).toContain('back to the child');
    expect(stdout).not.toContain('\u001b');
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
  }, 120_000);

  it('says what it can do, and builds nothing for that', async () => {
    const usage = readFileSync(new URL('../../examples/ledgerline/usage.txt', import.meta.url), 'utf8');
    const { status, stdout } = await demo('--help');
    expect([status, stdout]).toEqual([0, usage]);
    const { stdout: shown, stderr } = await promisify(execFile)(process.execPath, ['scripts/demo.mjs', '--help'], {
      cwd: ROOT,
    });
    expect([shown, stderr]).toEqual([usage, '']);
  }, 60_000);

  it.each([
    [['--port', '8787'], '--port and --delay go with --web'],
    [['--web', '--json'], '--json goes with the run in the terminal'],
    [['--web', '--port', 'x'], '--port takes a number from 0 to 65535, not "x"'],
    [['--web', '--delay', '1e9'], '--delay takes a number from 0 to 10000, not "1e9"'],
  ])(
    'refuses %j',
    async (args, reason) => {
      const { status, stderr } = await demo(...args);
      expect([status, stderr.split('\n')[0]]).toEqual([2, reason]);
    },
    60_000,
  );

  it('refuses an option that it does not know', async () => {
    const { status, stderr } = await demo('--fast');
    expect(status).toBe(2);
    expect(stderr).toContain('usage:');
  }, 60_000);
});

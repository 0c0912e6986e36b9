// The packed package in Node.
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { expected, expectedOfReference } from '../expected.js';
import { run, runtime } from '../process.js';

describe.each(['node 20', 'node 24'] as const)('in %s', (version) => {
  const output = async (program: string, ...flags: string[]): Promise<unknown> => {
    const project = inject('project');
    return JSON.parse(await run(runtime(version), [...flags, join(project, 'node', program)], { cwd: project }));
  };

  test('it is that version', async () => {
    const printed = await run(runtime(version), ['--version'], { cwd: inject('project') });
    expect(printed).toMatch(version === 'node 20' ? /^v(2[0-9])\./ : /^v24\./);
  });

  test('as an ES module', async () => {
    expect(await output('esm.mjs')).toEqual(expected);
  });

  test('with the reference engine', async () => {
    expect(await output('reference.mjs')).toEqual(expectedOfReference);
  });

  test('through require', async () => {
    expect(await output('require.cjs')).toEqual(expected);
  });

  test('subcontract/init works after init, and before it says what is missing', async () => {
    expect(await output('init.mjs')).toEqual({
      before: expect.stringContaining("await init() from 'subcontract/init'"),
      result: expected,
    });
  });

  test('entries imported together share one core, and so do require and import', async () => {
    expect(await output('mixed.mjs')).toEqual({ sameFunctions: true, instances: 1, result: expected });
  });

  test('contracts and streams that nobody freed go with their owners', async () => {
    expect(await output('collected.mjs', '--expose-gc')).toEqual({ made: 200, left: 0 });
  });
});

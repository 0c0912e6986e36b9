// @vitest-environment jsdom
// The tests of the components once more, with React 18. They are bundled with it: the packages around would find React 19.
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { install } from '../../../runtimes/tools/tools.js';

const root = resolve(import.meta.dirname, '../../../..');

// Without it nothing here is tested, and that is a failure.
const react = await install({ from: 'tests/js/react/react-18', into: '.cache/react-18', what: 'React 18' });

/** The same tests as programs that have React from its own folder, and us from our sources. */
async function withReact18(names: readonly string[], packages: string): Promise<string[]> {
  const dir = join(packages, 'tests');
  const source = (path: string) => join(root, 'js', path);
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(root, `tests/js/react/${name}.test.tsx`)])),
    platform: 'node',
    external: ['vitest'],
    resolve: {
      alias: {
        'react-dom': join(packages, 'node_modules/react-dom'),
        react: join(packages, 'node_modules/react'),
        'subcontract/react': source('react/index.ts'),
      },
    },
    plugins: [
      {
        name: 'subcontract',
        // The package says that of its files only the built entries do something when they are imported.
        resolveId: (path) =>
          path === 'subcontract' ? { id: source('entrypoints/inline.ts'), moduleSideEffects: true } : null,
      },
    ],
  });
  await bundle.write({ dir, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' });
  await bundle.close();
  return names.map((name) => join(dir, `${name}.mjs`));
}

const { version } = await import(join(react, 'node_modules/react/index.js'));
it('is the version that is meant', () => expect(version).toBe('18.3.1'));
for (const program of await withReact18(['cards', 'hostile', 'labels'], react)) await import(program);

// The test projects: the shim from its sources, the packed package in each runtime and in Next, and the demo's chat page.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./js/${path}`, import.meta.url));

export default defineConfig({
  test: {
    projects: [
      {
        resolve: {
          alias: [
            { find: /^subcontract\/reference$/, replacement: source('entrypoints/reference/inline.ts') },
            { find: /^subcontract$/, replacement: source('entrypoints/inline.ts') },
            { find: /^subcontract\/(ag-ui|tanstack|cards|react)$/, replacement: source('$1/index.ts') },
          ],
        },
        test: {
          name: 'js',
          include: ['tests/js/**/*.test.{ts,tsx}'],
          typecheck: {
            enabled: true,
            include: ['tests/**/*.test-d.ts'],
            tsconfig: './tests/tsconfig.json',
          },
        },
      },
      {
        test: {
          name: 'package',
          include: ['tests/packaging/**/*.test.ts', 'tests/runtimes/**/*.test.ts'],
          exclude: ['tests/packaging/next/**'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          globalSetup: 'tests/packaging/install.ts',
        },
      },
      {
        test: {
          name: 'next',
          include: ['tests/packaging/next/*.test.ts'],
          hookTimeout: 300_000,
          globalSetup: 'tests/packaging/install.ts',
        },
      },
      {
        test: {
          name: 'web',
          include: ['tests/web/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          globalSetup: 'tests/web/build.ts',
        },
      },
    ],
  },
});

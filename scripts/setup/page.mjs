// The pages that run in a browser, built by Vite from their sources and the package: the demo's chat page, the benchmark's cards.
import { at } from './paths.mjs';
import { say } from './report.mjs';
import { hashInputs, isDone, markDone } from './stamp.mjs';

/** Into `.cache/ledgerline-page`, where the demo's server has it from. */
export const buildLedgerlinePage = () =>
  buildPage({ name: 'ledgerline-page', sources: 'examples/ledgerline/web/page', what: 'the demo’s chat page' });

/** The folder of the page in which the benchmark streams into a card. */
export const buildCardsBench = () =>
  buildPage({ name: 'cards-bench', sources: 'benches/cards', what: 'the benchmark’s page of a card' });

/** The folder of the built page. @param {{ name: string, sources: string, what: string }} page */
async function buildPage({ name, sources, what }) {
  const output = `.cache/${name}`;
  const hash = hashInputs({ files: [sources, 'pkg', 'package-lock.json', 'scripts/setup/page.mjs'] });
  if (isDone(name, hash, [`${output}/index.html`])) return at(output);
  say(`build ${what} with Vite`, 'its sources or the package changed');
  // Not imported above: it is one of the dependencies that the set-up installs.
  const { build } = await import('vite');
  const before = process.env.NODE_ENV;
  // Vite goes by it, and a test runner has set it to something else.
  process.env.NODE_ENV = 'production';
  await build({
    configFile: false,
    root: at(sources),
    logLevel: 'warn',
    build: {
      outDir: at(output),
      emptyOutDir: true,
      target: 'es2022',
      // Nothing inline: the page is served under a policy that runs scripts and styles from files alone.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        onwarn: (warning, warn) => {
          // 'use client' is for servers that render; this page is all client.
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
        },
      },
    },
  });
  if (before === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = before;
  markDone(name, hash);
  return at(output);
}

// The shim's modules as few files: at a cold start, each file costs the better part of a millisecond.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { at } from './paths.mjs';
import { SetupError } from './report.mjs';

const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const runtimes = ['inline', 'browser', 'workerd', 'edge-light'];

/** The modules that the exports map names, without Deno's, which are copied as they are. */
const exported = [...JSON.stringify(manifest.exports).matchAll(/"\.\/pkg\/([^"]+)\.js"/g)]
  .map(([, name]) => String(name))
  .filter((name) => !name.endsWith('/deno'));

const entries = [
  ...new Set(exported),
  // What Deno's entries import; `boundary` is for tests that make the core trap.
  ...['index', 'instance', 'boundary', 'reference/index', 'reference/core'],
];

/** Frameworks are the program's own. */
const packages = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).map(
  (name) => new RegExp(`^${name}(/|$)`),
);

/**
 * Writes the modules of `js/` into a folder. Each stands in one file, so that entries share its state, the live instance above
 * all, in whatever mix a program imports them. The entries' own side effects stay in their files, which the field
 * `sideEffects` of package.json names.
 * @param {string} folder
 * @param {{ reference: boolean }} options  whether the reference engine was built
 */
export async function bundle(folder, { reference }) {
  const fileOf = filing();
  const names = entries.filter((name) => reference || !name.includes('reference/'));
  const bundled = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, sourceOf(name)])),
    // Each runtime has its own way to load a core; the reference engine's entries run the main ones as they are.
    external: [...packages, /\.wasm(\?module)?$/, new RegExp(`^\\.\\./(${runtimes.join('|')})\\.js$`)],
    platform: 'neutral',
    plugins: [withoutSentences],
    tsconfig: at('js/tsconfig.json'),
    onLog: (level, log) => {
      if (level !== 'warn') return;
      throw new SetupError(`the modules of js/ cannot be bundled: ${log.message}`, 'mend the module that it names');
    },
  });
  const { output } = await bundled.generate({
    dir: folder,
    sourcemap: true,
    // The declarations carry the documentation.
    comments: { legal: true, annotation: true, jsdoc: false },
    chunkFileNames: '[name].js',
    // Hooks and state: frameworks with server components render it in the browser.
    banner: ({ name }) => (name === 'react/index' ? "'use client';" : ''),
    codeSplitting: {
      // In this order: each takes along what it imports of those that come later.
      groups: ['shared', 'shared-compile', 'shared-reference', 'shared-ag-ui', 'ag-ui/lint'].map((name) => ({
        debugName: name,
        name: (id, context) => (fileOf(id, context) === name ? name : null),
      })),
    },
  });
  await bundled.close();
  for (const file of output) {
    const path = join(folder, file.fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.type === 'chunk' ? inAscii(file.code) : withoutCores(String(file.source)));
  }
}

/** @param {string} name  of a module, without its ending */
const sourceOf = (name) => [at('js', `${name}.ts`), at('js', `${name}.tsx`)].find(existsSync) ?? name;

/** Says in which file a module stands, if not in that of the entry that imports it. @returns {import('rolldown').CodeSplittingNameFunction} */
function filing() {
  // What an entry with the whole API loads: the main module and, from its imports on, all that it consists of.
  const main = new Set(['entrypoints/base64.ts', 'index.ts'].map((path) => at('js', path)));
  let followed = false;
  return (id, context) => {
    if (!followed)
      for (const known of main) for (const next of context.getModuleInfo(known)?.importedIds ?? []) main.add(next);
    followed = true;
    if (main.has(id)) return 'shared';
    const path = id.slice(at('js').length + 1).replaceAll('\\', '/');
    // Edge bundlers refuse code that compiles WebAssembly, also where it is never called.
    if (path === 'entrypoints/compile.ts') return 'shared-compile';
    if (/^(generated-)?reference\//.test(path) && !path.endsWith('-base64.js')) return 'shared-reference';
    // Made of tables that look like side effects: as a file of its own it can be left out as a whole.
    if (path.startsWith('ag-ui/lint/')) return 'ag-ui/lint';
    return path.startsWith('ag-ui/') && path !== 'ag-ui/index.ts' ? 'shared-ag-ui' : null;
  };
}

/**
 * The linter's rules without their sentences, which only the page of rules is written from: a tenth of what `subcontract/ag-ui`
 * weighs. Blanks take their place, so that source maps stay true.
 * @type {import('rolldown').Plugin}
 */
const withoutSentences = {
  name: 'without-sentences',
  transform: {
    filter: { id: /\/ag-ui\/lint\/rules\/[^/]+\.ts$/ },
    handler(code, id) {
      const sentence = /\bsentence:\s*(['"`])(?:(?!\1)[^\\\n]|\\.)*\1,?/g;
      const left = code.replace(sentence, (found) => found.replace(/\S/g, ' '));
      if (/\bsentence:/.test(left))
        throw new SetupError(`${id} has a sentence that is no plain text`, 'write it as one');
      return { code: left, map: null };
    },
  },
};

/**
 * Code in which escapes stand for all characters outside ASCII. With one of them an engine keeps every character of a file in two
 * bytes, and takes a tenth more time to read it at a cold start. @param {string} code
 */
function inAscii(code) {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A source map that does not repeat the cores, which have no source to show. @param {string} text */
function withoutCores(text) {
  const map = JSON.parse(text);
  map.sourcesContent = map.sourcesContent.map((/** @type {string} */ content, /** @type {number} */ index) =>
    map.sources[index].endsWith('-base64.js') ? null : content,
  );
  return JSON.stringify(map);
}

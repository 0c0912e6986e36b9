// `npm run check`: formatting, lints, types, documentation and the shape of the package. Every step runs, then a summary.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { codeSizes, verdictOn } from './setup/code-size.mjs';
import { bin } from './setup/paths.mjs';
import { prepare } from './setup/prepare.mjs';
import { entry, say } from './setup/report.mjs';
import { capture, run } from './setup/run.mjs';
import { SIZE_GOAL, SIZE_LIMIT } from './setup/size.mjs';
import { wasmCargo } from './setup/standard-library.mjs';
import { apiIsAccepted, apiSnapshot, compiledCore } from './setup/wasm.mjs';

/** @type {Array<{ name: string, why: string, ok: () => Promise<boolean> }>} */
const steps = [
  step('rustfmt', 'Rust formatting', 'cargo', ['fmt', '--all', '--check']),
  step('clippy', 'Rust lints, warnings are errors', 'cargo', [
    ...['clippy', '--workspace', '--all-targets', '--locked', '--features', 'subcontract/wasm,subcontract/reference'],
    ...['--', '--deny', 'warnings'],
  ]),
  step('clippy crate', 'the same for the crate as its registry builds it, without features', 'cargo', [
    ...['clippy', '--package', 'subcontract', '--locked', '--', '--deny', 'warnings'],
  ]),
  step(
    'rustdoc',
    'Rust documentation without broken links',
    'cargo',
    ['doc', '--package', 'subcontract', '--no-deps', '--locked'],
    {
      RUSTDOCFLAGS: '--deny warnings',
    },
  ),
  step('typedoc', 'every public item of the TypeScript API is documented, and no link leads nowhere', bin('typedoc'), [
    ...['--emit', 'none', '--logLevel', 'Warn'],
  ]),
  step('tsc js', 'the shim’s types', bin('tsc'), ['--project', 'js', '--noEmit']),
  step('tsc tests', 'the tests’ types', bin('tsc'), ['--project', 'tests']),
  step('tsc examples', 'the examples’ types, against the built package', bin('tsc'), ['--project', '.']),
  step('tsc worker', 'the example Worker’s types, against the built package', bin('tsc'), [
    '--project',
    'examples/worker',
  ]),
  step('tsc scripts', 'the set-up’s types', bin('tsc'), ['--project', 'scripts']),
  step('biome', 'TypeScript and JSON formatting and lints', bin('biome'), ['check', '--error-on-warnings']),
  step('publint', 'package.json against the files it names', bin('publint'), ['--strict']),
  step('attw', 'the types as each module resolution finds them', bin('attw'), [
    ...['--pack', '.', '--profile', 'esm-only', '--format', 'ascii'],
    // Not JavaScript: a bundler or runtime resolves them, and TypeScript one of them to its declarations.
    ...['--exclude-entrypoints', './core.wasm', './styles.css'],
  ]),
  { name: 'cargo package', why: 'the crate’s files, as its registry would get them', ok: crateIsPackaged },
  { name: 'code size', why: 'what the shim weighs in a program, subpath by subpath', ok: sizesHold },
  { name: 'core API', why: 'the core’s declarations against the committed copy', ok: sameApi },
  { name: 'core size', why: 'what the core weighs with gzip', ok: size },
];

await entry(async () => {
  await prepare();
  /** @type {Array<{ name: string, ok: boolean }>} */
  const results = [];
  for (const { name, why, ok } of steps) {
    say(name, why);
    results.push({ name, ok: await ok() });
  }
  console.log('');
  for (const { name, ok } of results) console.log(`${ok ? 'ok    ' : 'failed'} ${name}`);
  const failed = results.filter(({ ok }) => !ok).length;
  console.log(`check: ${results.length - failed} ok, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

/** @param {string} name @param {string} why @param {string} command @param {string[]} args @param {Record<string, string>} [env] */
function step(name, why, command, args, env = {}) {
  return { name, why, ok: async () => (await run(command, args, { env })) === 0 };
}

async function sameApi() {
  if (apiIsAccepted()) return true;
  await run('git', ['diff', '--no-index', '--', apiSnapshot.committed, apiSnapshot.built]);
  console.error('  take the new declarations over with `npm run build -- --accept-api`, after reviewing them');
  return false;
}

/** The crate is packed, and holds its sources, its licences and what is to be read first. */
async function crateIsPackaged() {
  const args = ['package', '--package', 'subcontract', '--allow-dirty', '--offline', '--quiet'];
  const files = capture('cargo', [...args, '--list'])?.split('\n') ?? [];
  // Those that cargo writes itself among them.
  const expected =
    /^(src\/.*\.(rs|json)|README\.md|CHANGELOG\.md|LICENSE-(APACHE|MIT)|Cargo\.(toml|toml\.orig|lock)|\.cargo_vcs_info\.json)$/;
  const others = files.filter((file) => !expected.test(file));
  for (const file of others) console.error(`  ${file} does not belong into the crate: see \`include\` in Cargo.toml`);
  return files.includes('src/lib.rs') && others.length === 0 && (await run('cargo', [...args, '--no-verify'])) === 0;
}

/** Fails past a limit, or, where a limit is missed, past what that part is held at. */
async function sizesHold() {
  const parts = await codeSizes();
  for (const part of parts) console.log(`  ${verdictOn(part)}`);
  return parts.every(({ ok }) => ok);
}

/** The size depends on what compiled it, so that is said too, and the limit is that of one toolchain. */
async function size() {
  const { name, smallest } = await wasmCargo({ yes: false });
  const bytes = readFileSync(compiledCore);
  const compressed = gzipSync(bytes, { level: 9 }).length;
  const goal = compressed <= SIZE_GOAL ? 'met' : 'MISSED';
  console.log(`${kib(bytes.length)}, ${kib(compressed)} with gzip; compiled with ${name}`);
  console.log(
    `the goal of ${kib(SIZE_GOAL)} is ${goal}; the limit of ${kib(SIZE_LIMIT)} ${smallest ? 'holds' : 'is for another toolchain'}`,
  );
  return !smallest || compressed <= SIZE_LIMIT;
}

/** @param {number} bytes */
function kib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

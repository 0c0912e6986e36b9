// The compiled cores: cargo, then wasm-bindgen (xtask), then wasm-opt, into js/generated/ and js/generated-reference/.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, bin } from './paths.mjs';
import { note, SetupError, say } from './report.mjs';
import { must } from './run.mjs';
import { hashInputs, isDone, markDone } from './stamp.mjs';
import { wasmCargo } from './standard-library.mjs';

/**
 * @typedef {object} Core
 * @property {string} name  of the step and of its files
 * @property {string} what
 * @property {string} generated  where the files go
 * @property {string} work
 * @property {string} profile  of cargo
 * @property {string} features
 * @property {string[]} optimise  wasm-opt's options
 */

/** @type {Core} */
const main = {
  name: 'core',
  what: 'the core',
  generated: 'js/generated',
  work: '.cache/bindgen',
  profile: 'wasm',
  features: 'wasm',
  // No inlining: rustc has done what pays, and the large functions that more of it makes compress worse (by 4 %). No sharing of
  // common subexpressions: each needs a local. Nothing lies in the first KiB of the memory, the far end of the stack.
  optimise: [
    '-O3',
    '--low-memory-unused',
    '--skip-pass=local-cse',
    ...['--always-inline-max-function-size=1', '--flexible-inline-max-function-size=1'],
    '--one-caller-inline-max-function-size=1',
  ],
};

/** @type {Core} */
const reference = {
  name: 'reference',
  what: 'the core with the reference engine',
  generated: 'js/generated-reference',
  work: '.cache/bindgen-reference',
  profile: 'reference',
  features: 'wasm,reference',
  // It is large, and for it the first level has nearly all that the others have.
  optimise: ['-O1'],
};

const targetDir = 'target/wasm';
const glue = ['xtask/Cargo.toml', 'xtask/src/main.rs', 'xtask/src/bindgen.rs', 'xtask/src/glue.rs'];
const recipe = ['scripts/setup/wasm.mjs', 'scripts/setup/standard-library.mjs'];
const inputs = ['src', 'Cargo.toml', 'Cargo.lock', '.cargo/config.toml', ...glue, ...recipe];

/** The TypeScript declarations of the core, as committed and as the last build made them. */
export const apiSnapshot = { committed: at(main.generated, 'core.d.ts'), built: at(main.work, 'core.d.ts') };

export const compiledCore = at(main.generated, 'core.wasm');

/** @param {{ yes: boolean, acceptApi: boolean, reference: boolean }} options */
export async function buildWasm(options) {
  const toolchain = await wasmCargo(options);
  const { devDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const facts = [toolchain.name, toolchain.compiler, `binaryen ${devDependencies.binaryen}`];
  const hash = hashInputs({ files: inputs, facts });
  await build(main, toolchain, hash, () => {
    copyFileSync(at(main.work, 'instantiate.d.ts'), at(main.generated, 'instantiate.d.ts'));
    writeFileSync(at(main.generated, 'core-base64.d.ts'), 'export declare const base64: string;\n');
    updateApi(options.acceptApi);
  });
  if (options.reference) await build(reference, toolchain, hash, sameSurface);
}

/**
 * @param {Core} core
 * @param {import('./standard-library.mjs').WasmCargo} toolchain
 * @param {string} hash
 * @param {() => void} compare  the declarations that the build made
 */
async function build(core, toolchain, hash, compare) {
  const { name, generated, work } = core;
  const outputs = [`${name}.wasm`, `${name}-base64.js`, 'instantiate.js'];
  const step = `wasm-${name}`;
  const done = isDone(step, hash, [...outputs.map((output) => join(generated, output)), join(work, 'core.d.ts')]);
  if (!done) await compile(core, toolchain);
  compare();
  if (!done) markDone(step, hash);
}

/**
 * @param {Core} core
 * @param {import('./standard-library.mjs').WasmCargo} toolchain
 */
async function compile({ name, what, generated, work, profile, features, optimise }, toolchain) {
  say(
    `compile ${what} to WebAssembly with ${toolchain.name}`,
    'its sources or the toolchain changed; minutes the first time, less afterwards',
  );
  await must(
    toolchain.cargo,
    ['build', '--locked', '--profile', profile, '--package', 'subcontract', '--lib', '--features', features]
      .concat(['--target', 'wasm32-unknown-unknown', '--target-dir', targetDir])
      .concat(toolchain.args),
    { env: toolchain.env, remedy: 'fix the error that cargo shows above' },
  );

  say('generate the JavaScript glue', 'the compiled core passes numbers only; wasm-bindgen writes the calls around it');
  rmSync(at(work), { recursive: true, force: true });
  mkdirSync(at(work), { recursive: true });
  const compiled = join(targetDir, 'wasm32-unknown-unknown', profile, 'subcontract.wasm');
  await must(
    'cargo',
    ['run', '--locked', '--quiet', '--profile', 'tool', '--package', 'xtask', '--', 'bindgen', compiled, work],
    {
      remedy: 'fix the error above; wasm-bindgen and wasm-bindgen-cli-support must have the same version in Cargo.lock',
    },
  );

  say('optimise the WebAssembly', 'wasm-opt makes it about a quarter smaller; it takes a minute');
  mkdirSync(at(generated), { recursive: true });
  const remedy = 'delete node_modules and run the command again';
  // The names stay beside it, for `cargo xtask size`.
  const named = join(work, 'named.wasm');
  await must(bin('wasm-opt'), [...optimise, '--debuginfo', join(work, 'core.wasm'), '-o', named], { remedy });
  await must(bin('wasm-opt'), ['--strip-debug', named, '-o', join(generated, `${name}.wasm`)], { remedy });

  copyFileSync(at(work, 'instantiate.js'), at(generated, 'instantiate.js'));
  const base64 = readFileSync(at(generated, `${name}.wasm`)).toString('base64');
  writeFileSync(
    at(generated, `${name}-base64.js`),
    `// Generated from ${name}.wasm. Do not edit.\nexport const base64 =\n  '${base64}';\n`,
  );
}

/** Both cores are called by the same code. */
function sameSurface() {
  const [ours, theirs] = [main, reference].map(({ work }) => readFileSync(at(work, 'core.d.ts'), 'utf8'));
  if (ours !== theirs) {
    throw new SetupError(
      'the core with the reference engine has other exports than the core',
      'export the same functions whatever the features',
    );
  }
}

/**
 * The declarations are committed so that a change of the core's surface is seen in review; the build uses the new ones
 * only when told to, and `npm run check` fails until then.
 * @param {boolean} accept
 */
function updateApi(accept) {
  if (accept || !existsSync(apiSnapshot.committed)) copyFileSync(apiSnapshot.built, apiSnapshot.committed);
  else if (!apiIsAccepted()) {
    note('the core’s exports changed: review them and take them over with `npm run build -- --accept-api`');
  }
}

export const apiIsAccepted = () =>
  existsSync(apiSnapshot.committed) &&
  readFileSync(apiSnapshot.committed, 'utf8') === readFileSync(apiSnapshot.built, 'utf8');

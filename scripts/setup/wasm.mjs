// The compiled core: cargo, then wasm-bindgen (xtask), then wasm-opt, into js/generated/.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, bin } from './paths.mjs';
import { note, say } from './report.mjs';
import { must } from './run.mjs';
import { hashInputs, isDone, markDone } from './stamp.mjs';
import { wasmCargo } from './standard-library.mjs';

const generated = 'js/generated';
const work = '.cache/bindgen';
const targetDir = 'target/wasm';
const recipe = ['scripts/setup/wasm.mjs', 'scripts/setup/standard-library.mjs', 'package-lock.json'];
const inputs = ['src', 'Cargo.toml', 'Cargo.lock', '.cargo/config.toml', 'xtask', ...recipe];

/** The TypeScript declarations of the core, as committed and as the last build made them. */
export const apiSnapshot = { committed: at(generated, 'core.d.ts'), built: at(work, 'core.d.ts') };

export const compiledCore = at(generated, 'core.wasm');

/** @param {{ yes: boolean, acceptApi?: boolean }} options */
export async function buildWasm(options) {
  const toolchain = await wasmCargo(options);
  const hash = hashInputs({ files: inputs, facts: [toolchain.name, toolchain.compiler] });
  const outputs = ['core.wasm', 'core-base64.js', 'core-base64.d.ts', 'instantiate.js', 'instantiate.d.ts'];
  const done = isDone('wasm', hash, [...outputs.map((name) => join(generated, name)), join(work, 'core.d.ts')]);
  if (!done) await compile(toolchain);
  updateApi(options.acceptApi === true);
  if (!done) markDone('wasm', hash);
}

/** @param {import('./standard-library.mjs').WasmCargo} toolchain */
async function compile(toolchain) {
  say(
    `compile the core to WebAssembly with ${toolchain.name}`,
    'its sources or the toolchain changed; minutes the first time, less afterwards',
  );
  await must(
    toolchain.cargo,
    ['build', '--locked', '--profile', 'wasm', '--package', 'subcontract', '--lib', '--features', 'wasm']
      .concat(['--target', 'wasm32-unknown-unknown', '--target-dir', targetDir])
      .concat(toolchain.args),
    { env: toolchain.env, remedy: 'fix the error that cargo shows above' },
  );

  say('generate the JavaScript glue', 'the compiled core passes numbers only; wasm-bindgen writes the calls around it');
  rmSync(at(work), { recursive: true, force: true });
  mkdirSync(at(work), { recursive: true });
  const compiled = join(targetDir, 'wasm32-unknown-unknown/wasm/subcontract.wasm');
  await must(
    'cargo',
    ['run', '--locked', '--quiet', '--profile', 'tool', '--package', 'xtask', '--', 'bindgen', compiled, work],
    {
      remedy: 'fix the error above; wasm-bindgen and wasm-bindgen-cli-support must have the same version in Cargo.lock',
    },
  );

  say('optimise the WebAssembly', 'wasm-opt makes it about a quarter smaller; it takes a minute');
  mkdirSync(at(generated), { recursive: true });
  await must(bin('wasm-opt'), ['-O3', join(work, 'core.wasm'), '-o', join(generated, 'core.wasm')], {
    remedy: 'delete node_modules and run the command again',
  });

  for (const name of ['instantiate.js', 'instantiate.d.ts']) copyFileSync(at(work, name), at(generated, name));
  const base64 = readFileSync(compiledCore).toString('base64');
  writeFileSync(
    at(generated, 'core-base64.js'),
    `// Generated from core.wasm. Do not edit.\nexport const base64 =\n  '${base64}';\n`,
  );
  writeFileSync(at(generated, 'core-base64.d.ts'), 'export declare const base64: string;\n');
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

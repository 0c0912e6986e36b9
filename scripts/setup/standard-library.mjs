// Finds a Rust standard library for wasm32-unknown-unknown, or gets one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { note, SetupError, say } from './report.mjs';
import { capture, must } from './run.mjs';
import { confirm, installPackages, isDebian, isRoot, missingPackages } from './system-packages.mjs';

const target = 'wasm32-unknown-unknown';
const debianPackages = ['rustc-web', 'cargo-web', 'rust-web-src', 'rust-web-llvm', 'lld-22'];
const remedy = `run \`rustup target add ${target}\`, or on Debian as root \`apt-get install -y --no-install-recommends ${debianPackages.join(' ')}\``;

/**
 * How to run cargo for the wasm target: the sizes of the wasm differ between the two, so `name` says which one it was.
 * `smallest`: its standard library is built for size, and the limit on the core's size holds.
 * @typedef {{ name: string, smallest: boolean, cargo: string, args: string[], env: Record<string, string>, compiler: string }} WasmCargo
 */

/**
 * Tries in this order: (a) the target of the toolchain on the PATH; (b) Debian's packages, which bring the library's
 * sources and need no download from rustup; (c) rustup; (d) an error that names both remedies.
 * @param {{ yes: boolean }} options
 * @returns {Promise<WasmCargo>}
 */
export async function wasmCargo(options) {
  const installed = fromToolchain();
  if (installed) return installed;
  if (isDebian()) {
    const debian = await fromDebian(options);
    if (debian) return debian;
  }
  return fromRustup(options);
}

/** @returns {WasmCargo | undefined} */
function fromToolchain() {
  const sysroot = capture('rustc', ['--print', 'sysroot']);
  if (!sysroot || !existsSync(join(sysroot, 'lib', 'rustlib', target))) return undefined;
  return {
    smallest: false,
    name: 'the toolchain’s own target',
    cargo: 'cargo',
    args: [],
    env: {},
    compiler: capture('rustc', ['--version', '--verbose']) ?? '',
  };
}

/** @param {{ yes: boolean }} options @returns {Promise<WasmCargo | undefined>} */
async function fromDebian({ yes }) {
  if (missingPackages(debianPackages).length > 0) {
    if (!isRoot()) return undefined;
    try {
      await installPackages(debianPackages, {
        why: `the Rust toolchain has no ${target} target, and these bring its standard library as source`,
        remedy,
        yes,
      });
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      note(`${error.message.split('\n')[0]}; trying rustup instead`);
      return undefined;
    }
  }
  return {
    smallest: true,
    name: 'Debian’s packages, standard library built from source for size, panics without a message',
    cargo: '/usr/bin/cargo',
    // Levers of this path alone, as they are unstable: the source does not know of them.
    args: ['-Zbuild-std=std,panic_abort', '-Zbuild-std-features=optimize_for_size', '-Zpanic-immediate-abort']
      .concat(['--config', 'profile.wasm.panic="immediate-abort"'])
      // No place in a source file is told, and none of this machine's paths. `fast`: the compiler knows `#[optimize(speed)]`.
      .concat(['--config', `target.${target}.rustflags=["-Zlocation-detail=none", "--cfg", "fast"]`]),
    env: { RUSTC: '/usr/bin/rustc', RUSTC_BOOTSTRAP: '1' },
    compiler: capture('/usr/bin/rustc', ['--version', '--verbose']) ?? '',
  };
}

/** @param {{ yes: boolean }} options @returns {Promise<WasmCargo>} */
async function fromRustup({ yes }) {
  if (!capture('rustup', ['--version'])) {
    throw new SetupError(`no Rust standard library for ${target} was found, and there is no rustup to get one`, remedy);
  }
  say(`add the target ${target} with rustup`, 'the core is compiled to WebAssembly and the toolchain lacks it');
  await confirm('add it to the active toolchain?', { remedy, yes });
  await must('rustup', ['target', 'add', target], { remedy });
  const added = fromToolchain();
  if (added) return added;
  throw new SetupError(`rustup added ${target}, but the rustc on the PATH is not rustup's`, remedy);
}

// Set-up in one call: dependencies, toolchain, builds. It does nothing that is already done.
import { installDependencies } from './dependencies.mjs';
import { alone } from './lock.mjs';
import { SetupError } from './report.mjs';
import { buildPackage } from './typescript.mjs';
import { buildWasm } from './wasm.mjs';

/**
 * The reference engine is part of the package and takes the longest to build: what does without it says so, and may find
 * one of an earlier build.
 * @param {{ yes?: boolean, acceptApi?: boolean, reference?: boolean }} [options]
 */
export async function prepare({ yes = process.argv.includes('--yes'), acceptApi = false, reference = true } = {}) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new SetupError(`Node ${process.versions.node} is too old`, 'install Node 20.19 or later');
  }
  await alone(async () => {
    await installDependencies();
    await buildWasm({ yes, acceptApi, reference });
    await buildPackage();
  });
}

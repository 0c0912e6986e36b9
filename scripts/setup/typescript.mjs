// The npm package's files: the shim's modules and declarations, and the cores, into pkg/.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { at, bin } from './paths.mjs';
import { say } from './report.mjs';
import { must } from './run.mjs';
import { hashInputs, isDone, markDone } from './stamp.mjs';

const next = 'pkg.next';

export async function buildPackage() {
  const hash = hashInputs({
    files: [
      'js',
      'tsconfig.base.json',
      'package.json',
      'package-lock.json',
      'scripts/setup/typescript.mjs',
      'scripts/setup/bundle.mjs',
    ],
  });
  if (isDone('package', hash, ['pkg/shared.js', 'pkg/core.wasm'])) return;
  say('compile the TypeScript into pkg/', 'its sources or the core changed');
  rmSync(at(next), { recursive: true, force: true });
  await must(bin('tsc'), ['--project', 'js', '--outDir', next, '--emitDeclarationOnly'], {
    remedy: 'fix the type errors above; if they name js/generated/core.d.ts, first run `npm run build -- --accept-api`',
  });
  copy('generated/core.d.ts');
  copy('generated/instantiate.d.ts');
  copy('generated/core-base64.d.ts');
  copy('generated/core.wasm', 'core.wasm');
  copy('core.wasm.d.ts');
  copy('react/styles.css', 'styles.css');
  copy('entrypoints/deno.js');
  copy('generated-reference/instantiate.d.ts');
  copy('generated-reference/reference-base64.d.ts');
  copy('entrypoints/reference/deno.js');
  // Absent when only commands have run that do without it.
  const reference = existsSync(at('js/generated-reference/reference.wasm'));
  if (reference) copy('generated-reference/reference.wasm', 'reference.wasm');
  // Not imported above: the bundler is one of the dependencies that the set-up installs.
  const { bundle } = await import('./bundle.mjs');
  await bundle(at(next), { reference });
  rmSync(at('pkg'), { recursive: true, force: true });
  renameSync(at(next), at('pkg'));
  markDone('package', hash);
}

/** @param {string} from  in js/ @param {string} [to]  in the package */
function copy(from, to = from) {
  cpSync(at('js', from), at(next, to));
}

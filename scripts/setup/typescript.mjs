// The npm package's files: the compiled shim and the cores, into pkg/.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { at, bin } from './paths.mjs';
import { say } from './report.mjs';
import { must } from './run.mjs';
import { hashInputs, isDone, markDone } from './stamp.mjs';

const next = 'pkg.next';

export async function buildPackage() {
  const hash = hashInputs({
    files: ['js', 'tsconfig.base.json', 'package-lock.json', 'scripts/setup/typescript.mjs'],
  });
  if (isDone('package', hash, ['pkg/index.js', 'pkg/core.wasm'])) return;
  say('compile the TypeScript into pkg/', 'its sources or the core changed');
  rmSync(at(next), { recursive: true, force: true });
  await must(bin('tsc'), ['--project', 'js', '--outDir', next], {
    remedy: 'fix the type errors above; if they name js/generated/core.d.ts, first run `npm run build -- --accept-api`',
  });
  copy('generated/core.d.ts');
  copy('generated/instantiate.js');
  copy('generated/instantiate.d.ts');
  copy('generated/core-base64.js');
  copy('generated/core-base64.d.ts');
  copy('generated/core.wasm', 'core.wasm');
  copy('core.wasm.d.ts');
  copy('entrypoints/deno.js');
  copy('generated-reference/instantiate.d.ts');
  copy('generated-reference/reference-base64.d.ts');
  // Absent when only commands have run that do without it.
  if (existsSync(at('js/generated-reference/reference.wasm'))) {
    copy('generated-reference/instantiate.js');
    copy('generated-reference/reference-base64.js');
    copy('generated-reference/reference.wasm', 'reference.wasm');
  }
  copy('entrypoints/reference/deno.js');
  rmSync(at('pkg'), { recursive: true, force: true });
  renameSync(at(next), at('pkg'));
  markDone('package', hash);
}

/** @param {string} from  in js/ @param {string} [to]  in the package */
function copy(from, to = from) {
  cpSync(at('js', from), at(next, to));
}

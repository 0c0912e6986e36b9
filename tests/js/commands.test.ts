// The project's commands install their own dependencies: a fresh clone has none when one of them is loaded.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));
const commands = readdirSync(scripts).filter((file) => file.endsWith('.mjs'));

it.each(commands)('%s is loaded without any dependency', async (command) => {
  const { metafile } = await build({
    entryPoints: [`${scripts}${command}`],
    bundle: true,
    write: false,
    outdir: 'out',
    platform: 'node',
    format: 'esm',
    // What is imported later may lead anywhere: it is no part of the loading.
    splitting: true,
    packages: 'external',
    metafile: true,
  });
  const loaded = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint?.endsWith(command));
  expect(loaded).toBeDefined();
  const reached = new Set([loaded]);
  const dependencies: string[] = [];
  for (const output of reached) {
    for (const { path, kind, external } of output?.imports ?? []) {
      if (kind === 'dynamic-import' || path.startsWith('node:')) continue;
      if (external) dependencies.push(path);
      else reached.add(metafile.outputs[path]);
    }
  }
  expect(dependencies).toEqual([]);
});

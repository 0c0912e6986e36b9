// Packs the package and installs the tarball into a throw-away project, once for all tests of the package.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { installTools } from '../runtimes/tools/tools.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of a project that has the packed package, and nothing else, in its node_modules. */
    project: string;
    /** The folder of the runtimes and bundlers, or why they could not be installed: their tests then fail, and no others. */
    tools: { folder?: string; failure?: string };
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Programs lie beside node_modules, as a user's would. */
const programs = ['../runtimes', '.'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

export async function setup({ provide }: TestProject): Promise<() => void> {
  const tools = await installTools().then(
    (folder) => ({ folder }),
    (error: Error) => ({ failure: error.message }),
  );
  if ('failure' in tools) console.error(tools.failure);
  provide('tools', tools);

  const project = mkdtempSync(join(tmpdir(), 'subcontract-package-'));
  // The npm that runs us would pass its settings on through the environment, those of a dry run or a prefix among them.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

  const packed = npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // Its dependencies come from this repository, so that nothing is downloaded.
  const dependencies = Object.keys(dependenciesOf(root)).map((name) => join(root, 'node_modules', name));
  npm(project, 'install', '--offline', '--install-links', join(project, tarballOf(packed)), ...dependencies);
  for (const folder of programs) cpSync(folder, project, { recursive: true });
  provide('project', project);
  return () => rmSync(project, { recursive: true, force: true });
}

function dependenciesOf(folder: string): Record<string, string> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  return manifest.dependencies ?? {};
}

/** The report is an array of packages, in later versions of npm an object by name. */
function tarballOf(report: string): string {
  const packages = Object.values(JSON.parse(report)) as Array<{ filename: string }>;
  const first = packages[0];
  if (first === undefined) throw new Error(`npm pack reported no package: ${report}`);
  return first.filename;
}

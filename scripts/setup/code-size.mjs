// What the shim weighs in a user's program, without the core: minified by esbuild, with gzip.
import { gzipSync } from 'node:zlib';
import { at } from './paths.mjs';

/**
 * A part of the package, and how many bytes it may have. `limit` is what we want of it; `ratchet` is set where it is above that: what
 * it had when it was last made smaller, and 2 % more, so that it does not grow unseen.
 * @typedef {{ name: string, what: string, limit: number, ratchet?: number }} Part
 */

/** @typedef {Part & { bytes: number, ok: boolean }} Measured */

/** @type {Part[]} */
export const PARTS = [
  { name: 'subcontract', what: 'everything that it exports', limit: 14_000, ratchet: 50_400 },
  {
    name: 'a program',
    what: 'what stays of it for compileContract, defineAgent, delegate and researchResult',
    limit: 14_000,
    ratchet: 42_970,
  },
  { name: 'contracts alone', what: 'what stays of it for compileContract and readReturn', limit: 14_000 },
  { name: 'subcontract/ag-ui', what: 'what it adds to all of subcontract', limit: 8_000, ratchet: 14_230 },
  { name: 'subcontract/tanstack', what: 'what it adds to all of subcontract', limit: 10_000 },
  { name: 'subcontract/react', what: 'what it adds to all of subcontract', limit: 15_000, ratchet: 16_500 },
];

/** @returns {Promise<Measured[]>} */
export async function codeSizes() {
  const main = `export * from './pkg/index.js';`;
  const whole = await sizeOf(main);
  /** @param {string} name */
  const added = async (name) => (await sizeOf(`${main} export * from './pkg/${name}/index.js';`)) - whole;
  const bytes = [
    whole,
    await sizeOf(`export { compileContract, defineAgent, delegate, researchResult } from './pkg/index.js';`),
    await sizeOf(`export { compileContract, readReturn } from './pkg/index.js';`),
    await added('ag-ui'),
    await added('tanstack'),
    await added('react'),
  ];
  return PARTS.map((part, index) => {
    const size = bytes[index] ?? 0;
    return { ...part, bytes: size, ok: size <= (part.ratchet ?? part.limit) };
  });
}

/** One line about a part. @param {Measured} part */
export function verdictOn({ name, what, bytes, limit, ratchet, ok }) {
  const within = bytes <= limit ? `within the limit of ${kb(limit)}` : `MISSES the limit of ${kb(limit)}`;
  const held =
    ratchet === undefined || bytes <= limit ? '' : `, ${ok ? 'held' : 'ABOVE what it is held'} at ${kb(ratchet)}`;
  return `${name} (${what}): ${kb(bytes)}, ${within}${held}`;
}

/** The size of a program, frameworks and cores left out, as its users' bundlers would deploy it. @param {string} contents */
async function sizeOf(contents) {
  // Not imported above: it is one of the dependencies that the set-up installs.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: at(), sourcefile: 'program.mjs' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
    external: ['@tanstack/*', 'react', 'react/*', 'react-dom', '*.wasm'],
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

/** @param {number} bytes */
const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

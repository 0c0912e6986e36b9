/** The entry that does nothing at import: the program says where the core comes from. */
import { mainCore } from '../instance.js';
import { type CoreSource, compile, compileSync } from './compile.js';

export type { CoreSource };

/**
 * Prepares the core from a URL, a response, its bytes or a compiled module. Only the first call has an effect.
 *
 * @throws {Error} when the URL cannot be fetched
 * @throws {WebAssembly.CompileError} when the bytes are not the core
 */
export async function init(source: CoreSource | Promise<CoreSource>): Promise<void> {
  if (!mainCore.hasModule) mainCore.setModule(await compile(await source));
}

/** Like {@link init}, for bytes and modules that are there already. */
export function initSync(source: BufferSource | WebAssembly.Module): void {
  if (!mainCore.hasModule) mainCore.setModule(compileSync(source));
}

export * from '../index.js';

// Where things are in the repository.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** @param {string[]} parts */
export const at = (...parts) => join(root, ...parts);

/** The program of an installed development dependency. @param {string} name */
export const bin = (name) => at('node_modules', '.bin', name);

// As `create-next-app` has it; the folder above holds node_modules.
import { fileURLToPath } from 'node:url';

export default {
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
  outputFileTracingRoot: fileURLToPath(new URL('../..', import.meta.url)),
};

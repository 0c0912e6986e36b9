// The core with the reference engine has the same exports as the core; the build compares them.
export { instantiate } from '../generated/instantiate.js';

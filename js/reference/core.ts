// The core with the reference engine in it: a module, an instance and traps of its own.
import { instantiate } from '../generated-reference/instantiate.js';
import { Core } from '../instance.js';

export const referenceCore = /* @__PURE__ */ new Core(
  instantiate,
  "the reference engine is not initialised: import 'subcontract/reference' rather than a file inside it",
);

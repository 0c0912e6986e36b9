// The types of deep.mjs, for the tests that run it from the shim's sources.
import type { compileContract } from 'subcontract';

/** What came of each case. */
export declare function deep(subcontract: { compileContract: typeof compileContract }): Record<string, string>;

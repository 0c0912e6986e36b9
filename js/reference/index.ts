/**
 * The same package with another engine: contracts compiled here are judged by the Rust crate `jsonschema`.
 *
 * It is an order of magnitude larger and slower than the engine of `subcontract`, and a second opinion on it. A contract
 * from here goes wherever one from there does, `defineAgent` and `readReturn` included; what compiles schemas by itself,
 * as `defineAgent` does of a plain schema, keeps to the engine of `subcontract`. The crate has no budget of steps: on a
 * schema whose references lead in circles it exhausts the stack, which is reported as an `internal_error`.
 *
 * @module
 */
import { type CompileOptions, type Contract, compileBy, isContract } from '../contract.js';
import type { InferIn, InferOut } from '../schema.js';
import { referenceCore } from './core.js';

export * from '../index.js';

/**
 * Compiles a schema by the reference engine, which takes none from a model (`trust: 'model'`). A contract of the other
 * engine is compiled anew from its schema.
 *
 * @throws SchemaError when it is no valid schema of its dialect, refers to a schema that was not given, or cannot be
 * converted to JSON Schema.
 */
export function compileContract<const S extends object | boolean | string>(
  schema: S,
  options: CompileOptions = {},
): Contract<InferIn<S>, InferOut<S>> {
  const ours = isContract(schema) && schema.handle.core === referenceCore;
  if (ours && Object.keys(options).length === 0) return schema as unknown as Contract<InferIn<S>, InferOut<S>>;
  return compileBy({ core: referenceCore, engine: 'reference' }, schema, options);
}

// The other validators, each as a function from a schema to one that judges a JavaScript value.
import { randomUUID } from 'node:crypto';
import { Validator } from '@cfworker/json-schema';
import { validate as hyperjumpValidate, registerSchema } from '@hyperjump/json-schema/draft-2020-12';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { z } from 'zod';

/** @typedef {(value: unknown) => boolean} Judge */

/** Ajv as most programs set it up: it stops at the first error. @param {object} schema @returns {Judge} */
export const ajv = (schema) => /** @type {Judge} */ (new Ajv2020({ strict: false }).compile(schema));

/** The module that Ajv writes for a schema where nothing may be compiled at run time. @param {object} schema */
export async function ajvStandaloneModule(schema) {
  const ajv = new Ajv2020({ strict: false, code: { source: true, esm: true } });
  const contents = standaloneCode.default(ajv, ajv.compile(schema));
  const bundle = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return bundle.outputFiles[0]?.text ?? '';
}

/** @param {object} schema @returns {Promise<Judge>} */
export async function ajvStandalone(schema) {
  const text = await ajvStandaloneModule(schema);
  const module = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  return module.default;
}

/** @param {object} schema @returns {Judge} */
export function cfworker(schema) {
  const validator = new Validator(schema, '2020-12', true);
  return (value) => validator.validate(value).valid;
}

/** @param {object} schema @returns {Promise<Judge>} */
export async function hyperjump(schema) {
  const uri = `https://schemas.example/${randomUUID()}`;
  registerSchema(/** @type {any} */ (schema), uri);
  const validate = await hyperjumpValidate(uri);
  return (value) => validate(/** @type {any} */ (value), 'FLAG').valid;
}

/** @param {object} schema @returns {Judge} */
export function zod(schema) {
  const type = z.fromJSONSchema(/** @type {any} */ (schema));
  return (value) => type.safeParse(value).success;
}

/**
 * The `jsonschema` crate in wasm, as this package ships it; undefined when this version does not.
 * @returns {Promise<typeof import('subcontract').compileContract | undefined>}
 */
export async function referenceEngine() {
  try {
    const name = 'subcontract/reference';
    return (await import(name)).compileContract;
  } catch {
    return undefined;
  }
}

// The JSON Schema of a tool as it is handed to a host, so that no provider adapter changes what it asks for.
import type { Json } from './core.js';
import { isRecord } from './wire.js';

type Schema = Record<string, unknown>;

/**
 * The schema for a tool's arguments.
 *
 * Adapters for OpenAI's strict mode make every optional property required and nullable, and undo it in
 * the parsed input only; the argument text, which is what a contract judges, then holds nulls that the
 * contract refuses. Strict mode is offered only to schemas without definitions, so an empty `$defs`,
 * which means nothing, keeps a schema with optional properties out of it.
 */
export function toolSchema(schema: Json): Schema {
  const root = isRecord(schema) ? schema : {};
  return hasOptional(root) ? { ...root, $defs: isRecord(root.$defs) ? root.$defs : {} } : root;
}

function hasOptional(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasOptional);
  if (!isRecord(node)) return false;
  if (isRecord(node.properties)) {
    const required = new Set(Array.isArray(node.required) ? node.required : []);
    if (Object.keys(node.properties).some((name) => !required.has(name))) return true;
  }
  return Object.values(node).some(hasOptional);
}

// A return tool takes an object: any other return stands in it as `{ result: … }`.
import type { Issue } from './core.js';

/** An issue of the arguments of such a tool, as one of the return inside. */
export function unwrapped(issue: Issue): Issue {
  const { instancePath, schemaPath } = issue;
  const [, inside] = /^\/result((?:\/.*)?)$/s.exec(instancePath) ?? [];
  if (inside === undefined) return issue;
  return { ...issue, instancePath: inside, schemaPath: schemaPath.replace(/^\/properties\/result(?=\/|$)/, '') };
}

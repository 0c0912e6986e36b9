// What asks the most of the stack: recursive schemas, deep instances, references in circles, nests of applicators. Running
// out of it would be a trap. V8 gives 984 KB by default; these were measured to need up to 650.

const DEPTH = 512;

/** @param {string} open @param {string} inner @param {string} close @param {number} depth */
const nest = (open, inner, close, depth = DEPTH) => open.repeat(depth) + inner + close.repeat(depth);
const objects = nest('{"n":', '1', '}');
const arrays = nest('[', '1', ']');
/** @param {object} step */
const list = (step) => ({ $ref: '#/$defs/n', $defs: { n: step } });
const again = { $ref: '#/$defs/n' };

/** Schemas that judge each level of an instance by themselves again. */
const recursive = {
  properties: list({ properties: { n: again } }),
  'properties with a bad end': list({ type: 'object', properties: { n: again } }),
  additionalProperties: list({ additionalProperties: again }),
  patternProperties: list({ patternProperties: { '^n$': again } }),
  allOf: list({ allOf: [{ allOf: [{ allOf: [{ properties: { n: again } }] }] }] }),
  anyOf: list({ anyOf: [{ type: 'integer' }, { properties: { n: again }, required: ['n'] }] }),
  oneOf: list({ oneOf: [{ type: 'integer' }, { type: 'object', properties: { n: again } }] }),
  not: list({ not: { not: { properties: { n: again } } } }),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  if: list({ if: { type: 'object' }, then: { properties: { n: again } }, else: { type: 'integer' } }),
  dependentSchemas: list({ dependentSchemas: { n: { properties: { n: again } } } }),
  unevaluatedProperties: list({ anyOf: [{ required: ['n'] }, true], unevaluatedProperties: again }),
  dynamicRef: { $dynamicAnchor: 'n', properties: { n: { $dynamicRef: '#n' } }, propertyNames: { maxLength: 1 } },
  recursiveRef: {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $recursiveAnchor: true,
    allOf: [{ properties: { n: { $recursiveRef: '#' } } }],
  },
};

const inArrays = {
  items: list({ items: again }),
  prefixItems: list({ prefixItems: [again], unevaluatedItems: false }),
  contains: list({ anyOf: [{ type: 'integer' }, { contains: again }] }),
  uniqueItems: list({ items: again, uniqueItems: true }),
  unevaluatedItems: list({ unevaluatedItems: again }),
};

/** References that lead back without a step into the instance. */
const circles = {
  ref: { $ref: '#' },
  allOf: { allOf: [{ $ref: '#' }] },
  not: list({ not: again }),
  'anyOf of anyOf': list({ anyOf: [{ anyOf: [again, again] }, again] }),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  if: list({ if: again, then: again, else: again }),
  dynamicRef: { $dynamicAnchor: 'n', $dynamicRef: '#n' },
  unevaluatedProperties: list({ oneOf: [again, again], unevaluatedProperties: again }),
};

/** Schema texts as deep as a schema may be, and deeper. */
const nests = {
  properties: nest('{"properties":{"n":', '{}', '}}', 255),
  items: nest('{"items":', 'false', '}', 511),
  allOf: nest('{"allOf":[', '{"type":"integer"}', ']}', 255),
  anyOf: nest('{"anyOf":[false,', '{"type":"integer"}', ']}', 255),
  oneOf: nest('{"oneOf":[false,', '{"type":"integer"}', ']}', 255),
  not: nest('{"not":', 'false', '}', 511),
  if: nest('{"if":', 'true', ',"then":{"type":"integer"}}', 511),
  unevaluatedProperties: nest('{"unevaluatedProperties":', 'false', '}', 511),
  definitions: nest('{"$defs":{"n":', '{}', '}}', 255),
  const: `{"const":${nest('[', '1', ']', 511)}}`,
  enum: `{"enum":[${nest('[', '1', ']', 510)},1]}`,
  'too deep': nest('{"not":', 'false', '}', 513),
  'a wide allOf': `{"allOf":[${Array.from({ length: 5000 }, (_, i) => `{"minimum":${-i}}`).join()}]}`,
  'a wide anyOf': `{"anyOf":[${Array.from({ length: 5000 }, (_, i) => `{"const":${-i - 1}}`).join()}]}`,
  'a chain of references': `{"$ref":"#/$defs/0","$defs":{${Array.from(
    { length: 2000 },
    (_, i) => `"${i}":{"$ref":"#/$defs/${i + 1}"}`,
  ).join()},"2000":{"type":"integer"}}}`,
  'groups in a pattern': JSON.stringify({ pattern: nest('(', 'a', ')', 20_000) }),
  'options in a pattern': JSON.stringify({ pattern: nest('(a|', 'b', ')', 5000) }),
};

/**
 * Each case with what came of it: `ok`, a verdict's code, or the code of a schema error.
 * @param {Pick<typeof import('subcontract'), 'compileContract'>} subcontract
 */
export function deep({ compileContract }) {
  /** @type {Record<string, string>} */
  const outcomes = {};
  /** @param {string} name @param {object | string} schema @param {string} text */
  const judge = (name, schema, text) => {
    try {
      const contract = compileContract(schema);
      const verdict = contract.check(text);
      outcomes[name] = verdict.ok ? 'ok' : verdict.code;
      contract.free();
    } catch (error) {
      outcomes[name] = /** @type {{ code?: string }} */ (error).code ?? String(error);
    }
  };
  for (const [name, schema] of Object.entries(recursive)) judge(`recursive ${name}`, schema, objects);
  for (const [name, schema] of Object.entries(inArrays)) judge(`recursive ${name}`, schema, arrays);
  for (const [name, schema] of Object.entries(circles)) judge(`circle of ${name}`, schema, '{"n":{"n":1}}');
  for (const [name, schema] of Object.entries(nests)) judge(`nest of ${name}`, schema, '1');
  judge('a nest of items, to its end', nests.items, arrays);
  judge('a nest of properties, to its end', nests.properties, objects);
  judge('a deep const', nests.const, nest('[', '1.0', ']', 511));
  judge('groups in a regex', { format: 'regex' }, JSON.stringify(nest('(', 'a', ')', 20_000)));
  judge('a text too deep', {}, nest('[', '1', ']', 100_000));
  return outcomes;
}

// The schemas that the benchmarks judge by, beside the package's own research record.

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** 160 properties, each with a pattern of its own. */
export const patternSchema = {
  $schema: dialect,
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 160 }, (_, i) => {
      const patterns = [
        `^inv-${i}-[0-9]{3,8}$`,
        `^${i}\\.[0-9]+\\.[0-9]+$`,
        `^2026-(0[1-9]|1[0-2])-[0-9]{2}$|^none-${i}$`,
        `^(src|test)/[A-Za-z_]+_${i}/[^/]+\\.ts:\\d+$`,
      ];
      return [`field_${i}`, { type: 'string', pattern: patterns[i % 4] }];
    }),
  ),
  additionalProperties: false,
};

/** A list of ten kinds of event, told apart by a constant. */
export const unionSchema = {
  $schema: dialect,
  type: 'array',
  items: {
    anyOf: Array.from({ length: 10 }, (_, kind) => ({
      type: 'object',
      properties: {
        type: { const: `event_${kind}` },
        at: { type: 'integer', minimum: 0 },
        [`payload_${kind}`]: { type: 'string', maxLength: 200 },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 8 },
      },
      required: ['type', 'at', `payload_${kind}`],
      additionalProperties: false,
    })),
  },
};

/** A tree: a schema that refers to itself. */
export const deepSchema = {
  $schema: dialect,
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        weight: { type: 'number', minimum: 0 },
        children: { type: 'array', items: { $ref: '#/$defs/node' } },
      },
      required: ['name', 'children'],
      additionalProperties: false,
    },
  },
};

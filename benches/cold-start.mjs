// One cold start: from the first import to the first verdict, in a process that has done nothing else. Prints milliseconds of
// the processor, all threads together: they do not depend on what else the machine does.
import { readFileSync } from 'node:fs';

const [contestant = '', file = ''] = process.argv.slice(2);
const { schema, text } = JSON.parse(readFileSync(file, 'utf8'));
const start = process.cpuUsage();
const ok = await firstVerdict();
const { user, system } = process.cpuUsage(start);
if (ok !== true) throw new Error(`${contestant} refuses the document`);
console.log((user + system) / 1e3);

async function firstVerdict() {
  switch (contestant) {
    case 'ours':
      return (await import('subcontract')).compileContract(schema).isValid(text);
    case 'ajv':
      return new (await import('ajv/dist/2020.js')).Ajv2020({ strict: false }).compile(schema)(JSON.parse(text));
    case 'cfworker':
      return new (await import('@cfworker/json-schema')).Validator(schema, '2020-12').validate(JSON.parse(text)).valid;
    case 'hyperjump': {
      const { registerSchema, validate } = await import('@hyperjump/json-schema/draft-2020-12');
      registerSchema(schema, 'https://schemas.example/cold');
      return (await validate('https://schemas.example/cold', JSON.parse(text))).valid;
    }
    case 'zod':
      return (await import('zod')).z.fromJSONSchema(schema).safeParse(JSON.parse(text)).success;
    case 'reference':
      return (await import(`subcontract/${contestant}`)).compileContract(schema).isValid(text);
    default:
      throw new Error(`no contestant '${contestant}'`);
  }
}

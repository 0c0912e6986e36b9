// How an interrupt asks to be answered, and whether an answer is one: both from its `responseSchema`.
import type { Interrupt, ResumeEntry } from '../ag-ui/events.js';
import { payloadIssues } from '../answers.js';
import type { Issue, ReadonlyJson } from '../core.js';
import { defined, isRecord, records, textOf } from '../wire.js';

/** One member of an answer. */
export interface AnswerField {
  name: string;
  label: string;
  description?: string;
  required: boolean;
  input: 'text' | 'number' | 'boolean' | 'choice';
  /** The values of a choice. */
  choices?: readonly ReadonlyJson[];
}

/**
 * What to ask a person.
 *
 * - `approval`: yes or no. With `args` the arguments of the call in question may be edited.
 * - `fields`: one input for each member.
 * - `text`: a text. `json`: any value.
 */
export type InterruptForm =
  | { kind: 'approval'; args?: ReadonlyJson }
  | { kind: 'fields'; fields: readonly AnswerField[] }
  | { kind: 'text' }
  | { kind: 'json' };

/** What an interrupt wants to know. */
export function interruptForm(interrupt: Interrupt): InterruptForm {
  const { responseSchema: schema, metadata } = interrupt;
  if (schema === undefined) return { kind: 'approval' };
  const branches = [schema, ...records(schema.oneOf), ...records(schema.anyOf)].map(propertiesOf);
  // One that wants more than a yes has a form, or nobody could give it.
  const asks = (name: string) => branches.some((properties) => Object.hasOwn(properties, name));
  if (schema.type === 'boolean' || (asks('approved') && answerIssues(interrupt, approval(interrupt)).length === 0)) {
    return defined<InterruptForm>({ kind: 'approval', args: asks('editedArgs') ? argsIn(metadata) : undefined });
  }
  if (schema.type === 'string' && schema.enum === undefined) return { kind: 'text' };
  const fields = fieldsOf(schema);
  return fields === undefined ? { kind: 'json' } : { kind: 'fields', fields };
}

/** The answer that approves, with other arguments if they were edited. */
export function approval(interrupt: Interrupt, editedArgs?: ReadonlyJson): ResumeEntry {
  return resolved(interrupt, isBoolean(interrupt) ? true : defined({ approved: true, editedArgs }));
}

/** The answer that denies. The child goes on, and hears of it. */
export function denial(interrupt: Interrupt): ResumeEntry {
  return resolved(interrupt, isBoolean(interrupt) ? false : { approved: false });
}

/** The answer with a payload. */
export function resolved(interrupt: Interrupt, payload: unknown): ResumeEntry {
  return { interruptId: interrupt.id, status: 'resolved', payload };
}

/** What the interrupt's schema has against an answer; nothing when it holds. */
export function answerIssues(interrupt: Interrupt, { status, payload }: ResumeEntry): readonly Issue[] {
  const { responseSchema } = interrupt;
  if (status === 'cancelled' || responseSchema === undefined) return [];
  try {
    return payloadIssues(responseSchema, payload, false);
  } catch {
    // The host judges it all the same, by a schema that it trusts.
    return [];
  }
}

function isBoolean({ responseSchema }: Interrupt): boolean {
  return responseSchema?.type === 'boolean';
}

/** The arguments that a call waits with, where TanStack AI puts them. */
function argsIn(metadata: Interrupt['metadata']): ReadonlyJson | undefined {
  const binding = metadata?.['tanstack:interruptBinding'];
  const args = metadata?.input ?? (isRecord(binding) ? binding.originalArgs : undefined);
  return args as ReadonlyJson | undefined;
}

function fieldsOf(schema: Record<string, unknown>): AnswerField[] | undefined {
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  if (names.length === 0 || schema.oneOf !== undefined || schema.anyOf !== undefined) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields: AnswerField[] = [];
  for (const name of names) {
    const property = properties[name];
    if (!isRecord(property)) return undefined;
    const { type, title, description } = property;
    const choices = Array.isArray(property.enum) ? (property.enum as ReadonlyJson[]) : undefined;
    const input = choices ? 'choice' : INPUTS.get(type);
    if (input === undefined) return undefined;
    fields.push(
      defined<AnswerField>({
        name,
        label: textOf(title) ?? name,
        description: textOf(description),
        required: required.includes(name),
        input,
        choices,
      }),
    );
  }
  return fields;
}

const INPUTS: ReadonlyMap<unknown, AnswerField['input']> = /* @__PURE__ */ new Map([
  ['string', 'text'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
]);

function propertiesOf(schema: Record<string, unknown>): Record<string, unknown> {
  return isRecord(schema.properties) ? schema.properties : {};
}

// What a child asks a person: approve, deny, edit, or whatever its schema wants.
import { memo, useId, useMemo, useState } from 'react';
import type { Interrupt, ResumeEntry } from '../ag-ui/events.js';
import { hasExpired } from '../answers.js';
import type { CardInterrupt } from '../cards/card.js';
import {
  type AnswerField,
  answerIssues,
  approval,
  denial,
  type InterruptForm,
  interruptForm,
  resolved,
} from '../cards/interrupt-form.js';
import { jsonText, valueText } from '../cards/value-text.js';
import { visibleText } from '../cards/visible.js';
import type { Issue, ReadonlyJson } from '../core.js';
import { isRecord } from '../wire.js';
import { useActing } from './actions.js';
import { Button } from './button.js';
import { Issues } from './issues.js';
import { useKeptFocus } from './kept-focus.js';
import { type CardLabel, Label, useLabels } from './labels.js';
import { ChildText } from './text.js';
import { Value } from './value.js';

/** The open interrupts of a card. */
export const Asks = memo(function Asks({ interrupts }: { interrupts: readonly CardInterrupt[] }) {
  return interrupts.map(({ interrupt, answer }) => <Ask key={interrupt.id} interrupt={interrupt} answer={answer} />);
});

function Ask({ interrupt, answer }: { interrupt: Interrupt; answer: ResumeEntry | undefined }) {
  const { canAnswer, withdraw } = useActing();
  const id = useId();
  const keptFocus = useKeptFocus<HTMLFieldSetElement>();
  // Here, because the focus is kept when this renders anew.
  const editing = useState(false);
  const form = useMemo(() => interruptForm(interrupt), [interrupt]);
  return (
    <fieldset className="sc-ask" aria-labelledby={id} {...keptFocus}>
      <p id={id} className="sc-question" dir="auto">
        <ChildText text={interrupt.message ?? interrupt.reason} />
      </p>
      {form.kind === 'approval' && form.args !== undefined && <Value value={form.args} />}
      {answer !== undefined ? (
        <p className="sc-answered">
          <Label text={said(answer)} /> <Button kind="link" label="Change" onPress={() => withdraw(interrupt.id)} />
        </p>
      ) : (
        canAnswer && <Answer interrupt={interrupt} form={form} state={editing} />
      )}
    </fieldset>
  );
}

interface AnswerProps {
  interrupt: Interrupt;
  form: InterruptForm;
  /** Whether a person edits arguments. */
  state: [editing: boolean, setEditing: (editing: boolean) => void];
}

function Answer({ interrupt, form, state: [editing, setEditing] }: AnswerProps) {
  const { answer } = useActing();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const id = useId();
  const send = (entry: ResumeEntry) => {
    const against = answerIssues(interrupt, entry);
    setIssues(against);
    if (against.length > 0) return;
    setEditing(false);
    answer(entry, interrupt);
  };
  const dismiss = (
    <Button label="Dismiss" onPress={() => answer({ interruptId: interrupt.id, status: 'cancelled' }, interrupt)} />
  );
  if (hasExpired(interrupt, Date.now())) {
    return (
      <>
        <p className="sc-aside">
          <Label text="It has expired, and can only be dismissed." />
        </p>
        <div className="sc-actions">{dismiss}</div>
      </>
    );
  }
  const against = issues.length > 0 && (
    <div id={id} className="sc-problem">
      <Issues issues={issues} />
    </div>
  );
  const common = { against: against ? id : null, children: against };
  if (form.kind !== 'approval')
    return <Form {...common} form={form} dismiss={dismiss} onValue={(value) => send(resolved(interrupt, value))} />;
  const { args } = form;
  if (editing && args !== undefined)
    return (
      <Form
        {...common}
        form={{ kind: 'json' }}
        edited={jsonText(args, 2)}
        dismiss={<Button label="Back" onPress={() => setEditing(false)} />}
        onValue={(value) => send(approval(interrupt, value))}
      />
    );
  return (
    <>
      {against}
      <div className="sc-actions">
        <Button kind="primary" label="Approve" onPress={() => send(approval(interrupt))} />
        {args !== undefined && <Button label="Edit" onPress={() => setEditing(true)} />}
        <Button kind="danger" label="Deny" onPress={() => send(denial(interrupt))} />
      </div>
    </>
  );
}

interface FormProps {
  form: Exclude<InterruptForm, { kind: 'approval' }>;
  /** The arguments that a person changes, when it is for that. */
  edited?: string;
  /** The element that says what is wrong. */
  against: string | null;
  dismiss: React.ReactNode;
  children: React.ReactNode;
  onValue(value: ReadonlyJson): void;
}

function Form({ form, edited, against, dismiss, children, onValue }: FormProps) {
  const id = useId();
  const [broken, setBroken] = useState(false);
  const isJson = form.kind === 'json';
  const described = idsOf(against, broken && `${id}-json`);
  const read = (data: FormData) => {
    setBroken(false);
    if (form.kind === 'fields') return onValue(fieldsIn(form.fields, data));
    const text = String(data.get('answer') ?? '');
    if (form.kind === 'text') return onValue(text);
    try {
      onValue(JSON.parse(text) as ReadonlyJson);
    } catch {
      setBroken(true);
    }
  };
  return (
    <form
      className="sc-form"
      onSubmit={(event) => {
        event.preventDefault();
        read(new FormData(event.currentTarget));
      }}
    >
      {form.kind === 'fields' ? (
        form.fields.map((field, at) => (
          <Field key={field.name} field={field} id={`${id}-${at}`} described={described} />
        ))
      ) : (
        <label className="sc-field">
          <span className="sc-key">
            <Label text={edited !== undefined ? 'Arguments' : isJson ? 'Answer, as JSON' : 'Answer'} />
          </span>
          <textarea
            name="answer"
            className={isJson ? 'sc-input sc-mono' : 'sc-input'}
            rows={isJson ? 6 : 3}
            defaultValue={edited}
            onInput={() => setBroken(false)}
            aria-invalid={described !== undefined}
            aria-describedby={described}
            spellCheck={!isJson}
          />
        </label>
      )}
      {broken && (
        <p id={`${id}-json`} className="sc-problem">
          <Label text="This is no JSON." />
        </p>
      )}
      {children}
      <div className="sc-actions">
        <Button kind="primary" label={edited === undefined ? 'Send' : 'Approve with changes'} />
        {dismiss}
      </div>
    </form>
  );
}

function Field({ field, id, described }: { field: AnswerField; id: string; described: string | undefined }) {
  const { name, label, description, required, input, choices = [] } = field;
  const say = useLabels();
  const help = description === undefined ? undefined : `${id}-help`;
  const common = {
    id,
    name,
    required: required && input !== 'boolean',
    'aria-describedby': idsOf(help, described),
  };
  return (
    <div className="sc-field" data-input={input}>
      <label className="sc-key" htmlFor={id}>
        <ChildText text={label} oneLine />
      </label>
      {input === 'choice' ? (
        <select {...common} className="sc-input">
          <option value="">{required ? say('Choose…') : '–'}</option>
          {choices.map((choice, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the choice
            <option key={at} value={at}>
              {visibleText(valueText(choice))}
            </option>
          ))}
        </select>
      ) : input === 'boolean' ? (
        <input {...common} type="checkbox" />
      ) : (
        <input {...common} className="sc-input" type={input} step={input === 'number' ? 'any' : undefined} />
      )}
      {help && (
        <p id={help} className="sc-aside">
          <ChildText text={description ?? ''} />
        </p>
      )}
    </div>
  );
}

/** The elements that describe one, as an attribute. */
function idsOf(...ids: (string | false | null | undefined)[]): string | undefined {
  return ids.filter(Boolean).join(' ') || undefined;
}

/** The answer that fields hold: what was left empty and is not asked for is absent. */
function fieldsIn(fields: readonly AnswerField[], data: FormData): ReadonlyJson {
  const members: [string, ReadonlyJson][] = [];
  for (const { name, input, required, choices = [] } of fields) {
    const text = String(data.get(name) ?? '');
    if (input === 'boolean') members.push([name, data.has(name)]);
    // An empty number or choice is no value: of a required one the schema says that it is missing.
    else if (text === '' && (!required || input !== 'text')) continue;
    else if (input === 'choice') members.push([name, choices[Number(text)] ?? null]);
    else members.push([name, input === 'number' ? Number(text) : text]);
  }
  return Object.fromEntries(members);
}

function said({ status, payload }: ResumeEntry): CardLabel {
  if (status === 'cancelled') return 'Dismissed';
  const approved = isRecord(payload) ? payload.approved : payload;
  if (approved === true) return 'Approved';
  return approved === false ? 'Denied' : 'Answered';
}

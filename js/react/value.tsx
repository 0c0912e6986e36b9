// Any contract's return: its members under the schema's titles, as deep as a person reads.
import { memo, useMemo } from 'react';
import { valueText } from '../cards/value-text.js';
import { visibleText } from '../cards/visible.js';
import type { ReadonlyJson } from '../core.js';
import { isRecord, textOf } from '../wire.js';
import { Label } from './labels.js';
import { List, useMore } from './list.js';
import { ChildText } from './text.js';

/** Deeper values are shown as JSON text. */
const DEPTH = 8;

export interface ValueProps {
  value: ReadonlyJson;
  /** The schema of the value; absent when it is not known. */
  schema?: ReadonlyJson | undefined;
  /** That of the whole contract, which references are looked up in. */
  root?: ReadonlyJson | undefined;
  depth?: number;
  live?: boolean;
}

/** A value, by its schema. */
export const Value = memo(function Value({ value, schema, root = schema, depth = 0, live = false }: ValueProps) {
  if (typeof value === 'string') {
    return (
      <span className="sc-text" dir="auto">
        {value === '' ? <Nothing text="empty" /> : <ChildText text={value} live={live} />}
      </span>
    );
  }
  if (typeof value !== 'object' || value === null) return <span className="sc-scalar">{String(value)}</span>;
  const own = resolved(schema, root);
  if (depth >= DEPTH) {
    return (
      <span className="sc-text sc-mono">
        <ChildText text={valueText(value)} />
      </span>
    );
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return <Nothing text="none" />;
    return (
      <Items items={value} schema={own?.items as ReadonlyJson | undefined} root={root} depth={depth} live={live} />
    );
  }
  return <Members value={value as JsonObject} schema={own} root={root} depth={depth} live={live} />;
});

export type JsonObject = { readonly [name: string]: ReadonlyJson };

interface MembersProps extends Omit<ValueProps, 'value' | 'schema'> {
  value: JsonObject;
  schema: JsonObject | undefined;
  /** Members that are shown elsewhere. */
  without?: ReadonlySet<string> | undefined;
}

/** The members of an object. */
export const Members = memo(function Members({ value, schema, root, depth = 0, live = false, without }: MembersProps) {
  const names = Object.keys(value).filter((name) => !without?.has(name));
  const [shown, more] = useMore(names.length);
  if (names.length === 0) return without ? null : <Nothing text="empty" />;
  return (
    <>
      <dl className="sc-members">
        {names.slice(0, shown).map((name, at) => {
          const property = resolved(own(schema?.properties, name), root);
          const description = textOf(property?.description);
          return (
            <div key={name} className="sc-member">
              <dt title={description && visibleText(description)}>
                <ChildText text={textOf(property?.title) ?? name} oneLine />
              </dt>
              <dd>
                <Value
                  value={value[name] as ReadonlyJson}
                  schema={property}
                  root={root}
                  depth={depth + 1}
                  live={live && at === names.length - 1}
                />
              </dd>
            </div>
          );
        })}
      </dl>
      {more}
    </>
  );
});

type Shared = Pick<ValueProps, 'schema' | 'root'> & { depth: number };

function Items({ items, live, schema, root, depth }: { items: readonly ReadonlyJson[]; live: boolean } & Shared) {
  const more = useMemo(() => ({ schema, root, depth }), [schema, root, depth]);
  return <List items={items} Item={Item} more={more} live={live} />;
}

function Item({ item, live, schema, root, depth }: { item: ReadonlyJson; live: boolean } & Shared) {
  return <Value value={item} schema={schema} root={root} depth={depth + 1} live={live} />;
}

function Nothing({ text }: { text: 'empty' | 'none' }) {
  return (
    <span className="sc-none">
      <Label text={text} />
    </span>
  );
}

/** A schema without its reference, of which local ones are followed once. */
export function resolved(schema: ReadonlyJson | undefined, root: ReadonlyJson | undefined): JsonObject | undefined {
  const given = objectOf(schema);
  const ref = given?.$ref;
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return given;
  let at: ReadonlyJson | undefined = root;
  for (const token of ref.slice(2).split('/')) {
    at = own(at, token.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return objectOf(at) ?? given;
}

/** An object's own member; nothing of what is no object. */
export function own(value: ReadonlyJson | undefined, name: string): ReadonlyJson | undefined {
  return isRecord(value) && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

/** A value, if it is an object. */
export function objectOf(value: ReadonlyJson | undefined): JsonObject | undefined {
  return isRecord(value) ? (value as JsonObject) : undefined;
}

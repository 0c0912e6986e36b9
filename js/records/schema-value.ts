// What a JSON Schema written as a literal accepts, as a type: the part of the language that extensions of a record need.

/** A JSON Schema as it is written in a program. */
export type JsonSchemaObject = { readonly [keyword: string]: unknown };

type ByType = { string: string; number: number; integer: number; boolean: boolean; null: null };

type Properties<P, R> = {
  [Name in Extract<keyof P, R>]: ValueOf<P[Name]>;
} & { [Name in Exclude<keyof P, R>]?: ValueOf<P[Name]> };

/** The values that a schema accepts; `unknown` for what is not said by `const`, `enum`, `type`, `items` and `properties`. */
export type ValueOf<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: readonly (infer T)[] }
      ? T extends keyof ByType
        ? ByType[T]
        : unknown
      : S extends { readonly type: infer T extends keyof ByType }
        ? ByType[T]
        : S extends { readonly type: 'array' }
          ? S extends { readonly items: infer I }
            ? ValueOf<I>[]
            : unknown[]
          : S extends { readonly type: 'object'; readonly properties: infer P }
            ? Properties<P, S extends { readonly required: readonly (infer R)[] } ? R : never>
            : unknown;

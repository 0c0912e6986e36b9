// An object of somebody else's with one of its methods replaced, and in everything else itself.

/**
 * The same object; `replace` says what stands in the place of a method, if anything does. The others are bound to the object
 * itself, because private fields do not see through a proxy.
 */
export function withMethods<T extends object>(
  object: T,
  replace: (property: PropertyKey, own: (...args: never[]) => unknown) => unknown,
): T {
  return new Proxy(object, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      const own = value.bind(target);
      return replace(property, own) ?? own;
    },
  });
}

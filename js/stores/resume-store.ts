// Where a host keeps suspended children, so that the client carries an id and a MAC only, and each is resumed once.

/** How long an entry has to be kept, for stores that forget. */
export interface StoredFor {
  /** Seconds. */
  ttl: number;
}

/** A store, as `unstorage` shapes it: one of its storages is one. */
export interface ResumeStore {
  /** The value of `key`; null or undefined when there is none. */
  getItem(key: string): unknown;
  /** Keeps a text. Resolves when another process would read it. */
  setItem(key: string, value: string, options?: StoredFor): unknown;
  /**
   * Takes `key` for whoever asks first: true to one caller and false to every other, in all processes that share the
   * store, whatever they ask at the same time. `unstorage` has no such call; Redis has `SET key 1 NX`, SQL a unique key,
   * a file system an exclusive create. Without it a child is resumed at most once by each process.
   */
  claim?(key: string, options: StoredFor): boolean | Promise<boolean>;
}

/** A store in this process's memory, for tests and for hosts of one process. It keeps what it was given. */
export function memoryResumeStore(): ResumeStore & Required<Pick<ResumeStore, 'claim'>> {
  const items = new Map<string, string>();
  const claims = new Set<string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    claim: (key) => !claims.has(key) && claims.add(key) !== undefined,
  };
}

// Watches the package's cores from outside, in any runtime and behind any bundler: each instance is made at the first use, through
// the global `WebAssembly.Instance`.

/** Counts what lives in the cores from now on, and makes one trap on demand. */
export function watchCores() {
  const { Instance } = WebAssembly;
  /** @type {Array<{ handles: number, memory: WebAssembly.Memory }>} */
  const cores = [];
  const sum = (/** @type {(core: { handles: number, memory: WebAssembly.Memory }) => number} */ of) =>
    cores.reduce((total, core) => total + of(core), 0);
  const watch = {
    /** The next check traps. */
    trapNext: false,
    /** How many instances there have been. */
    get instances() {
      return cores.length;
    },
    /** Contracts and streams that were made and not freed. */
    get handles() {
      return sum((core) => core.handles);
    },
    /** The size of all memories, in bytes. */
    get memory() {
      return sum((core) => core.memory.buffer.byteLength);
    },
  };

  /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} imports */
  function Watched(module, imports) {
    const instance = new Instance(module, imports);
    const exports = /** @type {Record<string, any>} */ (instance.exports);
    if (!('contracthandle_check' in exports)) return instance;
    const core = { handles: 0, memory: exports.memory };
    cores.push(core);
    const counted = (/** @type {string} */ name, /** @type {(result: unknown) => number} */ change) => ({
      [name]: (/** @type {unknown[]} */ ...given) => {
        const result = exports[name](...given);
        core.handles += change(result);
        return result;
      },
    });
    /** The core returns a handle, an error and whether it is one. */
    const made = (/** @type {any} */ result) => (Array.isArray(result) && result[2] ? 0 : 1);
    return {
      exports: {
        ...exports,
        ...counted('compile', made),
        ...counted('contracthandle_stream', made),
        ...counted('__wbg_contracthandle_free', () => -1),
        ...counted('__wbg_streamhandle_free', () => -1),
        contracthandle_check(/** @type {unknown[]} */ ...given) {
          if (!watch.trapNext) return exports.contracthandle_check(...given);
          watch.trapNext = false;
          return exports.trap();
        },
      },
    };
  }
  WebAssembly.Instance = /** @type {any} */ (Watched);
  return watch;
}

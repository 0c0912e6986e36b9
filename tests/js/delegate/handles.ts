// Counts what is open in the compiled core: contracts and streams.
import { mainCore } from '../../../js/instance.js';

/** How many contracts and streams were opened and not freed since the count began. */
export interface OpenHandles {
  contracts: number;
  streams: number;
}

/** Begins to count; `stop` ends it. The compiled core stays the same one, so a test that traps cannot count. */
export function countHandles(): { open: OpenHandles; stop(): void } {
  const core = mainCore.instance as { -readonly [K in keyof typeof mainCore.instance]: (typeof mainCore.instance)[K] };
  const open: OpenHandles = { contracts: 0, streams: 0 };
  const own = new WeakSet<object>();
  const { compile } = core;
  const contract = core.ContractHandle.prototype;
  const stream = core.StreamHandle.prototype;
  const { stream: openStream, free: freeContract } = contract;
  const { free: freeStream } = stream;
  core.compile = (...args) => {
    const handle = compile(...args);
    own.add(handle);
    open.contracts += 1;
    return handle;
  };
  contract.stream = function (...args) {
    const handle = openStream.apply(this, args);
    own.add(handle);
    open.streams += 1;
    return handle;
  };
  contract.free = function () {
    if (own.delete(this)) open.contracts -= 1;
    freeContract.call(this);
  };
  stream.free = function () {
    if (own.delete(this)) open.streams -= 1;
    freeStream.call(this);
  };
  return {
    open,
    stop() {
      core.compile = compile;
      Object.assign(contract, { stream: openStream, free: freeContract });
      Object.assign(stream, { free: freeStream });
    },
  };
}

// How time and memory grow with the text, in a process of its own. Prints a JSON object.
import { researchRecord } from './documents.mjs';

/** @type {WebAssembly.Memory[]} */
const memories = [];
const Plain = WebAssembly.Instance;
// The package keeps its instance to itself; what it is made with does not.
WebAssembly.Instance = class extends Plain {
  /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} [imports] */
  constructor(module, imports) {
    super(module, imports);
    if (this.exports.memory instanceof WebAssembly.Memory) memories.push(this.exports.memory);
  }
};

const { compileContract, researchResult } = await import('subcontract');
const used = () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);

const contract = compileContract(researchResult);
contract.isValid(researchRecord(1e3));
const before = used();
const large = researchRecord(1e7);
if (!contract.isValid(large)) throw new Error('the document is refused');
const memory = (used() - before) / large.length;

/** Time of the processor and not of the wall: a call that outlives its turn on a busy machine waits for its next one. @param {string} text */
function nanosecondsPerByte(text) {
  const calls = Math.max(1, Math.round(2e7 / text.length));
  const rounds = Array.from({ length: 8 }, () => {
    const start = process.cpuUsage();
    for (let call = 0; call < calls; call++) contract.isValid(text);
    const { user, system } = process.cpuUsage(start);
    return ((user + system) * 1e3) / calls / text.length;
  });
  return Math.min(...rounds);
}

const perByte = [1e3, 1e4, 1e5, 1e6, 1e7].map((bytes) => nanosecondsPerByte(researchRecord(bytes)));
console.log(JSON.stringify({ memory, perByte }));

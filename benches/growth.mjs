// How time and memory grow with the text, in a process of its own. Prints a JSON object.
import { researchRecord } from './documents.mjs';
import { interleave } from './timing.mjs';

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

const texts = [1e3, 1e4, 1e5, 1e6, 1e7].map((bytes) => researchRecord(bytes));
const times = interleave(
  texts.map((text) => ({ name: String(text.length), run: () => contract.isValid(text) })),
  { rounds: 10 },
);
const perByte = texts.map((text) => (times[String(text.length)] ?? Number.NaN) / text.length);
console.log(JSON.stringify({ memory, perByte }));

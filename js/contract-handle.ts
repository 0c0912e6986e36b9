// A contract in the compiled core, and the calls on it.
import { assertText, type CoreExports, call, faultOf, releaseInput, withInput, writeInput } from './boundary.js';
import type { AttemptOptions, Decision, Flag, GateRefusal, Rejection, ReturnToolSpec, Verdict, Via } from './core.js';
import { membersOf } from './core.js';
import { SchemaError, SubcontractError } from './errors.js';
import type { Evidence, GuardFinding } from './guards.js';
import { type Core, mainCore } from './instance.js';
import { wellFormedJson } from './json-text.js';
import { StreamSession } from './stream-session.js';

/** What the core answers for a text that is not plainly accepted. */
type Judged = { ok: true; text?: string; flags: Flag[] } | Rejection;

type RawContract = ReturnType<CoreExports['compile']>;
type Task = keyof CoreExports['ContractTask'];

/** A contract in the core. It outlives a trap: the schema is compiled again in the fresh instance. */
export class ContractHandle {
  #instance: CoreExports | undefined;
  #raw: RawContract | undefined;
  #freed = false;

  constructor(
    readonly schemaText: string,
    private readonly options: string,
    readonly core: Core = mainCore,
  ) {
    this.#compile();
  }

  #compile(): RawContract {
    try {
      return call((core) => {
        this.#raw = withInput(core, this.schemaText, (length) => core.compile(length, this.options));
        this.#instance = core;
        return this.#raw;
      }, this.core);
    } catch (error) {
      if (!(error instanceof SubcontractError) || error.code === 'internal_error') throw error;
      throw new SchemaError(error.message, { code: error.code, issues: error.issues });
    }
  }

  /** The contract in the live instance. */
  #live(): RawContract {
    if (this.#freed) throw new SubcontractError('this contract was freed', { code: 'contract_freed' });
    return this.#raw !== undefined && this.#instance === this.core.instance ? this.#raw : this.#compile();
  }

  #use<T>(run: (raw: RawContract, core: CoreExports) => T): T {
    const raw = this.#live();
    return call((core) => run(raw, core), this.core);
  }

  /** As `#use` and `withInput`, without a function for each text: those took longer than judging a short one. */
  #judgeText(text: string | Uint8Array, how: 'is_valid' | 'check'): boolean {
    assertText(text);
    const raw = this.#live();
    const { instance } = this.core;
    try {
      const length = writeInput(instance, text);
      const accepted = raw[how](length);
      releaseInput(instance, length);
      return accepted;
    } catch (error) {
      throw faultOf(error, this.core);
    }
  }

  /** What the core's `ContractTask` of this name answers. */
  #ask(task: Task, first = '', second = ''): string | undefined {
    return this.#use((raw, core) => raw.ask(core.ContractTask[task], 0, first, second));
  }

  /** The same of a text. */
  #askOf(text: string, task: Task, first: string, second = ''): string | undefined {
    return this.#use((raw, core) =>
      withInput(core, text, (length) => raw.ask(core.ContractTask[task], length, first, second)),
    );
  }

  get digest(): string {
    return this.#ask('Digest') ?? '';
  }

  get title(): string | undefined {
    return this.#ask('Title');
  }

  isValid(text: string | Uint8Array): boolean {
    return this.#judgeText(text, 'is_valid');
  }

  check(text: string | Uint8Array): Verdict {
    const plain = this.#judgeText(text, 'check');
    return toVerdict(text, plain ? undefined : this.#use((_, core) => core.answer()));
  }

  readReturn(text: string | Uint8Array, finishReason: string | undefined, lenient: boolean): Verdict {
    assertText(text);
    const answer = this.#use((raw, core) =>
      withInput(core, text, (length) => raw.read_return(length, finishReason, lenient)),
    );
    return toVerdict(text, answer);
  }

  /** Opens a stream in the live instance. */
  openStream(lenient: boolean): StreamSession {
    const opened = this.#use((contract, instance) => {
      const raw = contract.stream(lenient);
      return { instance, raw, buffer: raw.buffer() >>> 0, words: raw.words() };
    });
    return new StreamSession(this.core, opened.instance, opened.raw, opened.buffer, opened.words);
  }

  /** The verdict that a core's answer stands for; nothing means that the text was accepted as it was given. */
  verdictOf(answer: string | undefined, given: () => string): Verdict {
    return toVerdict(answer === undefined ? given() : '', answer);
  }

  returnTool(): ReturnToolSpec {
    return parsed(this.#ask('ReturnTool')) as ReturnToolSpec;
  }

  judge(text: string, options: AttemptOptions & { via: Via }): Decision {
    return parsed(this.#askOf(text, 'Judge', wellFormedJson(options))) as Decision;
  }

  judgeNoReturn(options: AttemptOptions & { returnTool: boolean }): Decision {
    return parsed(this.#ask('JudgeNoReturn', wellFormedJson(options))) as Decision;
  }

  refuse(refusal: GateRefusal, options: AttemptOptions & { via: Via }): Decision {
    const [refusalJson, json] = [wellFormedJson(refusal), wellFormedJson(options)];
    return parsed(this.#ask('Refuse', refusalJson, json)) as Decision;
  }

  /** What a guard of the core says of an accepted text. */
  guard(name: string, text: string, evidence: Evidence): readonly GuardFinding[] {
    return parsed(this.#askOf(text, 'Guard', name, wellFormedJson(evidence.toolCalls))) as GuardFinding[];
  }

  /** The closed and valid parts of a return that was not accepted. */
  salvage(text: string, via: Via): string | undefined {
    return this.#askOf(text, 'Salvage', via);
  }

  /** A contract for the arguments of the return tool, when those are not the contract's own values. */
  wrapped(): ContractHandle | undefined {
    // To the letter: numbers that JavaScript rounds would make it another contract.
    const { wrapped, inputSchema } = membersOf(this.#ask('ReturnTool') ?? '');
    return wrapped === 'true' && inputSchema ? new ContractHandle(inputSchema, this.options, this.core) : undefined;
  }

  /** Merges `{ children, order }`, the children as JSON texts in strings; the merged record's text. */
  merge(request: string): string {
    return this.#ask('Merge', request) ?? '';
  }

  /** The JSON Schema of merges under this contract. */
  mergedSchema(): string {
    return this.#ask('MergedSchema') ?? '';
  }

  /** A result, an envelope or a merged record as a parent reads it; a rendering as JSON. */
  render(text: string, options: string, counter: { count(text: string): number } | undefined): string {
    return this.#use((raw) => raw.render(text, options, counter));
  }

  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    // A handle of a poisoned instance went with it.
    if (this.#raw !== undefined && this.#instance === this.core.instance) this.#raw.free();
    this.#raw = undefined;
  }
}

function parsed(answer: string | undefined): unknown {
  return JSON.parse(answer ?? 'null');
}

function toVerdict(given: string | Uint8Array, answer: string | undefined): Verdict {
  const judged: Judged = answer === undefined ? { ok: true, flags: [] } : (JSON.parse(answer) as Judged);
  if (!judged.ok) return judged;
  const text = judged.text ?? (typeof given === 'string' ? given : new TextDecoder().decode(given));
  return { ok: true, value: JSON.parse(text) as unknown, text, flags: judged.flags };
}

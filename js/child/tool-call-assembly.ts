// Puts tool calls together from the deltas that providers stream, for whoever writes a loop of their own.
//
// It only moves text: what arguments are worth is the contract's to say. So it is TypeScript, and no part of the core.

/**
 * A piece of a tool call as providers send it; the names of Chat Completions, of its `tool_calls[]` entries (`function`) and of
 * Anthropic's blocks (`input`, `stop`) are all understood. Absent, `undefined`, `null` and empty mean the same.
 */
export interface ToolCallDelta {
  /** Which of the calls under way it belongs to. Some providers reuse one for several calls, or send none. */
  index?: number | null | undefined;
  id?: string | null | undefined;
  name?: string | null | undefined;
  /** More of the arguments' text; an object is all of them at once. */
  arguments?: string | object | null | undefined;
  function?: { name?: string | null | undefined; arguments?: string | object | null | undefined } | null | undefined;
  /** All arguments at once. Text that follows wins: some providers open a call with an empty object. */
  input?: object | null | undefined;
  /** The call has ended. */
  stop?: boolean | null | undefined;
  /** The turn has ended; some providers say so twice. */
  finish_reason?: string | null | undefined;
}

/** A call so far. The same object from delta to delta, growing. */
export interface AssembledToolCall {
  /** The provider's id, once it has come. */
  readonly id: string | undefined;
  /** The tool's name, once it has come. */
  readonly name: string | undefined;
  /** The arguments' text so far, to the letter: give it to `readReturn` or `contract.stream()`, which take an empty one for `{}`. */
  readonly arguments: string;
  /** Whether the provider said that the call, or the turn, has ended. */
  readonly ended: boolean;
}

/**
 * Why deltas make no sense.
 *
 * - `no_call`: arguments or an end without an index, id or name, while no call was under way.
 * - `no_name`: a call that ended without a tool's name. It is none of the `calls`.
 * - `name_changed`: a second name under one id. The first one stays.
 * - `after_end`: arguments for a call, or a call, that came after its end. They are dropped.
 */
export type ToolCallFaultCode = 'no_call' | 'no_name' | 'name_changed' | 'after_end';

/** A delta that makes no sense. */
export interface ToolCallFault {
  code: ToolCallFaultCode;
  /** Which delta it was, from 0; for `no_name` the call's first. */
  delta: number;
  /** The call's id, where it is known. */
  id: string | undefined;
}

/** Tool calls of one turn of a model, as they come. */
export interface ToolCallAssembly {
  /** Reads a delta. Returns the call that it began, went on with or ended, so that its arguments can be judged as they come. */
  push(delta: ToolCallDelta): AssembledToolCall | undefined;
  /** The calls so far that have a name, in the order in which they began. */
  readonly calls: readonly AssembledToolCall[];
  /** What made no sense so far. A call that is named here should not be run. */
  readonly faults: readonly ToolCallFault[];
  /** The first finish reason. After `length` the last call may be cut: `readReturn` takes it as `finishReason`. */
  readonly finishReason: string | undefined;
  /** Says that no delta comes any more, whether the provider did or not. */
  end(): readonly AssembledToolCall[];
}

/**
 * Assembles the tool calls of one turn.
 *
 * A delta belongs to the call of its id, else to the last call of its index, else to the last call of all. Another id, or without
 * ids another name, at the same index begins another call; the same id at another index does not. Texts of two calls are never
 * mixed: if a provider glues two objects together under one id, they stay the text of one call, which no contract accepts.
 *
 * @example
 * const assembly = assembleToolCalls();
 * for await (const { choices: [choice] } of completion) {
 *   for (const delta of choice.delta.tool_calls ?? []) assembly.push(delta);
 *   if (choice.finish_reason) assembly.push({ finish_reason: choice.finish_reason });
 * }
 * for (const call of assembly.end()) {
 *   const verdict = readReturn(contract, call.arguments, { finishReason: assembly.finishReason });
 * }
 */
export function assembleToolCalls(): ToolCallAssembly {
  return new Assembly();
}

interface Call {
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  ended: boolean;
}

class Assembly implements ToolCallAssembly {
  readonly faults: ToolCallFault[] = [];
  finishReason: string | undefined;
  readonly #all: Call[] = [];
  readonly #first = new Map<Call, number>();
  readonly #byId = new Map<string, Call>();
  readonly #byIndex = new Map<number, Call>();
  /** Arguments that came as a value, as long as no text has. */
  readonly #whole = new Set<Call>();
  #last: Call | undefined;
  #count = 0;
  #over = false;

  get calls(): readonly AssembledToolCall[] {
    return this.#all.filter((call) => call.name !== undefined);
  }

  push(delta: ToolCallDelta): AssembledToolCall | undefined {
    const position = this.#count++;
    const id = delta.id || undefined;
    const name = delta.name || delta.function?.name || undefined;
    const given = delta.arguments ?? delta.function?.arguments ?? undefined;
    const whole = typeof given === 'object' ? given : (delta.input ?? undefined);
    const more = typeof given === 'string' ? given : '';
    const index = typeof delta.index === 'number' ? delta.index : undefined;
    const says = id !== undefined || name !== undefined || more !== '' || whole !== undefined;
    let call: Call | undefined;
    if (says || delta.stop) {
      call = this.#find(index, id, name) ?? (this.#over ? undefined : this.#begin(index, id, name, says, position));
      if (call === undefined) {
        // An end without a call is how some providers close a turn that had none.
        if (says) this.#fault(this.#over ? 'after_end' : 'no_call', position, id);
      } else this.#read(call, { id, name, more, whole, index, stop: delta.stop === true }, position);
    }
    if (delta.finish_reason) this.#finish(delta.finish_reason);
    return call;
  }

  end(): readonly AssembledToolCall[] {
    this.#finish(undefined);
    return this.calls;
  }

  /** The call under way that a delta belongs to. */
  #find(index: number | undefined, id: string | undefined, name: string | undefined): Call | undefined {
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known) return known;
    const call = index === undefined ? this.#last : this.#byIndex.get(index);
    if (call === undefined) return undefined;
    if (id !== undefined && (call.id !== undefined || call.ended)) return undefined;
    if (name !== undefined && (call.ended || (call.name !== undefined && call.name !== name))) return undefined;
    return call;
  }

  #begin(
    index: number | undefined,
    id: string | undefined,
    name: string | undefined,
    says: boolean,
    position: number,
  ): Call | undefined {
    if (!says || (index === undefined && id === undefined && name === undefined)) return undefined;
    const call: Call = { id: undefined, name: undefined, arguments: '', ended: false };
    this.#all.push(call);
    this.#first.set(call, position);
    return call;
  }

  #read(
    call: Call,
    delta: {
      id: string | undefined;
      name: string | undefined;
      more: string;
      whole: object | undefined;
      index: number | undefined;
      stop: boolean;
    },
    position: number,
  ): void {
    const { id, name, more, whole, index } = delta;
    this.#last = call;
    if (index !== undefined) this.#byIndex.set(index, call);
    if (id !== undefined && call.id === undefined) {
      call.id = id;
      this.#byId.set(id, call);
    }
    if (name !== undefined && name !== call.name) {
      if (call.name === undefined) call.name = name;
      else this.#fault('name_changed', position, call.id);
    }
    if (call.ended && (more !== '' || whole !== undefined)) this.#fault('after_end', position, call.id);
    else if (more !== '') {
      if (this.#whole.delete(call)) call.arguments = '';
      call.arguments += more;
    } else if (whole !== undefined && (call.arguments === '' || this.#whole.has(call))) {
      call.arguments = JSON.stringify(whole);
      this.#whole.add(call);
    }
    if (delta.stop) call.ended = true;
  }

  #finish(reason: string | undefined): void {
    this.finishReason ??= reason;
    if (this.#over) return;
    this.#over = true;
    for (const call of this.#all) {
      const first = this.#first.get(call) ?? 0;
      if (call.name === undefined) this.#fault('no_name', first, call.id);
      call.ended = true;
    }
  }

  #fault(code: ToolCallFaultCode, delta: number, id: string | undefined): void {
    this.faults.push({ code, delta, id });
  }
}

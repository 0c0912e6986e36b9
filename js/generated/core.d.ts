/* tslint:disable */
/* eslint-disable */

/**
 * A compiled contract.
 */
export class ContractHandle {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Does a task, as [`ask`].
     *
     * # Errors
     * The refusal as JSON.
     */
    ask(task: ContractTask, number: number, first: string, second: string): string | undefined;
    /**
     * Judges the text in the input buffer. True means: accepted, and the text goes out as it came in. Else the verdict is
     * the [`answer`].
     */
    check(length: number): boolean;
    /**
     * Whether the text in the input buffer satisfies the contract.
     */
    is_valid(length: number): boolean;
    /**
     * Judges a return by strict or lenient intake, as [`ContractHandle::check`].
     */
    read_return(length: number, finish_reason: string | null | undefined, lenient: boolean): string | undefined;
    /**
     * As [`render`], with the order and the kept fields that the contract says.
     *
     * # Errors
     * As [`render`].
     */
    render(text: string, options: string, counter?: { count(text: string): number } | null): string;
    /**
     * A return that streams in, read by strict or lenient intake.
     */
    stream(lenient: boolean): StreamHandle;
}

/**
 * What is asked of a contract in texts.
 */
export enum ContractTask {
    /**
     * `sha256-…` of the schema's canonical form.
     */
    Digest = 0,
    /**
     * What the guard `first` says of the accepted text in the input buffer, by the evidence `second`; its findings as JSON.
     */
    Guard = 1,
    /**
     * Judges the return in the input buffer, by the options `first`; the decision as JSON.
     */
    Judge = 2,
    /**
     * Judges the end of a child without a return, by the options `first`; the decision as JSON.
     */
    JudgeNoReturn = 3,
    /**
     * Merges `{ children, order? }`, the children as strings of JSON text; the merged record's text.
     */
    Merge = 4,
    /**
     * The JSON Schema of what merges under this contract are.
     */
    MergedSchema = 5,
    /**
     * Decides about a return that its stream, a refinement or a guard refused: the refusal `first`, by the options `second`.
     */
    Refuse = 6,
    /**
     * `{ name, description, wrapped, inputSchema }` of the return tool.
     */
    ReturnTool = 7,
    /**
     * The closed and valid parts of the return in the input buffer, which came by way of `first`.
     */
    Salvage = 8,
    /**
     * The schema's title.
     */
    Title = 9,
}

/**
 * A return that streams in.
 */
export class StreamHandle {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Where a piece of up to 4096 bytes is written. The place holds as long as the stream.
     */
    buffer(): number;
    /**
     * The verdict on the whole text, as from `ContractHandle::read_return`.
     */
    end(finish_reason?: string | null): string | undefined;
    /**
     * Reads a piece from the stream's buffer. `text`: JavaScript has it as a string.
     */
    push(length: number, text: boolean): number;
    /**
     * Reads a piece from the input buffer.
     */
    push_input(length: number, text: boolean): number;
    /**
     * How much of the last piece it took, if that is where the text was given up: in UTF-16 units of a string, else in bytes.
     */
    rejected_within(): number;
    /**
     * Why the text was given up, as a verdict.
     */
    rejection(): string | undefined;
    /**
     * Records edits from the next piece on. The words, so many, make the value so far.
     */
    watch(): number;
    /**
     * Where the words are: up to 64 in the same place always, and as many as there once were in the place of those.
     */
    words(): number;
}

/**
 * What is asked of the core in texts. One entry serves all of it: each export costs more than many of these tasks do.
 */
export enum Task {
    /**
     * The text in the input buffer with the value `second` at the pointer `first`.
     */
    Amend = 0,
    /**
     * What the limits of a tree answer to a child, by the numbers in `first`; `number` says what it asks for.
     */
    AskLimits = 1,
    /**
     * What the parent's model reads when the brief for the agent `first` was refused, from the refusal `second`.
     */
    BriefFeedback = 2,
    /**
     * What the parent's model reads about a tool of the description `first`.
     */
    BriefToolDescription = 3,
    /**
     * The envelope of the parts `first`.
     */
    BuildEnvelope = 4,
    /**
     * Which contract holds: `final_schema`, `output_schema` or `none`. The number says which are given: 1 and 2.
     */
    ChooseContract = 5,
    /**
     * `sha256-…` of the canonical form of the JSON text `first`.
     */
    DigestOf = 6,
    /**
     * What goes out as `SUBAGENT_FINISHED.result`, of the envelope `first`.
     */
    EnvelopeForEvent = 7,
    /**
     * What the parent's model sees of the envelope `first`.
     */
    EnvelopeForModel = 8,
    /**
     * The members of the JSON object `first` as an object of their exact texts.
     */
    MembersOf = 9,
    /**
     * The open questions of the result, envelope or merged record `first`, as JSON.
     */
    OpenQuestions = 10,
    /**
     * The resume state `first`, when it is what the host expects by `second`.
     */
    OpenResumeState = 11,
    /**
     * Nothing, when `first` is an envelope.
     */
    ParseEnvelope = 12,
    /**
     * `{ form, keyId }` of the token `first`, which nobody has to believe yet.
     */
    ReadToken = 13,
    /**
     * What the recipe `first` makes of the text in the input buffer, as a verdict: `{ ok, text, flags }`.
     */
    Rebuild = 14,
    /**
     * The steps of the pick in `first`, or what is wrong with it; with the number 1 the usual order is a sequence.
     */
    ResolvePick = 15,
    /**
     * What an envelope carries of a child's last text `first` beside a typed result; nothing of a blank one.
     */
    Summary = 16,
    /**
     * The resume state `first`, with what the core adds to it.
     */
    WriteResumeState = 17,
    /**
     * As [`Task::WriteResumeState`], for the time and the person that `second` says: the body to seal.
     */
    WriteResumeStateUnder = 18,
}

/**
 * Takes the answer of a call that has one to fetch.
 */
export function answer(): string;

/**
 * Does a task. `number`: how long the text in the input buffer is, where one is needed.
 *
 * # Errors
 * The refusal as JSON.
 */
export function ask(task: Task, number: number, first: string, second: string): string | undefined;

/**
 * Compiles the schema text in the input buffer. Options as JSON.
 *
 * # Errors
 * A schema error as JSON.
 */
export function compile(length: number, options: string): ContractHandle;

/**
 * About how many tokens a text is.
 */
export function estimate_tokens(text: string): number;

/**
 * Makes room for `length` bytes of text and says where they go; what was written before is kept. The place holds until the
 * next call of this or of [`release_input`].
 */
export function input(length: number): number;

/**
 * The body of a token that was sealed under `secret`.
 *
 * # Errors
 * The refusal as JSON.
 */
export function open_token(token: string, secret: Uint8Array | number[]): Uint8Array;

/**
 * Gives a large input buffer back.
 */
export function release_input(): void;

/**
 * Renders a result, an envelope or a merged record; `{ text, tokens, dropped }` or `{ overBudget }` as JSON.
 *
 * # Errors
 * When the text cannot be read, and `counter_failed` when the counter throws.
 */
export function render(text: string, options: string, counter?: { count(text: string): number } | null): string;

/**
 * Seals a body under a key.
 *
 * # Errors
 * The refusal as JSON.
 */
export function seal_body(encrypted: boolean, body: Uint8Array | number[], key_id: string, secret: Uint8Array | number[]): string;

/**
 * Traps, so that the shim's recovery can be tested.
 */
export function trap(): void;

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
     * Judges the text in the input buffer. True means: accepted, and the text goes out as it came in. Else the verdict is
     * the [`answer`].
     */
    check(length: number): boolean;
    /**
     * `sha256-…` of the schema's canonical form.
     */
    digest(): string;
    /**
     * What a guard says of the accepted text in the input buffer; its findings as JSON.
     *
     * # Errors
     * When the text or the evidence are not of their shape.
     */
    guard(name: string, length: number, evidence: string): string;
    /**
     * Whether the text in the input buffer satisfies the contract.
     */
    is_valid(length: number): boolean;
    /**
     * Judges the return in the input buffer; the decision as JSON.
     *
     * # Errors
     * When the options are not of their shape.
     */
    judge(length: number, options: string): string;
    /**
     * Judges the end of a child without a return; the decision as JSON.
     *
     * # Errors
     * When the options are not of their shape.
     */
    judge_no_return(options: string): string;
    /**
     * Merges `{ children, order? }`, the children as strings of JSON text; the merged record's text.
     *
     * # Errors
     * The refusal as JSON.
     */
    merge(request: string): string;
    /**
     * The JSON Schema of what merges under this contract are.
     *
     * # Errors
     * The refusal as JSON.
     */
    merged_schema(): string;
    /**
     * Judges a return by strict or lenient intake, as [`ContractHandle::check`].
     */
    read_return(length: number, finish_reason: string | null | undefined, lenient: boolean): string | undefined;
    /**
     * Decides about a return that its stream, a refinement or a guard refused; the decision as JSON.
     *
     * # Errors
     * When the refusal or the options are not of their shape.
     */
    refuse(refusal: string, options: string): string;
    /**
     * As [`render`], with the order and the kept fields that the contract says.
     *
     * # Errors
     * As [`render`].
     */
    render(text: string, options: string, counter?: { count(text: string): number } | null): string;
    /**
     * `{ name, description, wrapped, inputSchema }` of the return tool.
     */
    return_tool(): string;
    /**
     * The closed and valid parts of the return in the input buffer. `by_tool`: it was the argument text of the return tool.
     */
    salvage(length: number, by_tool: boolean): string | undefined;
    /**
     * A return that streams in, read by strict or lenient intake.
     */
    stream(lenient: boolean): StreamHandle;
    /**
     * The schema's title.
     */
    title(): string | undefined;
}

/**
 * A return that streams in.
 */
export class StreamHandle {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The verdict on the whole text, as from `ContractHandle::read_return`.
     */
    end(finish_reason?: string | null): string | undefined;
    /**
     * Reads a piece from the stream buffer. `text`: JavaScript has it as a string.
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
 * The text in the input buffer with a value at a pointer.
 *
 * # Errors
 * When the pointer leads nowhere.
 */
export function amend(length: number, pointer: string, value: string): string;

/**
 * Takes the answer of a call that has one to fetch.
 */
export function answer(): string;

/**
 * What a tree of subagents answers to a child that asks, as JSON. All are whole numbers: `limits` are `maxDepth`, `maxAgents`,
 * `maxConcurrent`, `maxCalls`, `timeoutMs`, `maxTokens`, each 0 for none; `used` are `depth`, `agents`, `running`, `calls`,
 * `elapsedMs`, `tokens`; `asked` is 0 to start, 1 to be resumed, 2 to go on.
 */
export function ask_limits(limits: Float64Array | number[], used: Float64Array | number[], asked: number): string;

/**
 * What the parent's model reads when its brief was refused, from a verdict's code and issues.
 *
 * # Errors
 * When the issues are not of their shape.
 */
export function brief_feedback(agent: string, code: string, issues: string, omitted: number): string;

/**
 * What the parent's model reads about an agent's tool.
 */
export function brief_tool_description(description: string): string;

/**
 * Writes an envelope from its parts.
 *
 * # Errors
 * The refusal as JSON.
 */
export function build_envelope(parts: string): string;

/**
 * Which contract holds: `final_schema`, `output_schema` or `none`.
 */
export function choose_contract(final_schema: boolean, output_schema: boolean): string;

/**
 * Compiles the schema text in the input buffer. Options as JSON.
 *
 * # Errors
 * A schema error as JSON.
 */
export function compile(length: number, options: string): ContractHandle;

/**
 * `sha256-…` of a JSON text's canonical form.
 *
 * # Errors
 * When the text is no JSON.
 */
export function digest_of(text: string): string;

/**
 * What goes out as `SUBAGENT_FINISHED.result`.
 *
 * # Errors
 * The refusal as JSON.
 */
export function envelope_for_event(text: string): string;

/**
 * What the parent's model sees of an envelope.
 *
 * # Errors
 * The refusal as JSON.
 */
export function envelope_for_model(text: string): string;

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
 * The members of a JSON object as an object of their exact texts.
 *
 * # Errors
 * When the text is no JSON object or names a member twice.
 */
export function members_of(text: string): string;

/**
 * The open questions of a result, an envelope or a merged record, as JSON.
 *
 * # Errors
 * When the text cannot be read.
 */
export function open_questions(text: string): string;

/**
 * Reads resume state and compares it with what the host expects; the state as JSON.
 *
 * # Errors
 * The refusal as JSON.
 */
export function open_resume_state(text: string, expected: string): string;

/**
 * The body of a token that was sealed under `secret`.
 *
 * # Errors
 * The refusal as JSON.
 */
export function open_token(token: string, secret: Uint8Array | number[]): Uint8Array;

/**
 * Checks that a text is an envelope.
 *
 * # Errors
 * The refusal as JSON.
 */
export function parse_envelope(text: string): void;

/**
 * `{ form, keyId }` of a token, which nobody has to believe yet.
 *
 * # Errors
 * The refusal as JSON.
 */
export function read_token(token: string): string;

/**
 * What a recipe makes of the text in the input buffer, as a verdict: `{ ok, text, flags }`.
 *
 * # Errors
 * When the recipe asks for what is not there.
 */
export function rebuild(length: number, recipe: string): string;

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
 * The steps of a router's pick, as JSON: `{ pick }` and an object that says of each agent by its name whether it takes an input.
 *
 * # Errors
 * The refusal as JSON, with one issue that points into the pick.
 */
export function resolve_pick(question: string, agents: string, sequence: boolean): string;

/**
 * Seals a body under a key.
 *
 * # Errors
 * The refusal as JSON.
 */
export function seal_body(encrypted: boolean, body: Uint8Array | number[], key_id: string, secret: Uint8Array | number[]): string;

/**
 * Where a piece of up to 4096 bytes is written. The place holds as long as the instance.
 */
export function stream_buffer(): number;

/**
 * A child's last text, cut to what an envelope carries beside a typed result.
 */
export function task_summary(text: string): string | undefined;

/**
 * Traps, so that the shim's recovery can be tested.
 */
export function trap(): void;

/**
 * Writes resume state.
 *
 * # Errors
 * The refusal as JSON.
 */
export function write_resume_state(state: string): string;

/**
 * Writes resume state for a time and for somebody: the body to seal.
 *
 * # Errors
 * The refusal as JSON.
 */
export function write_resume_state_under(state: string, terms: string): string;

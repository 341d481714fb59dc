/** Runs a regular expression in its own thread, and terminates the thread if the search takes too long. */

export interface TextMatch {
  index: number;
  /** In UTF-16 code units. */
  length: number;
}

/** Limit for one part of the text. A normal attempt takes a few milliseconds. */
const MAX_ATTEMPT_MS = 2_000;

const MAX_SEARCH_MS = 60_000;

/** Matches a repetition of variable length in a pattern, such as `a+` or `[bc]{2,5}`. */
const OPEN_REPEAT = /(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\[])(?:[*+]|\{\d+,\d*\})/g;
const REFERENCE = /\\(?:[1-9]|k<)/;

/** Matches the end of an optional character, class or group, such as `a?`, but not the lazy `a+?`. */
const OPTIONAL = /(?:\\.|[^\\(*+?}])\?/g;

/** Each optional part can double the time. */
const MAX_OPTIONALS = 4;

/** The worker imports no module, so it needs no permission. */
const WORKER = `
let shared, expression;
self.onmessage = ({ data }) => {
  if (data.memory !== undefined) {
    shared = new Int32Array(data.memory);
    expression = new RegExp(data.source, data.flags);
    return;
  }
  expression.lastIndex = data.from;
  const found = expression.exec(data.text);
  shared[1] = found === null ? -1 : found.index;
  shared[2] = found === null ? 0 : found[0].length;
  Atomics.add(shared, 0, 1);
  Atomics.notify(shared, 0);
};`;

/**
 * Whether an expression has many optional parts, or can take time that grows faster than the square of the
 * text's length. A few optional parts, as in `https?://`, do not justify starting a thread.
 */
export function needsGuard({ source }: RegExp): boolean {
  const count = (pattern: RegExp): number => source.match(pattern)?.length ?? 0;
  return count(OPEN_REPEAT) > 1 || count(OPTIONAL) > MAX_OPTIONALS ||
    /\)\s*[*+{]/.test(source) || REFERENCE.test(source);
}

export class GuardedExpression implements Disposable {
  readonly #expression: RegExp;
  #running: { worker: Worker; shared: Int32Array<SharedArrayBuffer> } | undefined;
  #spentMs = 0;

  constructor(expression: RegExp) {
    this.#expression = expression;
  }

  /**
   * Finds the first match at `from` or later. Without the flag `g`, ignores `from`.
   *
   * @throws {Error} When the search takes too long.
   */
  find(text: string, from: number): TextMatch | null {
    const { worker, shared } = this.#running ??= this.#start();
    const start = performance.now();
    const attempts = Atomics.load(shared, 0);
    worker.postMessage({ text, from });
    const outcome = Atomics.wait(shared, 0, attempts, MAX_ATTEMPT_MS);
    this.#spentMs += performance.now() - start;
    if (outcome === "timed-out" || this.#spentMs > MAX_SEARCH_MS) {
      this[Symbol.dispose]();
      throw new Error(
        `Cannot search: the regular expression ${this.#expression.source} takes too long. ` +
          "Avoid nested quantifiers, as in (a+)+",
      );
    }
    const index = shared[1] ?? -1;
    return index < 0 ? null : { index, length: shared[2] ?? 0 };
  }

  [Symbol.dispose](): void {
    this.#running?.worker.terminate();
    this.#running = undefined;
  }

  #start(): { worker: Worker; shared: Int32Array<SharedArrayBuffer> } {
    const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    const memory = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
    const shared = new Int32Array(memory);
    const worker = new Worker(url, { type: "module" });
    const { source, flags } = this.#expression;
    worker.postMessage({ memory, source, flags });
    return { worker, shared };
  }
}

/** Finds evidence of how each command of a chain ended. */

export interface ChainPart {
  readonly text: string;
  /** The separator after the command; empty after the last one. */
  readonly separator: string;
  /** The commands that the output is piped to, such as `| head`; empty if there are none. */
  readonly filters: string;
}

/** With `output`, only the output can report a failure; with `nothing`, a failure leaves no trace. */
export type Evidence = "exit code" | "output" | "nothing";

export const ERROR_WORD = /\b(?:ERROR|[Ee]rror:|FAIL(?:ED)?|failed|fatal|panic)\b/;

/** Matches commands that print only if they fail. */
const QUIET =
  /^\s*(?:\w+=\S+ )*(?:go (?:build|vet)|gofmt|(?:npx |pnpm |yarn |bunx )?tsc|python[\d.]* -m (?:py_compile|compileall -q)|node --check)\b(?!.*(?:--watch| -[xv]\b))/;

const KEEPS_ERRORS = /^(?:\|\s*(?:head|tail|[ef]?grep -\w*v\w*)\b[^|]*)*$/;
const DROPS_PASSED = /^\|\s*[ef]?grep -\w*v\w* .{0,20}?\b(?:ok|PASS)\b/;

/** Matches quoted text, even if the closing quote is missing. */
export const QUOTED = /"(?:[^"\\]|\\[^])*(?:"|$)|'[^']*(?:'|$)/g;

const REDIRECTED_OR_QUOTED = new RegExp(String.raw`(>\s*)?(?:${QUOTED.source})`, "g");

const COMPILE_ERROR = /^(?:vet: )?\S+\.\w{1,5}(?::\d+:\d+: |\(\d+,\d+\): error)|SyntaxError/m;

const STRICT = /^\s*set\s+(?:-\w*e|-o errexit)/;
const PIPEFAIL = /^\s*set\s.*\bpipefail\b/;

const REDIRECTION = /(?:[^\d&>=-]|\s1|&)>{1,2}\|?\s*(?!&)([^\s&>]+)/;

const ECHO = /^\s*echo\s+(?:-[neE]+\s+)*/;
const PIPED_CODE = /\$\{(?:PIPESTATUS\[0\]|pipestatus\[1\])\}|\$pipestatus\[1\]/;
const CODE = /\$\?/;

const SAVED_CODE = /^\s*(\w+)=\$\?\s*$/;

/**
 * Returns the evidence of how the command at `index` ended.
 *
 * @param failedIndex The index of the failed command, or -1. Commands before it in the `&&` chain passed.
 */
export function evidenceOf(
  parts: readonly ChainPart[],
  index: number,
  { output, failedIndex }: { readonly output: string; readonly failedIndex: number },
): Evidence {
  const part = parts[index];
  if (part === undefined) return "nothing";
  const isFallback = failedIndex < 0 && parts[index - 1]?.separator === "||";
  // In a line that passed, a command after `||` may not have run. A pipe exits with the code of its last filter.
  const isKnown = pipeHidesExit(parts, index)
    ? printedExit(parts, index, output) !== undefined
    : !isFallback && isExitKnown(parts, index, { output, failedIndex });
  if (isKnown) return "exit code";
  if (isSilenced(parts, index)) return "nothing";
  const keepsErrors = KEEPS_ERRORS.test(part.filters.replaceAll(QUOTED, ""));
  const isShown = redirectionOf(part) === undefined && keepsErrors &&
    (QUIET.test(part.text) || DROPS_PASSED.test(part.filters) ||
      (part.filters !== "" && output.trim() === ""));
  // In a failed line, an error word belongs to the failed command, so only a compile error counts here.
  const hasError = COMPILE_ERROR.test(output) || (failedIndex < 0 && ERROR_WORD.test(output));
  return isShown && !hasError ? "exit code" : "output";
}

export function isExitKnown(
  parts: readonly ChainPart[],
  index: number,
  { output, failedIndex }: { readonly output: string; readonly failedIndex: number },
): boolean {
  return showsFailure(parts, index, failedIndex) ||
    printedExit(parts, index, output) !== undefined ||
    isConfirmed(parts, index, output);
}

export function canFailLine(parts: readonly ChainPart[], index: number): boolean {
  return showsFailure(parts, index, -1);
}

/** Whether a failure of the command at `index` would fail the line, or end it before `failedIndex`. */
function showsFailure(parts: readonly ChainPart[], index: number, failedIndex: number): boolean {
  for (let at = index;; at++) {
    if (at > index && at === failedIndex) return true;
    const { separator = "" } = parts[at] ?? {};
    if (separator === "") return true;
    if (separator === "||") return endsInFailure(parts.slice(at + 1));
    if (separator !== "&&") return isStrict(parts, at) || returnsCode(parts, at);
  }
}

function isStrict(parts: readonly ChainPart[], at: number): boolean {
  return parts.slice(0, at).some(({ text }) => STRICT.test(text));
}

function returnsCode(parts: readonly ChainPart[], at: number): boolean {
  const after = parts.slice(at + 1);
  const saved = SAVED_CODE.exec(after[0]?.text ?? "")?.[1];
  if (saved === undefined) return /^\s*(?:exit|return) "?\$\?/.test(after[0]?.text ?? "");
  const exit = new RegExp(String.raw`^\s*(?:exit|return) "?\$\{?${saved}\b`);
  return after.some(({ text }) => exit.test(text));
}

/** Whether the commands after `||` end the line with a failure, as `{ cat log; exit 1; }` does. */
function endsInFailure(after: readonly ChainPart[]): boolean {
  const isGroup = /^\s*[({]/.test(after[0]?.text ?? "");
  return (isGroup ? after : after.slice(0, 1)).some(({ text }) =>
    /^\s*[({]?\s*(?:exit|return)\s+(?:[1-9]|\$)/.test(text)
  );
}

function pipeHidesExit(parts: readonly ChainPart[], index: number): boolean {
  return parts[index]?.filters !== "" &&
    !parts.slice(0, index).some(({ text }) => PIPEFAIL.test(text));
}

export function printedExit(
  parts: readonly ChainPart[],
  index: number,
  output: string,
): number | undefined {
  const next = parts[index + 1];
  const isHidden = pipeHidesExit(parts, index);
  const saved = SAVED_CODE.exec(next?.text ?? "")?.[1];
  if (next === undefined || (saved !== undefined && isHidden)) return undefined;
  const named = new RegExp(String.raw`\$\{?${saved}\b\}?`);
  const code = saved === undefined ? (isHidden ? PIPED_CODE : CODE) : named;
  const after = saved === undefined ? [next] : parts.slice(index + 2);
  const echo = after.find(({ text }) => ECHO.test(text) && code.test(text));
  const pattern = echo === undefined ? undefined : patternOf(echo, code);
  if (pattern === undefined) return undefined;
  const found = [...output.matchAll(pattern)];
  const same = parts.filter(({ text }) => text.trim() === echo?.text.trim());
  const at = same.findIndex((one) => one === echo);
  const isLast = echo === parts.at(-1);
  const match = found.length === same.length ? found[at] : isLast ? found.at(-1) : undefined;
  return match === undefined ? undefined : Number(match[1]);
}

/** Returns a pattern that matches the line printed by an `echo` and captures the exit code in it. */
function patternOf({ text, filters }: ChainPart, code?: RegExp): RegExp | undefined {
  if (filters !== "" || redirectionOf({ text }) !== undefined) return undefined;
  const words = text.replace(ECHO, "").replace(/\s*>&2\s*$/, "").replaceAll(/["']/g, "").trim();
  const pieces = code === undefined ? [words] : words.split(code);
  const isLiteral = words !== "" && pieces.every((piece) => !/[$`\\]/.test(piece));
  if (!isLiteral) return undefined;
  return new RegExp(
    String.raw`^${pieces.map(RegExp.escape).join(String.raw`(\d{1,3})`)}[ \t\r]*$`,
    "gm",
  );
}

/**
 * Removes lines printed by `echo` from an output, because they are not part of a check's report.
 *
 * @param keepsFallback Whether to keep the line of an `echo` after `||`, which runs after a failure.
 */
export function withoutEchoes(
  parts: readonly ChainPart[],
  output: string,
  { keepsFallback }: { readonly keepsFallback: boolean },
): string {
  const echoes = parts.filter(({ text }, index) =>
    ECHO.test(text) && !(keepsFallback && parts[index - 1]?.separator === "||")
  );
  return echoes.reduce((rest, echo) => rest.replaceAll(patternOf(echo) ?? /$^/g, ""), output);
}

export interface LabelledPart<Part extends ChainPart> {
  readonly label: string;
  readonly parts: readonly Part[];
  readonly output: string;
}

/** Splits a chain and its output at the labels that its own `echo` commands printed. */
export function splitAtLabels<Part extends ChainPart>(
  parts: readonly Part[],
  output: string,
): LabelledPart<Part>[] {
  const groups: LabelledPart<Part>[] = [];
  let group = { label: "", parts: [] as Part[] };
  let rest = output;
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1]?.separator ?? ";";
    const isLabel = ECHO.test(part.text) && /^[;\n]$/.test(before);
    const pattern = isLabel ? patternOf(part) : undefined;
    const [printed] = pattern === undefined ? [] : rest.matchAll(pattern);
    if (printed !== undefined) {
      groups.push({ ...group, output: rest.slice(0, printed.index) });
      rest = rest.slice(printed.index + printed[0].length);
      group = { label: printed[0].trim(), parts: [] };
    }
    group.parts.push(part);
  }
  return [...groups, { ...group, output: rest }];
}

/** Whether a later `echo` shows that the command passed: it follows `&&` and ran, or `||` and did not run. */
function isConfirmed(parts: readonly ChainPart[], index: number, output: string): boolean {
  for (let at = index; at < parts.length - 1; at++) {
    const [part, next] = [parts[at], parts[at + 1]];
    if (part === undefined || next === undefined || part.filters !== "") return false;
    const pattern = ECHO.test(next.text) ? patternOf(next) : undefined;
    if (part.separator === "||") {
      return pattern !== undefined && !pattern.test(output) &&
        !output.includes("<persisted-output>");
    }
    if (part.separator !== "&&") return false;
    if (pattern?.test(output) === true) return true;
  }
  return false;
}

function isSilenced(parts: readonly ChainPart[], index: number): boolean {
  const file = redirectionOf(parts[index]);
  return file !== undefined &&
    (file === "/dev/null" || !parts.slice(index + 1).some(({ text }) => text.includes(file)));
}

function redirectionOf(part: Pick<ChainPart, "text"> | undefined): string | undefined {
  const bare = part?.text.replaceAll(
    REDIRECTED_OR_QUOTED,
    (all, mark?: string) => mark === undefined ? "" : all.replaceAll(/["']/g, ""),
  );
  return REDIRECTION.exec(bare ?? "")?.[1];
}

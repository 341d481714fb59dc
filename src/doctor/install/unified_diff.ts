/** Shows what a change of a text would be, as `diff -u` does. */

const CONTEXT_LINES = 3;

/** Texts with more pairs of lines than this between their first and last change are shown whole. */
const MAX_PAIRS = 4_000_000;

interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

export function unifiedDiff(before: string | null, after: string | null, name: string): string {
  if (before === after) return "";
  const lines = diffLines(linesOf(before ?? ""), linesOf(after ?? ""));
  const head = `--- ${before === null ? "/dev/null" : name}\n` +
    `+++ ${after === null ? "/dev/null" : name}\n`;
  return head + hunksOf(lines).join("");
}

/** The lines with their ends, so that a missing last one shows. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function diffLines(a: readonly string[], b: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (
    tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)
  ) tail++;
  const same = (text: string): DiffLine => ({ mark: " ", text });
  return [
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

/** By the longest common subsequence: `rows[i][j]` is its length from there on. */
function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const marked = (mark: "-" | "+") => (text: string): DiffLine => ({ mark, text });
  if (a.length * b.length > MAX_PAIRS) return [...a.map(marked("-")), ...b.map(marked("+"))];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j]
        ? lengthAt(i + 1, j + 1) + 1
        : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ mark: " ", text: left });
      i++;
      j++;
    } else if (
      left !== undefined && (right === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))
    ) {
      lines.push({ mark: "-", text: left });
      i++;
    } else {
      lines.push({ mark: "+", text: right ?? "" });
      j++;
    }
  }
  return lines;
}

function hunksOf(lines: readonly DiffLine[]): string[] {
  const changed = lines.flatMap(({ mark }, index) => mark === " " ? [] : [index]);
  const ranges: [from: number, to: number][] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    if (last !== undefined && index - last[1] <= 2 * CONTEXT_LINES) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([from, to]) => {
    const start = Math.max(0, from - CONTEXT_LINES);
    const shown = lines.slice(start, to + CONTEXT_LINES + 1);
    const above = lines.slice(0, start);
    const range = (without: "-" | "+"): string => {
      const count = shown.filter(({ mark }) => mark !== without).length;
      const first = above.filter(({ mark }) => mark !== without).length;
      return `${count === 0 ? first : first + 1},${count}`;
    };
    return `@@ -${range("+")} +${range("-")} @@\n${shown.map(shownLine).join("")}`;
  });
}

function shownLine({ mark, text }: DiffLine): string {
  return text.endsWith("\n") ? `${mark}${text}` : `${mark}${text}\n\\ No newline at end of file\n`;
}

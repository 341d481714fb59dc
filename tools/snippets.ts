/**
 * Finds the shell snippets of a page, so that a test can run the commands that a reader would copy.
 *
 * A fence whose info string is `sh run` is run and must exit with 0; `sh run=2` must exit with 2. A
 * shell fence that must not be run states a reason: `sh no-run needs a terminal`. In a skill, all
 * shell fences are run without a marker, because the model would read the marker. The lines that the
 * client runs while it loads the skill (an exclamation mark and a command in backticks) are also
 * snippets.
 *
 * A `text output` fence contains the expected output of the fence before it, which must be run. See
 * `matchesOutput` for permitted differences.
 */

export interface Snippet {
  readonly path: string;
  /** 1-based line on which the snippet starts. */
  readonly line: number;
  readonly code: string;
  /** The expected exit code; undefined if the snippet is not run. */
  readonly exitCode: number | undefined;
  /** The expected output; any output if undefined. */
  readonly output?: string;
}

export interface PageSnippets {
  readonly snippets: readonly Snippet[];
  readonly problems: readonly string[];
}

const FENCE = /^(\s*)(`{3,}|~{3,})\s*([^`]*)$/;
const SHELL = /^(?:sh|bash|shell|console|zsh)$/;
/**
 * Matches output that may differ: ids and 8-character id prefixes, dates and times, byte counts,
 * `<placeholders>`, and `...` at the end of a line.
 */
const VARYING =
  /(\b[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b|\b\d{4}-\d\d-\d\d(?:[T -][\d:.]+Z?)?|\b\d{8}_\d{6}\b|[\d,]+ bytes|<[^<>]*>|\.{3}$)/;
const SKILL = /(?:^|\/)SKILL\.md$/;
const SKILL_LINE = /^!`([^`]+)`\s*$/;

/**
 * @param path The page's path, for messages. A path that ends in `SKILL.md` is a skill.
 * @returns All shell snippets, and a message for each invalid marker.
 */
export function findSnippets(text: string, path: string): PageSnippets {
  const snippets: Snippet[] = [];
  const problems: string[] = [];
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const place = `${path}:${index + 1}`;
    const command = SKILL_LINE.exec(lines[index] ?? "")?.[1];
    if (command !== undefined) {
      snippets.push({ path, line: index + 1, code: command, exitCode: 0 });
      // The client inserts raw text there, so a shell would run any text that a user types.
      if (command.includes("$ARGUMENTS")) problems.push(`${place}: $ARGUMENTS in a shell line`);
      continue;
    }
    const fence = FENCE.exec(lines[index] ?? "");
    if (fence === null) continue;
    const end = closingLine(lines, index, fence[2] ?? "");
    const [language = "", mark = "", ...rest] = (fence[3] ?? "").trim().split(/\s+/);
    const last = snippets.at(-1);
    if (language === "text" && mark === "output") {
      if (last?.exitCode === undefined || last.output !== undefined) {
        problems.push(`${place}: a text output fence must follow a snippet that is run`);
      } else {
        snippets[snippets.length - 1] = { ...last, output: lines.slice(index + 1, end).join("\n") };
      }
    } else if (SHELL.test(language)) {
      const isSkill = SKILL.test(path);
      const exitCode = isSkill && mark === "" ? 0 : exitCodeOf(mark);
      if (isSkill && mark !== "") {
        problems.push(
          `${place}: a skill's snippet must have no mark, because the model would read it`,
        );
      } else if (exitCode === undefined && !(mark === "no-run" && rest.length > 0)) {
        problems.push(`${place}: mark the snippet "sh run", "sh run=CODE" or "sh no-run WHY"`);
      }
      const indent = fence[1] ?? "";
      const code = lines.slice(index + 1, end).map((line) =>
        line.startsWith(indent) ? line.slice(indent.length) : line
      );
      snippets.push({ path, line: index + 2, code: code.join("\n"), exitCode });
    }
    index = end;
  }
  return { snippets, problems };
}

/**
 * Returns whether the output of a command matches a page. Ids, times, sizes of files, words in angle brackets
 * and the end of a line after `...` may differ; a line of `...` matches any lines.
 */
export function matchesOutput(shown: string, printed: string): boolean {
  const lines = shown.trim().split("\n").map((line) => {
    if (line.trim() === "...") return "(?:.*\\n)*?";
    const parts = line.trimEnd().split(VARYING);
    return `${
      parts.map((part, index) => index % 2 === 1 ? ".*" : RegExp.escape(part)).join("")
    }\\n`;
  });
  return new RegExp(`^${lines.join("")}$`).test(`${printed.trim().replaceAll(/ +$/gm, "")}\n`);
}

function closingLine(lines: readonly string[], start: number, mark: string): number {
  for (let index = start + 1; index < lines.length; index++) {
    const line = (lines[index] ?? "").trim();
    if (line.startsWith(mark) && line.replaceAll(mark.charAt(0), "") === "") return index;
  }
  return lines.length;
}

function exitCodeOf(mark: string): number | undefined {
  const match = /^run(?:=(\d{1,3}))?$/.exec(mark);
  return match === null ? undefined : Number(match[1] ?? 0);
}

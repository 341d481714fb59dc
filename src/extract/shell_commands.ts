/**
 * What a shell command is about: enough to know one from another, no parser of the shell.
 *
 * @module
 */

/** No more of a command is looked at, in UTF-16 code units. */
const MAX_COMMAND_CHARS = 4_096;

/** A change of folder, or a setting of a variable, before the command itself. */
const LEAD_IN =
  /^(?:cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*|(?:export\s+)?[A-Z_][A-Z0-9_]*=\S*\s+(?:&&\s*)?)/;

/** What only shapes the output: filters behind a pipe, and redirections. */
const OUTPUT_SHAPING =
  /\s*(?:2>&1|>\s*\/dev\/null|2>\s*\/dev\/null|\|\s*(?:head|tail|grep|rg|sed|awk|cat|less|tee|wc|sort|uniq|cut)\b[^|]*|\|\|\s*true|;\s*echo\b[^;|]*)\s*$/;

/** Programs whose failing is how they say no. */
const PROBES = new Set(
  "rg grep egrep fgrep diff cmp ls cat find which type command test [ pgrep lsof stat head tail file ps kill pkill sleep rm mkdir curl wget cd echo jq wc"
    .split(" "),
);

/** Commands of programs that only look. */
const LOOKING =
  /^(?:git\s+(?:diff|show|log|status|grep|ls-files|rev-parse|check-ignore|branch|stash)|gh\s+\S+\s+(?:view|list|checks|status))\b/;

/** Commands that tell whether the work is right. */
const CHECK =
  /\b(?:tests?|spec|lint|build|check|typecheck|tsc|vet|clippy|pytest|unittest|jest|vitest|mocha|rspec|phpunit|eslint|mypy|ruff|fmt|compile|ci|verify|gradlew?|mvn|make)\b/;

/** How output tells of failures where the exit code is that of a filter. */
const FAILURE_REPORT =
  /^(?:--- FAIL|FAIL\b|FAILED\b|E\s{3}\S|error(?:\[\w+\])?:|✗ )|\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b/m;

/**
 * Takes off what does not tell one command from another: the folder it runs in, variables, and what
 * shapes its output.
 */
export function coreOfCommand(command: string): string {
  let core = command.slice(0, MAX_COMMAND_CHARS).replaceAll(/\s+/g, " ").trim();
  for (let shorter = ""; shorter !== core;) {
    shorter = core;
    const bare = core.replace(LEAD_IN, "").replace(OUTPUT_SHAPING, "").trim();
    // A command that is nothing but such words is about them.
    if (bare !== "") core = bare;
  }
  return core;
}

/** Names the program of a command, with its subcommand where it has one. */
export function commandHead(core: string): string {
  const words = core.split(" ").filter((word) => !word.startsWith("-"));
  const [program = "", second = ""] = words;
  const count = /^(?:run|exec|x|task)$/.test(second) ? 3 : 2;
  return /^[\w@:-]+$/.test(second) ? words.slice(0, count).join(" ") : program;
}

/** Tells whether a command shows whether the work is right: tests, linters, builds. */
export function isCheck(core: string): boolean {
  return CHECK.test(core) && !LOOKING.test(core);
}

/** Tells whether a command only looks around, so that its failing is an answer. */
export function isProbe(core: string): boolean {
  const [program = ""] = core.split(" ", 1);
  return PROBES.has(program) || LOOKING.test(core);
}

/**
 * Tells whether a check failed although its exit code does not say so, since that is the code of a
 * filter behind it.
 */
export function reportsFailure(command: string, output: string): boolean {
  return /[|;]/.test(command) && FAILURE_REPORT.test(output);
}

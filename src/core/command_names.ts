/** Names of the programs and tasks that check the work, and of commands that only inspect it. */

const NAMES = {
  test: "tests?|spec|pytest|unittest|jest|vitest|mocha|rspec|phpunit",
  lint: String.raw`\w*lint|clippy|knip|mypy|ruff|shellcheck`,
  // Excludes the `--format` option, which other programs also have.
  format: "(?<!-)format|fmt|gofmt|goimports|rustfmt|prettier|black",
  compile: "build|typecheck|tsc|vet|compile|py_compile",
  check: "check",
  /** Commands that may run any kind of check, and commands that only parse a file, such as `json.tool`. */
  task: String.raw`ci|verify|gradlew?|mvn|make|json\.tool|(?:ba|da|k|z)?sh -n`,
};

type CheckKind = keyof typeof NAMES;

export function checkPattern(...kinds: CheckKind[]): RegExp {
  return new RegExp(String.raw`\b(?:${kinds.map((kind) => NAMES[kind]).join("|")})\b`);
}

export const CHECK = checkPattern("test", "lint", "format", "compile", "check", "task");

/** Matches a check that runs no tests. Its success does not confirm the cause of a failure. */
export const STATIC_CHECK = checkPattern("lint", "format", "compile");

export const GIT_READS =
  "blame|cat-file|check-attr|check-ignore|check-ref-format|describe|diff|grep|log|ls-files|ls-remote|ls-tree|merge-base|reflog|rev-list|rev-parse|shortlog|show|status";

const INSPECTION = new RegExp(
  String
    .raw`^(?:git (?:-C \S+ )?(?:${GIT_READS}|config|branch|stash)|gh \S+ (?:view|list|checks|status)|go (?:doc|list|env|version|help)|[\w-]*lint[\w-]* (?:linters|help|version|config))\b`
    .replaceAll(" ", String.raw`\s+`),
);

export function isInspection(command: string): boolean {
  return INSPECTION.test(command);
}

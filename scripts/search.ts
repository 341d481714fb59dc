import { search, type SearchResult } from "../mod.ts";
import { quoteForShell } from "../src/core/shell.ts";
import { command } from "../cli/command.ts";
import { printError } from "../cli/print.ts";
import { choice, flag, valued } from "../cli/spec.ts";

export const SPEC = {
  name: "search",
  positionals: "PATTERN [SESSION]",
  options: [
    flag("regex", "PATTERN is a JavaScript regular expression"),
    flag("ignore-case", "ignore case"),
    choice(
      "role",
      ["user", "assistant", "tool"],
      "only user text, model text with calls, or tool results",
    ),
    valued("tool", "text", "NAME", "only calls and results of this tool"),
    choice(
      "scope",
      ["session", "lineage", "project"],
      "only SESSION, SESSION and its ancestors, or the project (session)",
    ),
    { ...valued("limit", "count", "N", "maximum number of matches (50)"), min: 1, max: 10_000 },
    {
      ...valued("context", "count", "N", "maximum characters per excerpt (120)"),
      min: 20,
      max: 2_000,
    },
  ],
  notes: [
    "SESSION is an id, its first 8 characters, or a path. Default: the session that this one",
    "continues, else this one. It searches text, thinking, tool inputs and results, and",
    "attachments. trimtab show prints the entry of a match, ID:LINE. A regular",
    "expression is applied to at most 4,096 characters at a time. Put a pattern that starts with -",
    "after --: trimtab search -- -v",
  ],
};

export const run = command(SPEC, async ({ context, ...options }, wanted, session) => {
  const pattern = wanted ?? "";
  const result = await search({ pattern, session, excerptChars: context, ...options });
  const { matches, truncated, gone } = result;
  for (const id of gone) {
    printError(`Session ${id} is not searched: its transcript no longer exists`);
  }
  return { json: { matches, truncated }, text: resultText(result, pattern) };
}, [SyntaxError]);

function resultText({ matches, truncated, searched }: SearchResult, pattern: string): string {
  const [first] = matches;
  if (first === undefined) {
    const where = searched.length === 1
      ? `session ${searched[0]}`
      : `the ${searched.length} sessions searched`;
    return `Found no match for ${JSON.stringify(pattern)} in ${where}.`;
  }
  const rows = matches.map(({ ref, role, tool, excerpt }) =>
    `${ref}  ${tool === null ? role : `${role} ${tool}`}  ${excerpt}`
  );
  if (truncated) {
    rows.push(
      `There are more matches than the ${matches.length} shown: narrow the search with --role, --tool ` +
        "or a longer pattern, or raise --limit.",
    );
  }
  rows.push(`trimtab show ${quoteForShell(first.ref)} prints the first match in full.`);
  return rows.join("\n");
}

if (import.meta.main) Deno.exit(await run(Deno.args));

/** `trimtab search`: finds what was said in earlier sessions. */

import { quoteForShell } from "../src/lineage/start_command.ts";
import { findConfigDir, joinPath } from "../src/store/paths.ts";
import { type FoundSession, isSessionId } from "../src/transcript/find.ts";
import {
  type SearchMatch,
  type SearchRole,
  searchTranscript,
} from "../src/transcript/search/search.ts";
import { DEFAULT_EXCERPT_CHARS } from "../src/transcript/search/excerpt.ts";
import { SearchPattern } from "../src/transcript/search/pattern.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { printError } from "../cli/print.ts";
import { type SearchScope, sessionsToSearch } from "../cli/search_scope.ts";
import {
  type Arguments,
  type CommandSpec,
  countOf,
  flagOf,
  textOf,
  UsageError,
} from "../cli/spec.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;
const MIN_EXCERPT_CHARS = 20;
const MAX_EXCERPT_CHARS = 2_000;

export const SEARCH_SPEC: CommandSpec = {
  name: "search",
  summary: "Find what was said in earlier sessions.",
  positionals: "PATTERN [SESSION]",
  positionalCount: [1, 2],
  options: [
    { name: "regex", type: "flag", help: "PATTERN is a regular expression of JavaScript" },
    { name: "ignore-case", type: "flag", help: "ignore upper and lower case" },
    {
      name: "role",
      type: "text",
      value: "user|assistant|tool",
      choices: ["user", "assistant", "tool"],
      help: "who said it: the user, the model (calls of tools, too), or a tool's result",
    },
    { name: "tool", type: "text", value: "NAME", help: "only calls and results of this tool" },
    {
      name: "scope",
      type: "text",
      value: "session|lineage|project",
      choices: ["session", "lineage", "project"],
      help: "one session, it and those that it comes from, or all of the project (session)",
    },
    {
      name: "limit",
      type: "count",
      value: "N",
      help: `show so many matches at most (${DEFAULT_LIMIT})`,
    },
    {
      name: "context",
      type: "count",
      value: "N",
      help: `characters of each excerpt at most (${DEFAULT_EXCERPT_CHARS})`,
    },
  ],
  notes: [
    "SESSION is an id, the first 8 characters of one, or a path; left out, the session that this one",
    "goes on from, else this one. Found are texts, thinking, inputs and results of tools, and what",
    "was attached for the model; a text that holds the pattern more than once is one match. A match",
    "starts with ID:LINE, which trimtab show prints whole. A regular expression sees at most 4,096",
    "characters at a time. Put a pattern that starts with - after --: trimtab search -- -v",
  ],
};

interface FoundMatch extends SearchMatch {
  session_id: string;
  ref: string;
}

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(SEARCH_SPEC, argv, search);
}

function search(args: Arguments): CommandOutput {
  const [pattern = "", name] = args.positionals;
  const query = {
    pattern: patternOf(pattern, args),
    role: textOf(args, "role") as SearchRole | undefined,
    tool: textOf(args, "tool"),
    excerptChars: within(args, "context", [MIN_EXCERPT_CHARS, MAX_EXCERPT_CHARS]),
  };
  const limit = within(args, "limit", [1, MAX_LIMIT]) ?? DEFAULT_LIMIT;
  const scope = (textOf(args, "scope") ?? "session") as SearchScope;
  const { sessions, gone } = sessionsToSearch(scope, name);
  for (const id of gone) {
    printError(`Session ${id} is not searched: its transcript no longer exists`);
  }
  const matches: FoundMatch[] = [];
  for (const session of sessions) {
    for (const match of searchTranscript(session.path, query)) {
      matches.push({ ...match, session_id: session.id, ref: refOf(session, match.line) });
      if (matches.length > limit) break;
    }
    if (matches.length > limit) break;
  }
  const truncated = matches.length > limit;
  const shown = matches.slice(0, limit);
  return {
    json: { matches: shown.map(rowOf), truncated },
    text: wordsOf(shown, { truncated, pattern, sessions }),
  };
}

function patternOf(pattern: string, args: Arguments): SearchPattern {
  try {
    return new SearchPattern(pattern, {
      isRegex: flagOf(args, "regex"),
      ignoreCase: flagOf(args, "ignore-case"),
    });
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(error.message);
    throw error;
  }
}

function within(
  args: Arguments,
  name: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const value = countOf(args, name);
  if (value === undefined || (value >= least && value <= most)) return value;
  throw new UsageError(
    `Cannot run search: --${name} must be from ${least} to ${most}, is ${value}`,
  );
}

/** What `trimtab show` takes: a session elsewhere than among the client's has no id to be found by. */
function refOf({ id, path }: FoundSession, line: number): string {
  const configDir = findConfigDir();
  const isKept = configDir !== undefined && isSessionId(id) &&
    path.startsWith(joinPath(configDir, "projects", "/"));
  return `${isKept ? id.slice(0, 8) : path}:${line}`;
}

function rowOf({ session_id, line, ref, role, tool, excerpt }: FoundMatch): FoundMatch {
  return { session_id, line, ref, role, tool, excerpt };
}

function wordsOf(
  matches: readonly FoundMatch[],
  { truncated, pattern, sessions }: {
    truncated: boolean;
    pattern: string;
    sessions: readonly FoundSession[];
  },
): string {
  const [first] = matches;
  if (first === undefined) {
    const where = sessions.length === 1
      ? `session ${sessions[0]?.id}`
      : `the ${sessions.length} sessions searched`;
    return `Nothing in ${where} matches ${JSON.stringify(pattern)}.`;
  }
  const rows = matches.map(({ ref, role, tool, excerpt }) =>
    `${ref}  ${tool === null ? role : `${role} ${tool}`}  ${excerpt}`
  );
  if (truncated) {
    rows.push(
      `There are more than ${matches.length} matches: narrow the search with --role, --tool or a longer pattern, ` +
        "or raise --limit.",
    );
  }
  return [...rows, `trimtab show ${quoteForShell(first.ref)} prints the first one whole.`].join(
    "\n",
  );
}

if (import.meta.main) Deno.exit(await run(Deno.args));

/** Runs commands with invalid command lines. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { splitArguments } from "../../cli/parse.ts";
import { errorOf, idOf, newPlace, sessionOf } from "./place.ts";

const MESSAGES: Readonly<Record<string, string>> = {
  "batch": "usage is trimtab batch FILE, got nothing",
  "checkpoint --draft --add -": "--draft only previews",
  "clean everything": "usage is trimtab clean, got everything",
  "install --user --project": "--user and --project cannot be used together",
  "install --uninstall --status-line": "--uninstall and --status-line cannot be used together",
  "live --on --off": "--on and --off cannot be used together",
  "live --project": "--project needs --on or --off",
  "prompt --gh-cli gh": "--gh-cli needs --task-ref",
  "prompt --guidelines x": "--guidelines needs --task-ref",
  "prompt --task-ref '#1\n#2'": "the task must be one line",
  "rehydrate --level all": "--level must be one of essential, standard, comprehensive",
  "report -o -": "--output must be a file",
  "rollover": "give one of --summary-file FILE, --summary - (stdin) or --auto",
  "rollover --auto --summary x": "give one of",
  "search": "usage is trimtab search PATTERN [SESSION], got nothing",
  "search ''": "the pattern is empty",
  "search '(' --regex": "Invalid regular expression",
  "search 'x*' --regex": "also matches an empty string",
  "search x --limit 0": "--limit must be a whole number from 1 to 10000",
  "search x --context 5": "--context must be a whole number from 20 to 2000",
  "search x --role robot": "--role must be one of user, assistant, tool",
  "search x --scope world": "--scope must be one of session, lineage, project",
  "search -v": "Put a pattern that starts with - after --: trimtab search -- -v",
  "show b82405ba": "Cannot ",
  "show b82405ba:0": "Cannot ",
  "show b82405ba:x": "Cannot ",
  "status --chart --config": "--config and --chart cannot be used together",
  "trim --nope": "unknown option --nope. Options: --threshold, ",
  "trim --depht deep": "unknown option --depht; did you mean --depth?\n",
  "trim -t 5": "unknown option -t. Options: ",
  "trim --threshold -1": 'must be a whole number of 0 or more, got "-1"',
  "trim --threshold 1e3": 'must be a whole number of 0 or more, got "1e3"',
  "trim --target-percent 101": 'must be a whole number from 0 to 100, got "101"',
  "trim --threshold": "--threshold needs a value: --threshold N",
  "trim --threshold 1 --threshold 2": "--threshold is given more than once",
  "trim --dry-run=yes": "--dry-run takes no value",
  "trim a b": "usage is trimtab trim [SESSION], got a b",
  "watch --interval 0": "--interval must be a whole number from 1 to 86400",
};

Deno.test("commands refuse invalid command lines, with exit code 2", async (t) => {
  using place = newPlace();
  place.add(idOf(1), sessionOf([], { cwd: place.cwd }));
  const before = place.files();
  for (const [line, message] of Object.entries(MESSAGES)) {
    await t.step(line, async () => {
      const [command = "", ...args] = splitArguments(line);
      const result = await place.call(`scripts/${command}.ts`, args, { stdin: "[]" });
      const error = errorOf(result, 2);
      assertStringIncludes(error, message);
      assertStringIncludes(error, `See trimtab ${command} --help`);
      assertEquals(place.files(), before);
    });
  }
});

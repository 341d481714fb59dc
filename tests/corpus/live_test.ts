// Runs the hook that shapes outputs on results of real sessions.

import { assert, assertEquals } from "@std/assert";
import { freedPercent, replaySessions } from "../../bench/live.ts";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { CORPUS, corpusTest, sessionFiles } from "./corpus.ts";

/** Far below the default, so that many results are shaped. */
const MAX_CHARS = 8_000;

corpusTest(
  "shaping real outputs frees context and loses no line that reports an error",
  async () => {
    const texts = sessionFiles.map((name) => Deno.readTextFileSync(`${CORPUS}/${name}`));
    const options = { maxChars: MAX_CHARS, tools: DEFAULT_CONFIG.live.tools };
    const { sessions, tools } = await replaySessions(texts, options);
    assertEquals([...tools.values()].flatMap(({ lost }) => lost), []);
    const bash = tools.get("Bash");
    const grep = tools.get("Grep");
    assert(bash !== undefined && grep !== undefined);
    assert(bash.errors > 50 && bash.shaped > 20, "too few errors to prove anything");
    assert(freedPercent(bash) > 20 && freedPercent(grep) > 15);
    const touched = sessions.filter(({ shaped }) => shaped > 0).length;
    console.log(
      `  live: ${sessions.length} sessions, ${touched} with outputs over ${MAX_CHARS} characters; ` +
        `freed ${freedPercent(bash)}% of Bash and ${freedPercent(grep)}% of Grep outputs; ` +
        `0 of ${bash.errors} error lines lost`,
    );
  },
);

// Reports on real sessions must have the same numbers as status and a dry run, and contain no secrets or
// control characters.

import { assert, assertEquals } from "@std/assert";
import { existsSync } from "@std/fs";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { redactSecrets } from "../../src/secrets/redact.ts";
import { pressureOrEstimate } from "../../src/trim/known_pressure.ts";
import { sessionCharts } from "../../src/report/page.ts";
import { sessionReport } from "../../src/report/session_report.ts";
import { sessionSections } from "../../src/report/session_sections.ts";
import { findActiveContext } from "../../src/transcript/tree/active_context.ts";
import { trimSession } from "../../src/trim/trim_session.ts";
import { CORPUS, corpusTest, sessionFiles } from "./corpus.ts";

/** Tests every fifth session, a sample that still covers many projects and clients. */
const EVERY = 5;

/** An estimate that exceeds the billed tokens by more than this share counts as far above them. */
const TOLERANCE = 0.35;

const { context: config } = DEFAULT_CONFIG;

function pressureOf(transcript: string): ReturnType<typeof pressureOrEstimate> {
  const owner = { projectDir: "/nowhere", sessionId: "none" };
  return pressureOrEstimate({ transcript, config, owner, env: () => undefined });
}

corpusTest(
  "a report's numbers equal those of status and of a dry run in real sessions",
  async () => {
    const now = new Date("2026-11-22T12:00:00Z");
    let over = 0;
    const some = sessionFiles.filter((_, index) => index % EVERY === 0);
    for (const name of some) {
      const session = { id: name.replace(".jsonl", ""), path: `${CORPUS}/${name}` };
      const pressure = await pressureOf(session.path);
      const report = sessionReport({
        session,
        projectDir: "/nowhere",
        pressure,
        config: DEFAULT_CONFIG,
        now,
      });
      const dry = trimSession({ session, dryRun: true, now });
      assertEquals([report.trim.tokens, report.trim.percent], [dry.tokens, dry.percent], name);
      assertEquals([report.trim.by_tool, report.trim.worth], [dry.by_tool, dry.worth], name);
      if (pressure.source === "api") {
        assertEquals(pressure.tokens, report.contents.tokens, name);
        // The limit excludes the space that the client reserves.
        assert([200_000, 1_000_000].includes(pressure.window), name);
        assert(pressure.limit <= pressure.window - 20_000, name);
        assertEquals(report.requests.some(({ tokens }) => tokens === pressure.tokens), true, name);
      }
      const { contents } = report;
      const sum = contents.groups.reduce((all, { tokens }) => all + tokens, 0);
      assert(sum + 20 >= contents.tokens || dry.tokens_source === "estimate", name);
      if (sum - contents.since > contents.tokens * (1 + TOLERANCE)) over++;
      const drawn = sessionCharts(report);
      assertEquals(drawn.contents.total, sum, name);
      const texts = JSON.stringify(drawn) + sessionSections(report).body;
      assertEquals(redactSecrets(texts), texts, name);
      // deno-lint-ignore no-control-regex
      assert(!/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(texts), name);
    }
    console.log(`  ${some.length} sessions, estimates far above the billed tokens in ${over}`);
    assert(over <= some.length / 10, `${over} of ${some.length}`);
  },
);

/** Published sessions in which a link between two messages is missing. */
const BROKEN = ["entireio-cli-02.jsonl", "entireio-cli-11.jsonl"];

/**
 * Files that begin in the middle of a conversation. Their first answers were billed for at least 122,930
 * tokens, so earlier messages are missing.
 */
const WITHOUT_START = [
  "entireio-cli-07.jsonl",
  "entireio-cli-13.jsonl",
  "obra-episodic-memory-01.jsonl",
];

const BROKEN_MORE = `${CORPUS}-more/4ded0de6-8acf-40a5-ba46-7f9bb1ad903c.jsonl`;

corpusTest(
  "findActiveContext() finds the broken chains and the missing starts of real sessions",
  () => {
    const paths = [...sessionFiles.map((name) => `${CORPUS}/${name}`), BROKEN_MORE].filter((path) =>
      existsSync(path)
    );
    for (const path of paths) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      using file = Deno.openSync(path);
      const { cutOff } = findActiveContext(file, file.statSync().size);
      const isBroken = BROKEN.includes(name) || path === BROKEN_MORE;
      const wanted = isBroken ? "unlinked" : WITHOUT_START.includes(name) ? "absent" : null;
      assertEquals(cutOff, wanted, name);
    }
  },
);

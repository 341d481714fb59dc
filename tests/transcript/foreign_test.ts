import { assert, assertEquals, assertFalse } from "@std/assert";
import { isOtherAgentFile } from "../../src/transcript/find.ts";
import { CORPUS, corpusTest, sessionFiles } from "../corpus/corpus.ts";
import { temporaryFile } from "./temporary_file.ts";

const TIME = '"timestamp":"2026-01-05T09:00:00.000Z"';
const UUID = "0199a213-81c0-7800-8aa1-bbab2a035a53";

const FOREIGN: readonly (readonly [agent: string, ...lines: string[]])[] = [
  [
    "Codex",
    `{${TIME},"type":"session_meta","payload":{"id":"${UUID}","originator":"codex_cli_rs"}}`,
    `{${TIME},"type":"response_item","payload":{"type":"message","role":"user"}}`,
  ],
  ["Codex", `{"id":"${UUID}",${TIME},"instructions":null}`, '{"record_type":"state"}'],
  ["Gemini CLI", `{"sessionId":"${UUID}","projectHash":"ab12","messages":[]}`],
  ["Qwen Code", `{"uuid":"${UUID}","sessionId":"${UUID}","type":"user","message":{"parts":[]}}`],
  ["Copilot CLI", `{"type":"session.start","data":{"sessionId":"${UUID}"}}`],
  ["Droid", `{"type":"session_start","id":"${UUID}","title":"x"}`],
  ["Cursor", '{"role":"user","message":{"content":[{"type":"text","text":"hi"}]}}'],
  ["an unknown agent", '{"a":1}'],
];

const OWN: readonly string[] = [
  `{"type":"user","uuid":"${UUID}","message":{"role":"user","content":"x"}}`,
  `{"type":"summary","summary":"x","leafUuid":"${UUID}"}`,
  `{"type":"file-history-snapshot","messageId":"${UUID}","snapshot":{}}`,
  `{"type":"queue-operation","operation":"enqueue",${TIME},"sessionId":"${UUID}"}`,
  '{"type":"user","message":{"content":"x"}}',
  '{"type":"metadata","contextTokens":1,"maxContextTokens":2}',
];

function isForeignText(text: string): boolean {
  using file = temporaryFile(text);
  return isOtherAgentFile(file.path);
}

Deno.test("isOtherAgentFile() recognizes other agents' sessions, as JSON lines or a JSON array, and files without a JSON object", () => {
  for (const [agent, ...lines] of FOREIGN) {
    for (const text of [lines.join("\n"), `[\n${lines.join(",\n")}\n]`]) {
      assert(isForeignText(text), `${agent}: ${text}`);
    }
  }
  for (const text of ["no JSON", "[]", "null\n1\n", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"]) {
    assert(isForeignText(text), text);
  }
});

Deno.test("isOtherAgentFile() is false for a session of Claude Code, even if it is empty or damaged", () => {
  const [own = ""] = OWN;
  const [, codex = ""] = FOREIGN[0] ?? [];
  const mixed = [`${own}\n${codex}`, `${codex}\n${own}`];
  const long = `{"type":"user","x":"${"x".repeat(300_000)}"}`;
  const damaged = ["{", "\0\0\0{", `no JSON\n{"type":"us`, long];
  for (const text of [...OWN, ...mixed, "", "\n\n", ...damaged]) {
    assertFalse(isForeignText(text), text);
  }
});

corpusTest("isOtherAgentFile() accepts a real session", () => {
  for (const name of sessionFiles) {
    assertEquals([name, isOtherAgentFile(`${CORPUS}/${name}`)], [name, false]);
  }
});

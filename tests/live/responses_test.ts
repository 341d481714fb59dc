import { assert, assertEquals } from "@std/assert";
import { readResponse, unshapedNames } from "../../src/live/responses.ts";
import { PLUGIN } from "../plugin_copy.ts";

Deno.test("readResponse() reads Grep's output in each mode, with the totals of newer clients", () => {
  const lines = { mode: "content", numFiles: 0, filenames: [], content: "a.ts:1:x", numLines: 1 };
  const files = { mode: "files_with_matches", numFiles: 1, filenames: ["a.ts"] };
  for (const response of [lines, { ...lines, totalLines: 900, appliedLimit: 1 }]) {
    assertEquals(readResponse("Grep", response)?.replace(["cut"]), { ...response, content: "cut" });
  }
  for (const response of [files, { ...files, totalFiles: 9, appliedLimit: 1, appliedOffset: 1 }]) {
    assert(readResponse("Grep", response) !== null);
  }
  assertEquals(readResponse("Grep", { ...lines, content: 7 }), null);
  // A name with a line break could not be distinguished from two names.
  assertEquals(readResponse("Grep", { ...files, filenames: ["a.ts", "b\nc.ts"] }), null);
  assertEquals(readResponse("Grep", { ...lines, ofTomorrow: 1 }), null);
  assertEquals(readResponse("Grep", { ...files, filenames: "a.ts" }), null);
  assertEquals(readResponse("Grep", { ...files, filenames: [7] }), null);
  assertEquals(readResponse("Grep", { ...files, content: "a.ts:1:x" }), null);
});

Deno.test("readResponse() refuses responses whose text is missing or in an unknown place", () => {
  const bash = { stdout: "x", stderr: "", interrupted: false, isImage: false };
  const file = { filePath: "a", content: "x", numLines: 1, startLine: 1 };
  assertEquals(readResponse("Bash", { ...bash, stdout: null }), null);
  assertEquals(readResponse("Bash", { ...bash, stderr: null }), null);
  for (const other of [{ content: null }, { startLine: null }, { ofTomorrow: 1 }]) {
    assertEquals(readResponse("Read", { type: "text", file: { ...file, ...other } }), null);
  }
  assertEquals(readResponse("Read", { type: "notebook", file }), null);
  assertEquals(readResponse("Read", { type: "text" }), null);
  for (const block of [null, { type: "text", text: 7 }, { type: "other", text: "x" }]) {
    assertEquals(readResponse("mcp__a__b", [block]), null);
  }
});

Deno.test("unshapedNames() returns names and patterns that match neither a known tool nor a server's tools", () => {
  const names = ["Bash", "B*", "mcp__a__b", "mc*", "*", "mcp", "mcp_a", "Edit", "E*"];
  assertEquals(unshapedNames(names), ["mcp", "mcp_a", "Edit", "E*"]);
});

Deno.test("hooks.json starts the hook after every tool whose output can be shaped, and after no other", () => {
  const { hooks } = JSON.parse(Deno.readTextFileSync(`${PLUGIN}/hooks/hooks.json`));
  const matcher = new RegExp(hooks.PostToolUse[0].matcher);
  const texts: Record<string, unknown> = {
    Bash: { stdout: "x", stderr: "", interrupted: false, isImage: false },
    Glob: { filenames: ["a.ts"] },
    Grep: { mode: "content", content: "x" },
    Read: { type: "text", file: { filePath: "a", content: "x", numLines: 1, startLine: 1 } },
    WebFetch: { result: "x" },
    mcp__server__search: [{ type: "text", text: "x" }],
  };
  for (const [name, response] of Object.entries(texts)) {
    assertEquals([name, matcher.test(name)], [name, readResponse(name, response) !== null]);
  }
  const others = ["BashOutput", "Edit", "NotebookEdit", "ReadMcpResource", "Task", "Write"];
  for (const name of others) {
    const isRead = Object.values(texts).some((response) => readResponse(name, response) !== null);
    assertEquals([name, matcher.test(name), isRead], [name, false, false]);
  }
});

import { assert, assertEquals } from "@std/assert";
import { systemShares, withSystemShares } from "../../src/report/system_shares.ts";
import { samplePlace, sampleReport, SECRET } from "./sessions.ts";

function lineOf(shape: unknown): Uint8Array {
  const line = { type: "api-request-shape", shapeHash: "0", shape };
  return new TextEncoder().encode(JSON.stringify(line) + "\n");
}

function tool(name: string, words = 10): Record<string, unknown> {
  return { name, description: "word ".repeat(words), input_schema: { type: "object" } };
}

const SYSTEM = [{ type: "text", text: "You are an agent." }, { type: "text", text: "# Doing" }];

Deno.test("systemShares() separates the system prompt, the client's tools and each server's tools", () => {
  const tools = [tool("Bash"), tool("mcp__git__log"), tool("mcp__git__diff"), tool("mcp__db__ask")];
  const shares = systemShares(lineOf({ system: SYSTEM, tools }));
  assertEquals(shares.map(({ name, count }) => [name, count]), [
    ["System prompt", 2],
    ["Tools", 1],
    ["MCP server git", 2],
    ["MCP server db", 1],
  ]);
  assert(shares.every(({ tokens }) => tokens > 0));
  const texts = systemShares(lineOf({ system: "You are an agent.", tools: "none" }));
  assertEquals(texts.map(({ name, count }) => [name, count]), [["System prompt", 1]]);
});

Deno.test("systemShares() groups many servers, and redacts credentials in their names", () => {
  const tools = Array.from({ length: 30 }, (_, n) => tool(`mcp__server${n}__ask`, 1 + n));
  const names = systemShares(lineOf({ tools })).map(({ name }) => name);
  const ends = ["MCP server server29", "21 other MCP servers"];
  assertEquals([names.length, names[0], names.at(-1)], [10, ...ends]);
  const [share] = systemShares(lineOf({ tools: [tool(`mcp__${SECRET}__ask`)] }));
  assert(share !== undefined && !share.name.includes(SECRET), share?.name);
});

Deno.test("systemShares() ignores lines of an unexpected form", () => {
  for (const shape of [undefined, null, 5, "text", [], {}, { system: 1, tools: [1, null] }]) {
    assertEquals(systemShares(lineOf(shape)), []);
  }
  assertEquals(systemShares(new TextEncoder().encode('{"type":"api-request-shape","sha')), []);
  assertEquals(systemShares(new Uint8Array()), []);
});

Deno.test("withSystemShares() divides the tokens of the system group among its parts", async () => {
  using place = samplePlace();
  const { contents } = await sampleReport(place);
  const of = (all: typeof contents) => all.groups.find(({ kind }) => kind === "system");
  const whole = of(contents)?.tokens ?? 0;
  assert(whole > 0);
  const shares = [
    { name: "System prompt", count: 2, tokens: 1 },
    { name: "Tools", count: 14, tokens: 1 },
    { name: "MCP server git", count: 3, tokens: 5 },
  ];
  const split = of(withSystemShares(contents, shares));
  assertEquals([split?.tokens, split?.count], [whole, 19]);
  assertEquals(split?.parts[0]?.name, "MCP server git");
  const expected = [5, 1, 1].map((one) => Math.round(whole * one / 7));
  assertEquals(split?.parts.map(({ tokens }) => tokens), expected);
  assertEquals(withSystemShares(contents, []), contents);
});

Deno.test("sessionReport() shows the shares of the newest system prompt, and leaves other parts unchanged", async () => {
  using place = samplePlace();
  const before = await sampleReport(place);
  const newest = { system: SYSTEM, tools: [tool("mcp__git__log", 400)] };
  const shapes = [{ tools: [tool("Old")] }, newest];
  for (const shape of shapes) Deno.writeFileSync(place.transcript, lineOf(shape), { append: true });
  const { contents, trim } = await sampleReport(place);
  assertEquals(contents.tokens, before.contents.tokens);
  assertEquals(trim.tokens, before.trim.tokens);
  const [group, ...others] = contents.groups;
  assertEquals(group?.parts.map(({ name }) => name), ["MCP server git", "System prompt"]);
  assertEquals(others, before.contents.groups.slice(1));
});

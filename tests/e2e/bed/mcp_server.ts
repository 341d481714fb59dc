/**
 * An MCP server on stdin and stdout, for tests: its tools return content as their arguments specify.
 *
 *     deno run tests/e2e/bed/mcp_server.ts
 *
 * - `lines {count, text}`: one text block of `count` numbered lines.
 * - `picture {count, text}`: the same text block, and a picture.
 * - `structured {count, text}`: a list of objects, as structured content and as JSON in a text block.
 */

import { linesFrom } from "./stream.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const TOOLS = ["lines", "picture", "structured"];

interface Message {
  id?: number | string;
  method?: string;
  params?: {
    protocolVersion?: string;
    name?: string;
    arguments?: { count?: number; text?: string };
  };
}

function answer(message: Message): unknown {
  switch (message.method) {
    case "initialize":
      return {
        protocolVersion: message.params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "bed", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: TOOLS.map((name) => ({ name, description: name, inputSchema: SCHEMA })) };
    case "tools/call":
      return callTool(message.params?.name ?? "", message.params?.arguments ?? {});
    default:
      return {};
  }
}

const SCHEMA = {
  type: "object",
  properties: { count: { type: "number" }, text: { type: "string" } },
};

function callTool(name: string, input: { count?: number; text?: string }): unknown {
  const numbers = Array.from({ length: input.count ?? 1 }, (_, n) => n + 1);
  const text = numbers.map((n) => `${n} ${input.text ?? "line"}`).join("\n");
  const block = { type: "text", text };
  switch (name) {
    case "picture":
      return { content: [block, { type: "image", data: PIXEL, mimeType: "image/png" }] };
    case "structured": {
      const items = numbers.map((n) => ({ id: n, name: input.text ?? "item" }));
      const structuredContent = { items };
      return {
        content: [{ type: "text", text: JSON.stringify(structuredContent) }],
        structuredContent,
      };
    }
    default:
      return { content: [block] };
  }
}

if (import.meta.main) {
  for await (const line of linesFrom(Deno.stdin.readable)) {
    const message: Message = JSON.parse(line);
    if (message.id === undefined) continue;
    const reply = { jsonrpc: "2.0", id: message.id, result: answer(message) };
    Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(reply)}\n`));
  }
}

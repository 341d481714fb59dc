import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";

const ECHO = "await Deno.stdin.readable.pipeTo(Deno.stdout.writable)";

Deno.test("runChild() gives text and bytes on stdin and reads both outputs", async () => {
  assertEquals(await runDeno(["eval", ECHO], { stdin: "é\n" }), {
    code: 0,
    stdout: "é\n",
    stderr: "",
  });
  const bytes = await runDeno(["eval", ECHO], { stdin: new Uint8Array([65, 66]) });
  assertEquals(bytes.stdout, "AB");
  const failed = await runDeno(["eval", "console.error('no'); Deno.exit(3)"]);
  assertEquals(failed, { code: 3, stdout: "", stderr: "no\n" });
});

Deno.test("runChild() succeeds when the child does not read its input", async () => {
  const stdin = new Uint8Array(4 * 1024 * 1024);
  assertEquals((await runDeno(["eval", "Deno.exit(4)"], { stdin })).code, 4);
});

Deno.test("runChild() gives no input at all by default", async () => {
  assertEquals((await runDeno(["eval", ECHO])).stdout, "");
});

Deno.test("runChild() ends the child when its signal is aborted", async () => {
  const controller = new AbortController();
  const args = ["eval", "setInterval(() => {}, 1000)"];
  const running = runDeno(args, { signal: controller.signal });
  controller.abort();
  assertEquals((await running).code === 0, false);
  await assertRejects(() => runDeno(args, { signal: controller.signal }), DOMException);
});

Deno.test("cleanEnv() passes none of the user's variables", async () => {
  const print = "console.log(JSON.stringify(Deno.env.toObject()))";
  const env = cleanEnv({ HOME: Deno.cwd(), TRIMTAB_X: "1" });
  const { stdout, stderr } = await runDeno(["eval", print], { env, clearEnv: true });
  assertEquals(stderr, "");
  const seen = JSON.parse(stdout);
  assertEquals([seen.HOME, seen.TRIMTAB_X], [Deno.cwd(), "1"]);
  assertEquals(Object.keys(seen).filter((name) => /^(?:USER|LANG|CLAUDE)/.test(name)), []);
  assertStringIncludes(Object.keys(seen).join(" "), "PATH");
});

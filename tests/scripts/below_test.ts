/** Commands that are run somewhere below the project, as after a `cd` in a session. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { idOf, jsonOf, newPlace, sessionOf } from "./place.ts";

const ignore = Deno.build.os === "windows";

Deno.test(
  { name: "the launcher lets commands save in the project that they run below", ignore },
  async () => {
    using place = newPlace();
    const folder = `${place.cwd}/packages/a`;
    Deno.mkdirSync(folder, { recursive: true });
    Deno.mkdirSync(`${place.cwd}/.claude/trimtab`, { recursive: true });
    place.add(idOf(1), sessionOf([["Read", "text"]], { cwd: place.cwd }));
    const env = { PATH: `${Deno.execPath().replace(/\/[^/]*$/, "")}:/usr/bin:/bin` };
    const at = { cwd: folder, env };
    const saved = jsonOf(await place.launch(["checkpoint", idOf(1), "--json"], at));
    assertStringIncludes(String(saved.path), `${place.cwd}/.claude/checkpoints/`);
    const snapshot = jsonOf(await place.launch(["snapshot", idOf(1), "--json"], at));
    assertStringIncludes(String(snapshot.file_path), `${place.cwd}/.claude/runtime/`);
    const listed = jsonOf(await place.launch(["list", "--json"], at));
    assertEquals(listed.count, 2);
  },
);

Deno.test(
  { name: "a command without a session's name takes that of the project it runs below", ignore },
  async () => {
    using place = newPlace();
    const folder = `${place.cwd}/packages/a`;
    Deno.mkdirSync(folder, { recursive: true });
    place.add(idOf(1), sessionOf([["Read", "text"]], { cwd: place.cwd }));
    const env = { PATH: `${Deno.execPath().replace(/\/[^/]*$/, "")}:/usr/bin:/bin` };
    const at = { cwd: folder, env };
    const unused = await place.launch(["status", "--json"], at);
    assertStringIncludes(unused.stdout + unused.stderr, `Cannot find a session of ${folder}`);
    Deno.mkdirSync(`${place.cwd}/.claude/trimtab`, { recursive: true });
    const found = await place.launch(["status", "--json"], at);
    assertStringIncludes(found.stdout, idOf(1));
    const elsewhere = { ...at, env: { ...env, CLAUDE_CODE_SESSION_ID: idOf(2) } };
    const missing = await place.launch(["status", "--json"], elsewhere);
    assertStringIncludes(missing.stdout + missing.stderr, `Cannot find session ${idOf(2)}`);
  },
);

Deno.test(
  { name: "the launcher lets hooks read the shared file of the repository above", ignore },
  async () => {
    using place = newPlace();
    const folder = `${place.cwd}/packages/a`;
    Deno.mkdirSync(folder, { recursive: true });
    Deno.mkdirSync(`${place.cwd}/.git`);
    Deno.writeTextFileSync(`${place.cwd}/.work.toml`, "[context]\nwarn_threshold = 500\n");
    const path = place.add(idOf(1), sessionOf([["Read", "text"]], { cwd: folder }));
    const env = {
      PATH: `${Deno.execPath().replace(/\/[^/]*$/, "")}:/usr/bin:/bin`,
      CLAUDE_PROJECT_DIR: folder,
    };
    const stdin = JSON.stringify({
      session_id: idOf(1),
      transcript_path: path,
      cwd: folder,
      hook_event_name: "UserPromptSubmit",
      prompt: "go on",
    });
    const { stdout } = await place.launch(["hook", "user-prompt-submit"], {
      cwd: folder,
      env,
      stdin,
    });
    assertStringIncludes(stdout, ".work.toml: context.warn_threshold = 500: expected a whole");
  },
);

import { assertEquals, assertThrows } from "@std/assert";
import { claimNotice } from "../../src/inject/once.ts";
import { readSessionState, type StateOwner } from "../../src/store/state.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
import "../own_config.ts";
import { newFolder } from "../folder.ts";

const SESSION = "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10";

function inProject(run: (owner: StateOwner) => void): void {
  using temporary = newFolder();
  run({ projectDir: temporary.path, sessionId: SESSION });
}

Deno.test("claimNotice() allows each notice once in a session", () =>
  inProject((owner) => {
    const other = { ...owner, sessionId: SESSION.replace("0e", "0f") };
    assertEquals([1, 2, 3].map(() => claimNotice(owner, "config")), [true, false, false]);
    assertEquals(claimNotice(owner, "trouble"), true);
    assertEquals(claimNotice(other, "config"), true);
    assertEquals(readSessionState(owner).notices, ["config", "trouble"]);
  }));

Deno.test("claimNotice() stops claiming when the list is full", () =>
  inProject((owner) => {
    const notices = Array.from({ length: 50 }, (_, index) => `notice-${index}`);
    updateSessionState(owner, () => ({ notices }));
    assertEquals(claimNotice(owner, "one more"), false);
    assertEquals(readSessionState(owner).notices, notices);
  }));

Deno.test("claimNotice() throws when the claim cannot be recorded", () =>
  inProject((owner) => {
    Deno.mkdirSync(`${owner.projectDir}/.claude`);
    Deno.writeTextFileSync(`${owner.projectDir}/.claude/trimtab`, "a file has the name");
    assertThrows(() => claimNotice(owner, "config"));
  }));

import { assertEquals, assertThrows } from "@std/assert";
import { existsSync } from "@std/fs";
import { type LiveSwitch, switchLive } from "../../src/config/live_switch.ts";
import type { ConfigLocation } from "../../src/config/files.ts";
import { loadContextConfig } from "../../src/config/load.ts";
import { ConfigError } from "../../src/config/problem.ts";
import { writeTrusted } from "../trusted.ts";
import { inProject, type Project } from "./project.ts";

function locationOf({ projectDir, configDir }: Project): { projectDir: string; configDir: string } {
  return { projectDir, configDir };
}

function names({ configDir, projectDir }: Project): string[] {
  return [configDir, `${projectDir}/.claude`].flatMap((folder) => [...Deno.readDirSync(folder)])
    .filter(({ isFile }) => isFile).map(({ name }) => name);
}

Deno.test("switchLive() sets one key in the user's file and leaves the rest unchanged", () => {
  type Case = readonly [before: string | null, isOn: boolean, after: string | null];
  const replaced = [
    "[context]\r\n\n[live]\nenabled = false\n\r\n",
    "[live]\n# why\nenabled = false # for now\nmax_chars = 900_0\n",
    "\ufeff[live]\nenabled = false\n",
  ].map((text): Case => [text, true, text.replace("false", "true")]);
  const kept = ["[live]\nenabled = true", "live.enabled = true\n"]
    .map((text): Case => [text, true, text]);
  const rest = "max_chars = 9000\n[inside]\nbefore_compaction = 'save'\n";
  const cases: readonly Case[] = [
    ...[...replaced, ...kept],
    [null, true, "[live]\nenabled = true\n"],
    [null, false, null],
    ["", true, "[live]\nenabled = true\n"],
    ["[context]", true, "[context]\n\n[live]\nenabled = true\n"],
    ["[context]\r\n", true, "[context]\r\n\r\n[live]\r\nenabled = true\r\n"],
    ["[context]\n\n\n\n", true, "[context]\n\n\n\n[live]\nenabled = true\n"],
    ["[ live ] # x\r\n", true, "[ live ] # x\r\nenabled = true\r\n"],
    ["[live]\nenabled = true\n", false, "[live]\nenabled = false\n"],
    ["[context]\nwarn_threshold = 50\n", false, "[context]\nwarn_threshold = 50\n"],
    [`[live]\n${rest}`, false, `[live]\nenabled = false\n${rest}`],
  ];
  for (const [before, isLive, after] of cases) {
    inProject((project) => {
      if (before !== null) Deno.writeTextFileSync(project.user, before);
      const done = switchLive(isLive, locationOf(project), "user");
      const isChanged = after !== before;
      assertEquals(done, { file: project.user, isChanged, isNewlyTrusted: false });
      const text = existsSync(project.user) ? Deno.readTextFileSync(project.user) : null;
      assertEquals(text, after, String(before));
      assertEquals(loadContextConfig(locationOf(project)).live.enabled, isLive);
      assertEquals(names(project), after === null ? [] : ["trimtab.toml"]);
      assertEquals(existsSync(`${project.projectDir}/.claude/trimtab`), false);
    });
  }
});

Deno.test("switchLive() trusts a project's file, and keeps it trusted after a switch", () =>
  inProject((project) => {
    const location = locationOf(project);
    const change = (isLive: boolean): LiveSwitch => switchLive(isLive, location, "project");
    const isLive = (): boolean => loadContextConfig(location).live.enabled;
    Deno.writeTextFileSync(project.project, "[live]\nenabled = true\n");
    assertEquals(isLive(), false, "written by hand");
    assertEquals(change(true), { file: project.project, isChanged: false, isNewlyTrusted: true });
    assertEquals(isLive(), true);
    const text = "[live]\nenabled = true\n[context]\nwarn_threshold = 1\n";
    writeTrusted(project.project, text, location);
    assertEquals(change(false).isChanged, true);
    assertEquals(loadContextConfig(location).context.warn_threshold, 1, "trusted before and after");
    assertEquals([change(true).isNewlyTrusted, isLive()], [false, true]);
  }));

Deno.test("switchLive() switches shaping off for one project while it is on for all projects", () =>
  inProject((project) => {
    const location = locationOf(project);
    switchLive(true, location, "user");
    assertEquals(switchLive(false, location, "project").isChanged, true);
    assertEquals(loadContextConfig(location).live.enabled, false);
    assertEquals(Deno.readTextFileSync(project.project), "[live]\nenabled = false\n");
    assertEquals(switchLive(false, location, "project").isChanged, false, "already off");
  }));

Deno.test("switchLive() does not trust the other settings of a project's file", () =>
  inProject((project) => {
    const text = "[context]\nwarn_threshold = 1\n";
    Deno.writeTextFileSync(project.project, text);
    const on = (): LiveSwitch => switchLive(true, locationOf(project), "project");
    assertThrows(on, TypeError, "also sets context.warn_threshold");
    assertEquals(Deno.readTextFileSync(project.project), text);
    assertEquals(switchLive(false, locationOf(project), "project").isNewlyTrusted, false);
  }));

Deno.test("switchLive() refuses a file that it cannot change safely", () => {
  const refusal = (text: string): void =>
    inProject((project) => {
      Deno.writeTextFileSync(project.user, text);
      const error = text.startsWith("live.") ? TypeError : ConfigError;
      assertThrows(() => switchLive(true, locationOf(project), "user"), error, project.user);
      assertEquals(Deno.readTextFileSync(project.user), text);
    });
  refusal("live = { enabled = false }\n");
  refusal("live.enabled = false\n");
  refusal("not TOML");
  refusal("[context]\nwarn_threshold = 'x'\n");
  inProject((project) => {
    Deno.writeTextFileSync(`${project.projectDir}/x.toml`, "");
    Deno.symlinkSync(`${project.projectDir}/x.toml`, project.project);
    const change = (scope: "project" | "user", location: ConfigLocation) => () =>
      switchLive(true, location, scope);
    assertThrows(change("project", locationOf(project)), TypeError, "not a regular file");
    assertThrows(change("user", { ...project, configDir: undefined }), TypeError, "HOME");
  });
});

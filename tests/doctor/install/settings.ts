/**
 * Makes a folder with settings, and copies of trimtab to install there.
 *
 * @module
 */

import { ensureDirSync, existsSync } from "@std/fs";
import { install, type InstallOptions } from "../../../src/doctor/install/install.ts";
import { PLUGIN } from "../../plugin_copy.ts";

/** Start of the test clock, which each installation advances by one second. */
const START_MS = Date.parse("2026-03-01T12:00:00Z");

export interface SettingsPlace extends Disposable {
  readonly root: string;
  readonly folder: string;
  readonly path: string;
  write(text: string): void;
  /** Returns null if there are no settings. */
  read(): string | null;
  install(options?: Partial<InstallOptions>): ReturnType<typeof install>;
  trimtab(name: string): string;
}

export function newSettings(text?: string): SettingsPlace {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-care-" }));
  const folder = `${root}/.claude`;
  const path = `${folder}/settings.json`;
  let nowMs = START_MS;
  const place: SettingsPlace = {
    root,
    folder,
    path,
    write(settings): void {
      ensureDirSync(folder);
      Deno.writeTextFileSync(path, settings);
    },
    read(): string | null {
      if (!existsSync(path)) return null;
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Deno.readFileSync(path));
    },
    install: (options = {}) => install({ folder, root: PLUGIN, nowMs: nowMs += 1_000, ...options }),
    trimtab(name): string {
      const copy = `${root}/${name}`;
      for (const inner of ["bin", "hooks", "skills/trim", "skills/rollover"]) {
        ensureDirSync(`${copy}/${inner}`);
      }
      Deno.copyFileSync(`${PLUGIN}/bin/trimtab`, `${copy}/bin/trimtab`);
      Deno.copyFileSync(`${PLUGIN}/hooks/hooks.json`, `${copy}/hooks/hooks.json`);
      return copy;
    },
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
  if (text !== undefined) place.write(text);
  return place;
}

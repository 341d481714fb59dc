/**
 * Makes a healthy home folder with a project, a configuration folder and a minimal copy of trimtab.
 *
 * @module
 */

import { ensureDirSync } from "@std/fs";
import {
  type DoctorOptions,
  type DoctorReport,
  runDoctor,
} from "../../../src/doctor/check/doctor.ts";
import type { FindingId } from "../../../src/doctor/check/finding_kinds.ts";
import { parentPath } from "../../../src/store/paths.ts";

export const NOW = Date.now();
export const HOUR_MS = 60 * 60 * 1000;
export const ID = "11111111-0000-4000-8000-000000000000";
export const OTHER_ID = "22222222-0000-4000-8000-000000000000";

export class Home implements Disposable {
  readonly path: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-doctor-" }));
  readonly projectDir: string = `${this.path}/project`;
  readonly configDir: string = `${this.path}/config`;
  readonly root: string = `${this.path}/trimtab`;
  readonly sessions: string = `${this.configDir}/projects/${
    this.projectDir.replaceAll(/[^A-Za-z0-9]/g, "-")
  }`;

  constructor() {
    ensureDirSync(this.projectDir);
    ensureDirSync(this.configDir);
    const command = '/bin/sh "${CLAUDE_PLUGIN_ROOT}/bin/trimtab" hook session-start';
    const hooks = { SessionStart: [{ hooks: [{ type: "command", command, timeout: 10 }] }] };
    this.write("trimtab/bin/trimtab", "#!/bin/sh\n", { mode: 0o755 });
    this.write("trimtab/hooks/hooks.json", JSON.stringify({ hooks }));
    this.write("trimtab/skills/trim/SKILL.md", "");
  }

  /** Writes a file; by default, its last change was an hour and a half ago. */
  write(name: string, text: string, options: { mode?: number; ageMs?: number } = {}): string {
    const { mode = 0o600, ageMs = 1.5 * HOUR_MS } = options;
    const path = `${this.path}/${name}`;
    ensureDirSync(path.slice(0, path.lastIndexOf("/")));
    Deno.writeTextFileSync(path, text);
    Deno.chmodSync(path, mode);
    const time = new Date(NOW - ageMs);
    Deno.utimeSync(path, time, time);
    return path;
  }

  /** Writes one of trimtab's files below the project's `.claude`, in folders with mode 0700. */
  writeOwn(name: string, text: string, options: { mode?: number; ageMs?: number } = {}): string {
    const path = `project/.claude/${name}`;
    Deno.mkdirSync(`${this.path}/${parentPath(path)}`, { recursive: true, mode: 0o700 });
    return this.write(path, text, options);
  }

  session(lines: readonly unknown[], id = ID): string {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    ensureDirSync(this.sessions);
    return this.write(`${this.sessions.slice(this.path.length + 1)}/${id}.jsonl`, text);
  }

  doctor(options: Partial<DoctorOptions> = {}): DoctorReport {
    const { projectDir, configDir, root } = this;
    return runDoctor({ projectDir, configDir, root, nowMs: NOW, uid: null, ...options });
  }

  /** Returns findings as `id subject`, with the subject's path relative to the home folder. */
  found(options: Partial<DoctorOptions> = {}): string[] {
    return this.doctor(options).findings.map(({ id, subject }) => `${id} ${this.below(subject)}`)
      .sort();
  }

  /** Repairs the findings, and returns the remaining ones. Throws unless exactly `expected` was repaired. */
  fixed(...expected: FindingId[]): string[] {
    const { findings, fixed } = this.doctor({ fix: true });
    const done = findings.filter((finding) => finding.fixed === true).map(({ id }) => id).sort();
    if (fixed !== done.length || done.join() !== expected.sort().join()) {
      const facts = JSON.stringify({ fixed, done, expected });
      throw new Error(`The repairs differ from those expected: ${facts}`);
    }
    return this.found();
  }

  below(path: string): string {
    return path.startsWith(`${this.path}/`) ? path.slice(this.path.length + 1) : path;
  }

  contents(folder: string = this.path): string[] {
    return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
      const path = `${folder}/${name}`;
      const { mode, mtime, size } = Deno.lstatSync(path);
      if (isDirectory) return [`${path} ${mode}`, ...this.contents(path)];
      return [`${path} ${mode} ${mtime?.getTime()} ${size}`];
    }).sort();
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

/** Records trust in the current content of a project's configuration files. */

import { dropMark, isMarkedAsOwn, markAsOwn } from "../store/own_marks.ts";
import { type ConfigFile, type ConfigLocation, findConfigFiles } from "./files.ts";

export function isTrustedText(file: ConfigFile, text: string, location: ConfigLocation): boolean {
  return file.layer === "user" || location.isTrusted === true ||
    isMarkedAsOwn(location, configMarkName(file), text);
}

export function trustText(file: ConfigFile, text: string, location: ConfigLocation): void {
  markAsOwn(location, configMarkName(file), text);
}

export function distrust(location: ConfigLocation): void {
  for (const file of projectFiles(location)) dropMark(location.projectDir, configMarkName(file));
}

export function projectFiles(location: ConfigLocation): ConfigFile[] {
  return findConfigFiles(location).filter(({ layer }) => layer !== "user");
}

export function configMarkName({ layer }: ConfigFile): string {
  return `${layer}.toml`;
}

/** The folder of trimtab itself; null where a compiled executable does not know of one. */

import { readEnv } from "../store/paths.ts";

export function findRoot(): string | null {
  // The launcher tells an executable.
  if (Deno.build.standalone) return readEnv("TRIMTAB_ROOT") ?? null;
  const url = new URL("../..", import.meta.url);
  if (url.protocol !== "file:") return null;
  const path = decodeURIComponent(url.pathname).replace(/\/$/, "");
  return Deno.build.os === "windows" ? path.replace(/^\/(?=[A-Za-z]:)/, "") : path;
}

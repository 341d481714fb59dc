import { isFile } from "../store/exists.ts";
import { joinPath, readEnv } from "../store/paths.ts";

/** Returns null in a bundle, and in an executable that runs without the launcher. */
export function findRoot(): string | null {
  // The launcher passes the folder to an executable.
  if (Deno.build.standalone) return readEnv("TRIMTAB_ROOT") ?? null;
  const url = new URL("../..", import.meta.url);
  if (url.protocol !== "file:") return null;
  const path = decodeURIComponent(url.pathname).replace(/\/$/, "");
  const root = Deno.build.os === "windows" ? path.replace(/^\/(?=[A-Za-z]:)/, "") : path;
  return isFile(joinPath(root, "bin", "trimtab")) ? root : null;
}

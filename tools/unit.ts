/**
 * Runs all tests except those with the real client, or the tests of the named folders.
 *
 *     deno task unit                 all folders of tests/ except e2e
 *     deno task unit saved hooks     the named folders
 */

import { existsSync } from "@std/fs";

const SLOW = ["tests/e2e"];
const FLAGS = ["test", "--no-prompt", "--allow-all", "--parallel"];

export function unitArguments(rooms: readonly string[]): string[] {
  const flags = rooms.filter((room) => room.startsWith("-"));
  const folders = rooms.filter((room) => !room.startsWith("-")).map((room) => `tests/${room}`);
  const missing = folders.find((folder) => !existsSync(folder));
  if (missing !== undefined) throw new RangeError(`Cannot run tests: there is no ${missing}`);
  const selection = folders.length > 0 ? folders : ["tests/", `--ignore=${SLOW.join(",")}`];
  return [...FLAGS, ...flags, ...selection];
}

if (import.meta.main) {
  try {
    const command = new Deno.Command(Deno.execPath(), { args: unitArguments(Deno.args) });
    Deno.exit((await command.spawn().status).code);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    Deno.exit(2);
  }
}

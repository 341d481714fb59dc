import { assertEquals } from "@std/assert";
import { projectFolderName } from "../../src/transcript/find.ts";
import { projectSessions } from "../../src/transcript/find.ts";

const ID = "11111111-0000-4000-8000-00000000000";

/** Lists the sessions of a project by the last digits of their ids, given what the client keeps. */
function found(
  project: string,
  sessions: readonly (readonly [folder: string, n: number, cwd?: string])[],
  prepare: (root: string) => void = () => {},
): string[] {
  const root = Deno.realPathSync(Deno.makeTempDirSync()).replaceAll("\\", "/");
  try {
    for (const [folder, n, cwd] of sessions) {
      const own = `${root}/config/projects/${folder.replace("OWN", projectFolderName(root))}`;
      Deno.mkdirSync(own, { recursive: true });
      const text = cwd === undefined ? "{}" : JSON.stringify({ cwd: cwd.replace("ROOT", root) });
      Deno.writeTextFileSync(`${own}/${ID}${n}.jsonl`, `${text}\n`);
      Deno.utimeSync(`${own}/${ID}${n}.jsonl`, n, n);
    }
    prepare(root);
    const place = { projectDir: root + project, configDir: `${root}/config` };
    return projectSessions(place).map(({ id, bytes, modifiedMs }) =>
      `${id.slice(-1)} ${bytes > 0} ${modifiedMs}`
    );
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

Deno.test("projectSessions() lists what the client keeps for the folder, the newest first", () => {
  const sessions = [
    ["OWN-p", 1, "ROOT/p"],
    ["OWN-p", 3],
    // Somebody brought it along from another machine.
    ["OWN-p", 2, "/elsewhere"],
    ["OWN-p-sub", 4, "ROOT/p"],
  ] as const;
  assertEquals(found("/p", sessions), ["3 true 3000", "2 true 2000", "1 true 1000"]);
  assertEquals(projectSessions({ projectDir: "/p", configDir: undefined }), []);
});

Deno.test("projectSessions() finds those of a long path by what they say", () => {
  const long = `/${"long/".repeat(50)}project`;
  const folder = `OWN${projectFolderName(long)}`.slice(0, 160) + "-hash";
  const sessions = [
    [folder, 1, `ROOT${long}`],
    [folder, 2, "/p"],
    ["other", 3, `ROOT${long}`],
  ] as const;
  assertEquals(found(long, sessions), ["1 true 1000"]);
});

Deno.test({
  name: "projectSessions() knows a project by the path that a link to it leads to",
  ignore: Deno.build.os === "windows",
  fn: () => {
    const sessions = [["OWN-real", 1], ["OWN-link", 2], ["OWN-other", 3]] as const;
    const prepare = (root: string): void => {
      Deno.mkdirSync(`${root}/real`);
      Deno.symlinkSync(`${root}/real`, `${root}/link`);
    };
    assertEquals(found("/link", sessions, prepare), ["2 true 2000", "1 true 1000"]);
  },
});

Deno.test("projectSessions() passes over what is no transcript", () => {
  const prepare = (root: string): void => {
    const folder = `${root}/config/projects/${projectFolderName(root)}-p`;
    Deno.writeTextFileSync(`${folder}/notes.jsonl`, "{}\n");
    Deno.mkdirSync(`${folder}/${ID}8.jsonl`);
  };
  assertEquals(found("/p", [["OWN-p", 1]], prepare), ["1 true 1000"]);
});

/**
 * Makes a home folder for one test: the client's configuration and a project folder, without the real user's
 * files.
 */

import { denoDir } from "../../../tools/child.ts";

/** The home's configuration approves this key, so the client does not ask about it. */
const MOCK_KEY = "sk-mock";

const REMOVE_ATTEMPTS = 100;
const REMOVE_PAUSE_MS = 100;

export interface TestHome extends Disposable {
  home: string;
  /** `<home>/.claude` */
  config: string;
  cwd: string;
  /** The client's folder for the transcripts of `cwd`. */
  sessions: string;
  /** @default `MODEL` of client.ts */
  model?: string;
}

/**
 * Makes a home in which the client starts without asking any questions. Disposing of the home removes it. The
 * settings become `<config>/settings.json`.
 */
export function newHome(settings?: Record<string, unknown>): TestHome {
  // Resolves links, as the client does when it builds the name of the sessions folder.
  const home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-e2e-" }));
  const [config, cwd] = [`${home}/.claude`, `${home}/project`];
  const sessions = `${config}/projects/${cwd.replace(/[^A-Za-z0-9]/g, "-")}`;
  for (const folder of [config, cwd, sessions, `${home}/tmp`]) {
    Deno.mkdirSync(folder, { recursive: true });
  }
  // Marks trimtab's welcome as shown; otherwise, it appears in a user's first sessions.
  Deno.mkdirSync(`${config}/trimtab/told`, { recursive: true });
  Deno.writeTextFileSync(`${config}/trimtab/told/welcome`, "");
  const state = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [MOCK_KEY], rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  Deno.writeTextFileSync(`${home}/.claude.json`, JSON.stringify(state));
  if (settings !== undefined) {
    Deno.writeTextFileSync(`${config}/settings.json`, JSON.stringify(settings));
  }
  const remove = (): void => removeWithRetries(home);
  return { home, config, cwd, sessions, [Symbol.dispose]: remove };
}

/** Tries again, since a program that is ending may still write to the folder. */
export function removeWithRetries(folder: string): void {
  for (let attempt = 1;; attempt++) {
    try {
      return Deno.removeSync(folder, { recursive: true });
    } catch (error) {
      if (attempt === REMOVE_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REMOVE_PAUSE_MS);
    }
  }
}

export interface EnvironmentOptions {
  /** Whether the client finds `deno` on its PATH. @default true */
  withDeno?: boolean;
  env?: Record<string, string>;
}

/** Returns the whole environment: the client inherits no variables. */
export function environmentOf(
  home: TestHome,
  mockUrl: string,
  options: EnvironmentOptions = {},
): Record<string, string> {
  const system = "/usr/bin:/bin";
  const deno = Deno.execPath().replace(/\/[^/]*$/, "");
  return {
    HOME: home.home,
    // With an empty cache, Deno would compile the plugin at each start, and download a package.
    DENO_DIR: denoDir(),
    PATH: options.withDeno === false ? system : `${deno}:${system}`,
    TMPDIR: `${home.home}/tmp`,
    LANG: "C.UTF-8",
    ANTHROPIC_BASE_URL: mockUrl,
    ANTHROPIC_API_KEY: MOCK_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
    // Without this, the client refuses some modes to root.
    IS_SANDBOX: "1",
    ...options.env,
  };
}

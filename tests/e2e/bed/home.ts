/**
 * A home folder for one test: the client's configuration and a project folder, without the real user's files.
 *
 * @module
 */

/** The API key for the mock; the home is prepared so that the client does not ask about it. */
export const MOCK_KEY = "sk-mock";

const REMOVE_ATTEMPTS = 100;
const REMOVE_PAUSE_MS = 100;

/** The folders of one test. */
export interface TestHome extends Disposable {
  home: string;
  /** The client's configuration, `<home>/.claude`. */
  config: string;
  /** The project that the client starts in. */
  cwd: string;
  /** The folder of the sessions of `cwd`. */
  sessions: string;
  /** The model of clients in this home. @default that of all tests */
  model?: string;
}

/**
 * Makes a home in which the client starts without asking anything.
 *
 * Needs `--allow-write` of the temporary folder.
 *
 * @param settings The content of `<config>/settings.json`, if any.
 * @returns The folders; disposing of them removes them.
 */
export function newHome(settings?: Record<string, unknown>): TestHome {
  // Resolves links, as the client does when it names the folder of the sessions.
  const home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-e2e-" }));
  const [config, cwd] = [`${home}/.claude`, `${home}/project`];
  const sessions = `${config}/projects/${cwd.replace(/[^A-Za-z0-9]/g, "-")}`;
  for (const folder of [config, cwd, sessions, `${home}/tmp`]) {
    Deno.mkdirSync(folder, { recursive: true });
  }
  // Marks the welcome as shown, which trimtab prints in the first sessions.
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
  const remove = (): void => removeBusy(home);
  return { home, config, cwd, sessions, [Symbol.dispose]: remove };
}

/** Removes a folder that an ending program may still write to. */
function removeBusy(folder: string): void {
  for (let attempt = 1;; attempt++) {
    try {
      return Deno.removeSync(folder, { recursive: true });
    } catch (error) {
      if (attempt === REMOVE_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REMOVE_PAUSE_MS);
    }
  }
}

/** Parts of the environment that a test may set. */
export interface EnvironmentOptions {
  /** Whether the client finds `deno` on its PATH. @default true */
  withDeno?: boolean;
  /** Variables that override all others. */
  env?: Record<string, string>;
}

/**
 * The whole environment of a client under test; it inherits no variables.
 *
 * @param home From {@link newHome}.
 * @param mockUrl The mock's address.
 * @param options See {@link EnvironmentOptions}.
 * @returns Names and values.
 */
export function environmentOf(
  home: TestHome,
  mockUrl: string,
  options: EnvironmentOptions = {},
): Record<string, string> {
  const system = "/usr/bin:/bin";
  const deno = Deno.execPath().replace(/\/[^/]*$/, "");
  return {
    HOME: home.home,
    PATH: options.withDeno === false ? system : `${deno}:${system}`,
    TMPDIR: `${home.home}/tmp`,
    LANG: "C.UTF-8",
    ANTHROPIC_BASE_URL: mockUrl,
    ANTHROPIC_API_KEY: MOCK_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // A background fetch would outlive the home that it writes to.
    TRIMTAB_NO_FETCH: "1",
    // Without this, the client refuses some modes to root.
    IS_SANDBOX: "1",
    ...options.env,
  };
}

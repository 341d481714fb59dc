/**
 * Drives a headless Chromium over its DevTools protocol.
 *
 * The tests need only a few messages, which do not justify a package of 30 MB.
 */

import { isObject, type JsonObject } from "../../../src/core/record.ts";
import { unlessMissing } from "../../../src/store/exists.ts";
import { findProgram } from "../../../src/store/programs.ts";
import { removeWithRetries } from "./home.ts";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome"];

/** Timeout for a browser that hangs; generous, because the machine may be busy. */
const TIMEOUT_MS = 60_000;

const POLL_MS = 25;

/** Width and height are in pixels. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly isDark?: boolean;
}

export interface BrowserPage {
  readonly problems: readonly string[];
  /** Addresses that the page requested, beginning with its own. */
  readonly requests: readonly string[];
  open(url: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  /**
   * Evaluates an expression until `accept` returns true, because a page takes a few frames to show a change.
   */
  waitFor(expression: string, accept: (value: unknown) => boolean): Promise<unknown>;
  setView(view: View): Promise<void>;
  press(key: string): Promise<void>;
}

export interface Browser extends AsyncDisposable {
  newPage(view: View): Promise<BrowserPage>;
}

export function findChromium(): string | null {
  const path = Deno.env.get("PATH");
  return PROGRAMS.map((name) => findProgram(name, path)).find((found) => found !== null) ?? null;
}

/** Disposing of the browser ends its process and removes its profile. */
export async function openBrowser(program: string): Promise<Browser> {
  const profile = Deno.makeTempDirSync({ prefix: "trimtab-chromium-" });
  const child = new Deno.Command(program, {
    args: [
      "--headless=new",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-extensions",
      "--disable-background-networking",
      "--disable-component-update",
      "--no-first-run",
      "--hide-scrollbars",
      "--force-color-profile=srgb",
      "about:blank",
    ],
    env: { HOME: profile },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const end = async (): Promise<void> => {
    try {
      child.kill("SIGKILL");
    } catch {
      // The process has already ended.
    }
    await child.stderr.cancel().catch(() => {});
    await child.status;
    removeWithRetries(profile);
  };
  try {
    const link = await Connection.open(await addressOf(profile));
    return {
      newPage: (view) => newPage(link, view),
      async [Symbol.asyncDispose](): Promise<void> {
        link.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function newPage(link: Connection, view: View): Promise<BrowserPage> {
  const { targetId } = await link.call("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await link.call("Target.attachToTarget", { targetId, flatten: true });
  const session = String(sessionId);
  const call = (method: string, params: Params = {}): Promise<Params> =>
    link.call(method, params, session);
  const problems: string[] = [];
  const requests: string[] = [];
  let onLoad: (() => void) | undefined;
  link.listen(session, (method, params) => {
    if (method === "Network.requestWillBeSent") requests.push(urlOf(params));
    if (method === "Page.loadEventFired") onLoad?.();
    if (/^(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded)$/.test(method)) {
      problems.push(JSON.stringify(params).slice(0, 600));
    }
  });
  for (const domain of ["Page", "Runtime", "Network", "Log"]) await call(`${domain}.enable`);
  const setView = async ({ width, height, isDark = false }: View): Promise<void> => {
    await call("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
    const value = isDark ? "dark" : "light";
    await call("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value }],
    });
  };
  const evaluate = async (expression: string): Promise<unknown> => {
    const params = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await call("Runtime.evaluate", params);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return isObject(result) ? result.value : undefined;
  };
  await setView(view);
  return {
    problems,
    requests,
    setView,
    evaluate,
    async waitFor(expression, accept): Promise<unknown> {
      const deadline = performance.now() + TIMEOUT_MS;
      while (true) {
        const value = await evaluate(expression);
        if (accept(value)) return value;
        if (performance.now() > deadline) {
          throw new Error(`Cannot see the expected value: ${expression} is still ${value}`);
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    async open(url): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      onLoad = resolve;
      await call("Page.navigate", { url });
      await promise;
    },
    async press(key): Promise<void> {
      for (const type of ["keyDown", "keyUp"]) {
        await call("Input.dispatchKeyEvent", { type, key, code: key, ...keyCode(key) });
      }
    },
  };
}

/** Chromium ignores some named keys that come without their key code. */
function keyCode(key: string): Params {
  const codes: Record<string, number> = { Tab: 9, Enter: 13, Escape: 27 };
  const code = codes[key];
  return code === undefined ? {} : { windowsVirtualKeyCode: code };
}

type Params = JsonObject;
type Listener = (method: string, params: Params) => void;

class Connection {
  readonly #socket: WebSocket;
  readonly #open = new Map<number, PromiseWithResolvers<Params>>();
  readonly #listeners = new Map<string, Listener>();
  #id = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)));
    socket.onclose = () => {
      for (const { reject } of this.#open.values()) reject(new Error("the browser has ended"));
    };
  }

  static async open(address: string): Promise<Connection> {
    const socket = new WebSocket(address);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error(`Cannot connect to ${address}`));
    await promise;
    return new Connection(socket);
  }

  async call(method: string, params: Params, sessionId?: string): Promise<Params> {
    const id = ++this.#id;
    const waiting = Promise.withResolvers<Params>();
    this.#open.set(id, waiting);
    const message = { id, method, params, ...(sessionId === undefined ? {} : { sessionId }) };
    this.#socket.send(JSON.stringify(message));
    const timer = setTimeout(
      () => waiting.reject(new Error(`${method} took over ${TIMEOUT_MS} ms`)),
      TIMEOUT_MS,
    );
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
      this.#open.delete(id);
    }
  }

  listen(sessionId: string, listener: Listener): void {
    this.#listeners.set(sessionId, listener);
  }

  close(): void {
    this.#socket.close();
  }

  #take(message: unknown): void {
    if (!isObject(message)) return;
    const { id, result, error, method, params, sessionId } = message;
    if (typeof id === "number") {
      const waiting = this.#open.get(id);
      if (error === undefined) waiting?.resolve(isObject(result) ? result : {});
      else waiting?.reject(new Error(JSON.stringify(error)));
    } else if (typeof method === "string") {
      this.#listeners.get(String(sessionId))?.(method, isObject(params) ? params : {});
    }
  }
}

/** The browser writes its address to a file once it accepts connections. */
async function addressOf(profile: string): Promise<string> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    const text = unlessMissing(() => Deno.readTextFileSync(`${profile}/DevToolsActivePort`));
    const [port, path = ""] = text?.split("\n") ?? [];
    if (/^\/devtools\/browser\/[\da-f-]{36}$/.test(path)) return `ws://127.0.0.1:${port}${path}`;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`Cannot start Chromium: it was not ready after ${TIMEOUT_MS} ms`);
}

function urlOf(params: Params): string {
  return isObject(params.request) ? String(params.request.url) : "";
}

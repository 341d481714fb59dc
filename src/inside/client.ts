/** Declares the part of the client's interface that the module uses. A test compares it with the client's own. */

import type { JsonObject } from "../core/record.ts";

export interface CallRow {
  tool_use_id: string;
  tool: string;
  input: JsonObject;
}

export interface ResultRow {
  tool_use_id: string;
  text: string;
  isError: boolean;
}

/** One message of the conversation, without thinking, images or documents. */
export interface Row {
  role: "user" | "assistant";
  text: string;
  toolUses: CallRow[];
  toolResults?: ResultRow[];
  /** UUID of the row's transcript entry, if the client provided it. */
  handle?: string;
}

export type Rows = readonly Readonly<Row>[];

export interface CompactEvent {
  readonly trigger: "manual" | "auto" | "plugin" | "precompute";
  /** Absent for the main conversation. */
  readonly agentId?: string;
  readonly instructions?: string;
  readonly messages: Rows;
}

export type CompactAnswer =
  | { readonly messages: readonly Row[]; readonly skip?: undefined }
  | { readonly skip: string; readonly messages?: undefined };

export interface CommandEvent {
  readonly command: string;
  readonly args: string;
}

export interface CommandAnswer {
  text?: string;
  isTextDisplayOnly?: true;
}

export interface ContextFill {
  /** Tokens of the last request; absent until a request has been answered. */
  readonly tokens?: number;
  readonly window: number;
  readonly breakdown?: {
    /** The window that compaction is measured against, in tokens. */
    readonly rawMaxTokens: number;
    /** Tokens at which the client may compact on its own; absent if it never does. See `compactionPoint`. */
    readonly autoCompactThreshold?: number;
    readonly categories: readonly {
      readonly name: string;
      readonly tokens: number;
      readonly kind: string;
    }[];
  };
}

/** A message as the client sends it to the API, with all its blocks. */
export interface ApiMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly JsonObject[];
}

export interface ClassicEvent {
  readonly hook_event_name: string;
  readonly session_id: string;
  /** Absent for the main conversation. */
  readonly agent_id?: string;
  readonly source?: string;
  /** Whether the first request of a resumed session is likely to rewrite the prompt cache. */
  readonly prompt_cache_likely_expired?: boolean;
}

export interface ClassicAnswer {
  readonly additionalContext?: readonly string[];
}

/** The arguments of the call are keys of the event itself. */
export interface ToolEvent {
  readonly tool: string;
  readonly [argument: string]: unknown;
}

export type ToolAnswer =
  | { readonly result: unknown; readonly deny?: undefined }
  | { readonly deny: string; readonly result?: undefined };

export interface Verdict {
  readonly decision: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** The rule that decided; absent if the permission mode decided. */
  readonly rule?: string;
  readonly plugin?: string;
  /** The most permissive decision that the organization allows. */
  readonly ceiling?: "allow" | "ask" | "deny";
}

export interface FileStat {
  readonly kind: "file" | "dir" | "other";
  readonly size: number;
  readonly mtimeMs: number;
  readonly isLink: boolean;
  /** The path with links resolved. Present only if requested. */
  readonly realPath?: string;
}

export interface Client {
  readonly session: {
    id(): Promise<string>;
    root(): Promise<string>;
    model(): Promise<string>;
    surfaces(): Promise<readonly string[]>;
    info(): Promise<{ readonly transcriptPath: string }>;
    usage(args?: { breakdown: "summary" }): Promise<{ readonly context: ContextFill }>;
    append(args: { message: { type: "user"; content: JsonObject[] } }): Promise<unknown>;
    messages(args: { as: "api" }): Promise<readonly ApiMessage[]>;
    messages(args: { last: number }): Promise<readonly (Row & { uuid?: string })[]>;
  };
  readonly env: {
    get(
      name: "CLAUDE_CODE_ENTRYPOINT" | "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
    ): Promise<string | undefined>;
    set(name: "TRIMTAB_INSIDE", value: string | undefined): Promise<{ readonly deny?: string }>;
  };
  readonly command: {
    run(args: { command: string; args?: string }): Promise<CommandAnswer>;
  };
  readonly tool: {
    register(spec: {
      readonly name: string;
      readonly description: string;
      readonly inputSchema: Record<string, unknown>;
      /** Whether the model must find the tool through a search before it can call it. */
      readonly isDeferred: boolean;
    }): Promise<unknown>;
    call(call: { readonly tool: "Read"; readonly [argument: string]: unknown }): Promise<unknown>;
    check(call: { readonly tool: string; readonly input: unknown }): Promise<Verdict>;
  };
  readonly fs: {
    read(
      path: string,
      options: { as: "bytes"; offset?: number; length?: number },
    ): Promise<{ readonly base64: string }>;
    read(path: string, options: { as: "text"; offset: number; length: number }): Promise<string>;
    write(path: string, text: string): Promise<void>;
    list(path: string): Promise<
      readonly {
        readonly name: string;
        readonly kind: FileStat["kind"];
        readonly isLink: boolean;
      }[]
    >;
    exists(path: string): Promise<boolean>;
    stat(path: string, options?: { resolve: true }): Promise<FileStat>;
  };
  readonly process: {
    run(
      argv: readonly string[],
      options: { env: Record<string, string>; stdin: string; timeoutMs: number },
    ): Promise<{ readonly stdout: string }>;
    hookEnv(): Promise<Record<string, string>>;
  };
  readonly prompt: {
    read(): Promise<{ readonly text: string }>;
    fill(input: { text: string }): Promise<unknown>;
  };
  readonly ui: {
    log(text: string, options?: { to?: "transcript" | "debug" }): void;
    status(text: string | undefined): void;
  };
  readonly clock: {
    now(): Promise<number>;
    after(ms: number, fn: () => unknown): unknown;
  };
}

export type NextHandler<E, A> = (event: E) => Promise<A>;

export type Hook<E, A> = (client: Client, event: E, next: NextHandler<E, A>) => Promise<A>;

interface Registered {
  /** The handler's answer replaces the hook's; after `undefined`, the client continues without the hook. */
  catch(handler: (client: unknown, event: unknown) => unknown): void;
}

type Measured = { readonly changed: readonly string[] };

export interface On {
  (event: "session.start", hook: Hook<unknown, { cwd: string }>): Registered;
  (
    event:
      | "classic.UserPromptSubmit"
      | "classic.PostToolBatch"
      | "classic.SessionStart"
      | "classic.Stop",
    hook: Hook<ClassicEvent, ClassicAnswer>,
  ): Registered;
  (
    event: "turn.complete",
    hook: Hook<{ readonly agentId?: string; readonly reason: string }, { text: string }>,
  ): Registered;
  (event: "session.end", hook: Hook<unknown, void>): Registered;
  (event: "tool.call", matcher: { tool: string }, hook: Hook<ToolEvent, ToolAnswer>): Registered;
  (event: "session.measure", hook: Hook<Measured, Measured>): Registered;
  (event: "session.compact", hook: Hook<CompactEvent, CompactAnswer>): Registered;
  (
    event: "command.run",
    matcher: { command: string },
    hook: Hook<CommandEvent, CommandAnswer>,
  ): Registered;
}

/**
 * The part of the client's interface that the module uses.
 *
 * The client declares far more, and its declarations are the authority: a test of the gate holds
 * these types against them where the client is installed.
 */

import type { JsonObject } from "../transcript/entry.ts";

/** A call of a tool as a row of the conversation holds it. */
export interface CallRow {
  tool_use_id: string;
  tool: string;
  input: JsonObject;
}

/** A tool's result as a row of the conversation holds it. */
export interface ResultRow {
  tool_use_id: string;
  /** Text that the model read: the text blocks, joined. */
  text: string;
  /** Whether the tool failed. */
  isError: boolean;
}

/** One message of the conversation. It has no thinking, no picture and no document. */
export interface Row {
  /** The speaker. */
  role: "user" | "assistant";
  text: string;
  toolUses: CallRow[];
  toolResults?: ResultRow[];
  /** The uuid of its entry in the transcript, where the client handed it out. */
  handle?: string;
}

/** A compaction that is about to happen. */
export interface CompactEvent {
  /** The origin of the request: `precompute` only prepares one. */
  readonly trigger: "manual" | "auto" | "plugin" | "precompute";
  /** The subagent whose conversation it is; left out for the main one. */
  readonly agentId?: string;
  /** Arguments of `/compact`. */
  readonly instructions?: string;
  readonly messages: readonly Readonly<Row>[];
}

/** Answer to a compaction: the new conversation, or the reason to skip it. */
export type CompactAnswer =
  | { readonly messages: readonly Row[]; readonly skip?: undefined }
  | { readonly skip: string; readonly messages?: undefined };

/** A slash command that is about to run. */
export interface CommandEvent {
  /** Its name without the slash, with the plugin's before it. */
  readonly command: string;
  /** The text after the command's name. */
  readonly args: string;
}

export interface CommandAnswer {
  /** Text that the person reads. */
  text?: string;
  /** Whether the model never reads it. */
  isTextDisplayOnly?: true;
}

/** Fill of the window, as the status line has it. */
export interface ContextFill {
  /** Tokens of the last request; unknown until one was answered. */
  readonly tokens?: number;
  /** The model's window, in tokens. */
  readonly window: number;
  /** Counts by category, if they were asked for. */
  readonly breakdown?: {
    /** The window that decides about a compaction, in tokens. */
    readonly rawMaxTokens: number;
    /** From how many tokens on the client compacts by itself; left out where it does not. */
    readonly autoCompactThreshold?: number;
    /** Tokens in use and reserved, by category. */
    readonly categories: readonly {
      readonly name: string;
      readonly tokens: number;
      readonly kind: string;
    }[];
  };
}

/** A message as the API gets it, blocks and all. */
export interface ApiMessage {
  /** The speaker. */
  readonly role: "user" | "assistant";
  readonly content: readonly JsonObject[];
}

/** A tool of the module's own. */
export interface ToolSpec {
  /** Its name, without the plugin's before it. */
  readonly name: string;
  /** Text that the model reads. */
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  /** Whether the model has to search for it. */
  readonly isDeferred: boolean;
}

/** Payload of the client's hooks for a prompt or a batch of calls. */
export interface ClassicEvent {
  readonly hook_event_name: string;
  readonly session_id: string;
  /** The subagent that it is about; left out for the main conversation. */
  readonly agent_id?: string;
  /** By what a conversation starts, where one does. */
  readonly source?: string;
  /** Whether the first request of a resumed session rewrites the prompt cache. */
  readonly prompt_cache_likely_expired?: boolean;
}

/** A turn that has ended. */
export interface TurnEvent {
  /** The subagent whose turn it was; left out for the main conversation. */
  readonly agentId?: string;
  readonly reason: string;
}

/** A session that ends; after a `/clear` the client goes on under another id. */
export interface EndEvent {
  readonly reason: string;
  readonly sessionId: string;
}

/** Answer of such hooks. */
export interface ClassicAnswer {
  /** Text that the model gets with the event. */
  readonly additionalContext?: readonly string[];
}

/** A call of a tool, with its arguments beside. */
export interface ToolEvent {
  readonly tool: string;
  readonly [argument: string]: unknown;
}

export type ToolAnswer =
  | { readonly result: unknown; readonly deny?: undefined }
  | { readonly deny: string; readonly result?: undefined };

/** The permission rules' answer for a call. */
export interface Verdict {
  readonly decision: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** The rule that decided; left out where the permission mode did. */
  readonly rule?: string;
  /** The plugin that decided. */
  readonly plugin?: string;
  /** The most that an organization allows. */
  readonly ceiling?: "allow" | "ask" | "deny";
}

/** The target of a path. */
export interface FileStat {
  readonly kind: "file" | "dir" | "other";
  readonly size: number;
  readonly mtimeMs: number;
  /** Whether the path itself is a link. */
  readonly isLink: boolean;
  /** Where it lands, if that was asked for. */
  readonly realPath?: string;
}

/** The client, as far as the module uses it. */
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
  /** The environment of what the client starts. */
  readonly env: {
    get(name: "CLAUDE_CODE_ENTRYPOINT"): Promise<string | undefined>;
    set(name: "TRIMTAB_INSIDE", value: string | undefined): Promise<{ readonly deny?: string }>;
  };
  readonly command: {
    run(args: { command: string; args?: string }): Promise<CommandAnswer>;
  };
  readonly tool: {
    register(spec: ToolSpec): Promise<unknown>;
    call(call: { readonly tool: "Read"; readonly [argument: string]: unknown }): Promise<unknown>;
    /** Checks a call against the permission rules; neither runs it nor asks the user. */
    check(call: { readonly tool: string; readonly input: unknown }): Promise<Verdict>;
  };
  readonly fs: {
    read(
      path: string,
      options: { as: "bytes"; offset?: number; length?: number },
    ): Promise<{ readonly base64: string }>;
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
    ): Promise<{ readonly exitCode: number; readonly stdout: string }>;
    hookEnv(): Promise<Record<string, string>>;
  };
  /** The box that the person types in. */
  readonly prompt: {
    read(): Promise<{ readonly text: string }>;
    fill(input: { text: string }): Promise<unknown>;
  };
  /** Text that the person sees. */
  readonly ui: {
    log(text: string, options?: { to?: "transcript" | "debug" }): void;
    status(text: string | undefined): void;
  };
  readonly clock: {
    now(): Promise<number>;
    sleep(ms: number): Promise<void>;
    after(ms: number, fn: () => unknown): unknown;
  };
}

/** Goes on with what the client would do without the hook. */
export type Next<E, A> = (event: E) => Promise<A>;

/** A measurement of the session. */
export interface MeasureEvent {
  /** Fill of the window. */
  readonly context: ContextFill;
  /** Differences from the one before. */
  readonly changed: readonly string[];
}

/** A hook, and what it is given. */
export type Hook<E, A> = (client: Client, event: E, next: Next<E, A>) => Promise<A>;

/** A hook that is registered. */
export interface Registered {
  /** Names what answers where the hook has failed; `undefined` goes on as if it were not there. */
  catch(handler: (client: unknown, event: unknown) => unknown): void;
}

/** Registers a hook. */
export interface On {
  (
    event: "session.start",
    hook: Hook<unknown, { cwd: string }>,
  ): Registered;
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
    hook: Hook<TurnEvent, { text: string }>,
  ): Registered;
  (event: "session.end", hook: Hook<EndEvent, void>): Registered;
  (
    event: "tool.call",
    matcher: { tool: string },
    hook: Hook<ToolEvent, ToolAnswer>,
  ): Registered;
  (
    event: "session.measure",
    hook: Hook<MeasureEvent, { changed: readonly string[] }>,
  ): Registered;
  (
    event: "session.compact",
    hook: Hook<CompactEvent, CompactAnswer>,
  ): Registered;
  (
    event: "command.run",
    matcher: { command: string },
    hook: Hook<CommandEvent, CommandAnswer>,
  ): Registered;
}

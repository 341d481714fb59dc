import { sizeInKb } from "../inject/bound.ts";
import { DEFAULT_CONFIG } from "../config/schema.ts";
import { gaugeSession } from "../gauge/session_pressure.ts";
import {
  DEFAULT_MAX_TOKENS,
  type MonitorLevel,
  TokenMonitor,
  type UsageStats,
} from "./token_monitor.ts";
import { type EnvReader, projectOf } from "../store/paths.ts";
import { findCurrentSessionFile, sessionIdOf } from "../transcript/find.ts";
import { readNewestUsage } from "../gauge/running_usage.ts";
import { ContextExtractor, type SnapshotMakerOptions } from "./context_extractor.ts";
import { ContextRehydrator, type ListedSnapshot, toListed } from "./context_rehydrator.ts";
import { extractState } from "../extract/extract_state.ts";
import { type RehydrationLevel, requireLevel } from "../saved/views/rehydrated.ts";
import { contentOf, type SnapshotContent } from "../saved/save.ts";
import { findSaveToRestore } from "../saved/restore_point.ts";
import { readableSaves } from "../saved/store.ts";
import { COMPONENTS } from "../verbs/snapshot.ts";

/** Arguments of an action. */
export interface ContextSkillArgs {
  /** `status`: the tokens in context. @default {read from the session's transcript} */
  readonly current_tokens?: number;
  /** `status`: the window, in tokens. @default {1000000 with `current_tokens`, otherwise the session's limit} */
  readonly max_tokens?: number;
  /** `snapshot`: a name for finding the snapshot. */
  readonly name?: string | null;
  /** `snapshot`: the conversation. @default {the session's transcript} */
  readonly conversation?: readonly object[];
  /** `status` and `snapshot`: the transcript. @default {the current session's transcript} */
  readonly transcript?: string;
  /** `rehydrate`: `latest`, an id, a name or a path. @default {"latest"} */
  readonly snapshot_id?: string;
  /** `rehydrate`: the level of detail. @default {"standard"} */
  readonly level?: RehydrationLevel;
}

/** The result of `status`. */
export interface StatusResult {
  /** The level of the usage. */
  readonly status: MonitorLevel;
  /** The usage of the window. */
  readonly usage: UsageStats;
}

/** The result of `snapshot`. */
export interface SnapshotResult {
  /** Confirms that the snapshot was written. */
  readonly status: "success";
  /** The snapshot. */
  readonly snapshot: {
    /** The id. */
    readonly snapshot_id: string;
    /** The name; `null` if the snapshot has none. */
    readonly name: string | null;
    /** The path of the snapshot's file. */
    readonly file_path: string;
    /** Estimated tokens of the snapshot. */
    readonly token_count: number;
    /** Names of the snapshot's parts, the same for every snapshot. */
    readonly components: readonly string[];
  };
  /** The recommended next step. */
  readonly recommendation: string;
}

/** The result of `list`. */
export interface ListResult {
  /** The snapshots, newest first. */
  readonly snapshots: readonly ListedSnapshot[];
  /** The number of snapshots. */
  readonly count: number;
  /** The total size of the snapshots' files, such as `37KB`. */
  readonly total_size: string;
}

/** The result of each action. */
export interface ContextSkillResults {
  /** The usage of the window. */
  readonly status: StatusResult;
  /** The saved snapshot. */
  readonly snapshot: SnapshotResult;
  /** The rendered snapshot. */
  readonly rehydrate: string;
  /** The readable snapshots. */
  readonly list: ListResult;
}

/** One of the four actions. */
export type ContextSkillAction = keyof ContextSkillResults;

/** Options for an orchestrator. */
export interface OrchestratorOptions extends SnapshotMakerOptions {
  /** Finds the transcript of the current session. @default {findCurrentSessionFile} */
  readonly findTranscript?: () => string | null;
  /** Reads environment variables. @default {readEnv} */
  readonly env?: EnvReader;
}

/**
 * Runs the four actions: `status`, `snapshot`, `rehydrate` and `list`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ContextManagementOrchestrator } from "./orchestrator.ts";
 *
 * const orchestrator = new ContextManagementOrchestrator({ projectDir: "/nowhere" });
 * assertEquals(orchestrator.handleAction("status", { current_tokens: 45_000 }).status, "ok");
 * ```
 */
export class ContextManagementOrchestrator {
  readonly #options: OrchestratorOptions;
  readonly #extractor: ContextExtractor;
  readonly #rehydrator: ContextRehydrator;

  /** Creates an orchestrator for one project. */
  constructor(options: OrchestratorOptions = {}) {
    this.#options = options;
    this.#extractor = new ContextExtractor(options);
    this.#rehydrator = new ContextRehydrator(options);
  }

  /**
   * Runs an action.
   *
   * Permissions: `--allow-read` for the project, the transcript and Claude Code's configuration folder, and
   * `--allow-env` to find them. `snapshot` also needs `--allow-write` for `<project>/.claude` and for `trimtab`
   * in the configuration folder.
   *
   * @throws {RangeError} When there is no such action or level.
   * @throws {Error} When the session, its usage or the snapshot is missing.
   */
  handleAction<Action extends ContextSkillAction>(
    action: Action,
    args: ContextSkillArgs = {},
  ): ContextSkillResults[Action] {
    const actions: { [Name in ContextSkillAction]: () => ContextSkillResults[Name] } = {
      status: () => this.#status(args),
      snapshot: () => this.#snapshot(args),
      rehydrate: () => this.#rehydrate(args),
      list: () => this.#list(),
    };
    if (Object.hasOwn(actions, action)) return actions[action]();
    const names = Object.keys(actions).join(", ");
    throw new RangeError(
      `Cannot handle action ${JSON.stringify(action)}: expected one of ${names}`,
    );
  }

  #status(args: ContextSkillArgs): StatusResult {
    const { current_tokens, max_tokens = DEFAULT_MAX_TOKENS } = args;
    const known = current_tokens === undefined
      ? this.#measure(args)
      : { tokens: current_tokens, window: max_tokens };
    const usage = new TokenMonitor(known.window).checkUsage(known.tokens);
    return { status: usage.threshold_status, usage };
  }

  #measure(args: ContextSkillArgs): { tokens: number; window: number } {
    const path = this.#transcript(args, "Cannot check usage", "current_tokens");
    const sessionId = sessionIdOf(path);
    const { tokens, limit, isCompacted } = gaugeSession({
      transcript: path,
      owner: { projectDir: projectOf(this.#options), sessionId },
      config: DEFAULT_CONFIG.context,
      env: this.#options.env,
    });
    if (tokens === null) {
      throw new Error(
        "Cannot check usage: the session " +
          `${isCompacted ? "was just compacted" : "has no answer yet"}. ` +
          "Ask again after the next answer, or pass current_tokens",
      );
    }
    return { tokens, window: args.max_tokens ?? limit };
  }

  #snapshot(args: ContextSkillArgs): SnapshotResult {
    const { path, snapshot } = this.#extractor.saveContext(this.#context(args), args.name);
    const { snapshot_id, name, token_count } = snapshot;
    return {
      status: "success",
      snapshot: { snapshot_id, name, file_path: path, token_count, components: COMPONENTS },
      recommendation: `Snapshot created. After the client has compacted, rehydrate ${snapshot_id}.`,
    };
  }

  #context(args: ContextSkillArgs): SnapshotContent {
    const { conversation } = args;
    if (conversation !== undefined) return this.#extractor.extractFromConversation(conversation);
    const path = this.#transcript(args, "Cannot make a snapshot", "conversation");
    const originalTokens = readNewestUsage(path).usage?.tokens ?? null;
    return contentOf(extractState(path), { originalTokens });
  }

  #transcript(args: ContextSkillArgs, action: string, instead: string): string {
    const find = this.#options.findTranscript ?? findCurrentSessionFile;
    const path = args.transcript ?? find();
    if (path !== null) return path;
    throw new Error(`${action}: no current session was found. Pass transcript or ${instead}`);
  }

  #rehydrate(args: ContextSkillArgs): string {
    const { snapshot_id = "latest", level = "standard" } = args;
    requireLevel(level);
    const { path } = findSaveToRestore(snapshot_id, ["snapshot"], this.#options);
    return this.#rehydrator.rehydrate(path, level);
  }

  #list(): ListResult {
    const files = readableSaves("snapshot", this.#options);
    return {
      snapshots: files.map(toListed),
      count: files.length,
      total_size: sizeInKb(...files.map(({ bytes }) => bytes)),
    };
  }
}

/**
 * Runs one of the four actions on a session's context, with the permissions and errors of
 * {@linkcode ContextManagementOrchestrator.handleAction}.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { contextManagementSkill } from "./orchestrator.ts";
 *
 * const { usage } = contextManagementSkill("status", { current_tokens: 45_000 });
 * assertEquals(usage.percentage, 4.5);
 * assertEquals(usage.recommendation, "Context is healthy. No action needed.");
 * ```
 */
export function contextManagementSkill<Action extends ContextSkillAction>(
  action: Action,
  args: ContextSkillArgs = {},
  options: OrchestratorOptions = {},
): ContextSkillResults[Action] {
  return new ContextManagementOrchestrator(options).handleAction(action, args);
}

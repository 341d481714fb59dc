/**
 * Counts the system calls of the code under test, makes them fail, or stops at them. All of them go
 * through `Deno`, so its functions are replaced in this process for the duration of a test.
 *
 * @module
 */

const CHANGING_CALLS = [
  "openSync",
  "mkdirSync",
  "renameSync",
  "removeSync",
  "linkSync",
  "copyFileSync",
  "utimeSync",
  "chmodSync",
  "symlinkSync",
] as const;

const READ_CALLS = [
  "statSync",
  "lstatSync",
  "readDirSync",
  "readTextFileSync",
  "readFileSync",
] as const;

const FILE_CALLS = ["writeSync", "syncSync", "truncateSync", "tryLockSync", "readSync"] as const;

export type SystemCall =
  | typeof CHANGING_CALLS[number]
  | typeof READ_CALLS[number]
  | typeof FILE_CALLS[number];

/** Every write makes these calls, which fail on a full or a read-only disk. */
export const WRITING_CALLS: readonly SystemCall[] = [
  "openSync",
  "mkdirSync",
  "writeSync",
  "syncSync",
  "truncateSync",
  "renameSync",
  "linkSync",
  "copyFileSync",
  "utimeSync",
  "chmodSync",
  "symlinkSync",
];

/**
 * Called before each system call, which fails if this function throws; "half" makes a write take
 * only half of its bytes.
 */
export type Visit = (call: SystemCall, path: string) => "half" | undefined | void;

export interface Fault {
  readonly call: SystemCall;
  /** Counted from 1. */
  readonly nth: number;
  readonly kind: FaultKind;
}

/** An error code, or "short": a disk that becomes full in the middle of a write. */
export type FaultKind = "ENOSPC" | "EIO" | "EACCES" | "EMFILE" | "ENOLCK" | "EPERM" | "short";

const FAULT_KINDS: { readonly [Call in SystemCall]: readonly FaultKind[] } = {
  openSync: ["EACCES", "ENOSPC", "EMFILE"],
  mkdirSync: ["EACCES", "ENOSPC"],
  renameSync: ["EACCES", "EIO"],
  removeSync: ["EACCES"],
  linkSync: ["EPERM"],
  copyFileSync: ["ENOSPC"],
  utimeSync: ["EPERM"],
  chmodSync: ["EPERM"],
  symlinkSync: ["EPERM"],
  writeSync: ["ENOSPC", "EIO", "short"],
  syncSync: ["EIO"],
  truncateSync: ["EIO"],
  tryLockSync: ["ENOLCK"],
  statSync: ["EIO"],
  lstatSync: ["EIO"],
  readDirSync: ["EIO"],
  readTextFileSync: ["EIO"],
  readFileSync: ["EIO"],
  readSync: ["EIO"],
};

const MESSAGES: { readonly [Kind in Exclude<FaultKind, "short">]: string } = {
  ENOSPC: "No space left on device (os error 28)",
  EIO: "Input/output error (os error 5)",
  EACCES: "Permission denied (os error 13)",
  EMFILE: "Too many open files (os error 24)",
  ENOLCK: "No locks available (os error 37)",
  EPERM: "Operation not permitted (os error 1)",
};

export function isReadCall(call: SystemCall): boolean {
  return call === "readSync" || READ_CALLS.some((name) => name === call);
}

/**
 * Calls `visit` before each system call, until disposed. Flushing to disk is skipped meanwhile,
 * since it matters only in a crash of the whole machine.
 */
export function watchCalls(visit: Visit): Disposable {
  const undo = [...CHANGING_CALLS, ...READ_CALLS].map((call) =>
    replace(Deno, call, (real) =>
      function (...args: unknown[]): unknown {
        // Opening for reading takes no options.
        const isRead = call === "openSync" && args.length === 1;
        visit(isRead ? "readFileSync" : call, String(args[0]));
        return Reflect.apply(real, Deno, args);
      })
  );
  for (const call of FILE_CALLS) {
    const watched = replace(
      Deno.FsFile.prototype,
      call,
      (real) =>
        function (this: unknown, ...args: unknown[]): unknown {
          const isHalf = visit(call, "") === "half";
          if (call === "syncSync") return undefined;
          return Reflect.apply(real, this, isHalf ? args.map(firstHalf) : args);
        },
    );
    undo.push(watched);
  }
  return {
    [Symbol.dispose](): void {
      for (const putBack of undo) putBack();
    },
  };
}

export async function countCalls(work: () => unknown): Promise<Map<SystemCall, number>> {
  const counts = new Map<SystemCall, number>();
  using _watch = watchCalls((call) => void counts.set(call, (counts.get(call) ?? 0) + 1));
  await work();
  return counts;
}

/** Lists every call with every error, from the result of {@linkcode countCalls}. */
export function allFaults(counts: ReadonlyMap<SystemCall, number>): Fault[] {
  return [...counts].flatMap(([call, count]) =>
    Array.from({ length: count }, (_, index) => index + 1)
      .flatMap((nth) => FAULT_KINDS[call].map((kind) => ({ call, nth, kind })))
  );
}

/** @param fault The call that fails; with "short", the next write fails, too. */
export async function withFailing<T>(fault: Fault, work: () => T): Promise<Awaited<T>> {
  let left = fault.nth;
  let isFull = false;
  using _watch = watchCalls((call, path) => {
    if (call !== fault.call) return;
    if (isFull) {
      isFull = false;
      throw errorOf("ENOSPC", call, path);
    }
    if (--left !== 0) return;
    if (fault.kind !== "short") throw errorOf(fault.kind, call, path);
    isFull = true;
    return "half";
  });
  return await work();
}

/** @param from The first writing call that fails, counted from 1. */
export async function withDiskFullFrom<T>(from: number, work: () => T): Promise<Awaited<T>> {
  let left = from;
  using _watch = watchCalls((call, path) => {
    if (WRITING_CALLS.includes(call) && --left <= 0) throw errorOf("ENOSPC", call, path);
  });
  return await work();
}

function errorOf(kind: Exclude<FaultKind, "short">, call: SystemCall, path: string): Error {
  const operation = call.replace("Sync", "");
  const message = path === "" ? MESSAGES[kind] : `${MESSAGES[kind]}: ${operation} '${path}'`;
  const error = kind === "EACCES" || kind === "EPERM"
    ? new Deno.errors.PermissionDenied(message)
    : new Error(message);
  return Object.assign(error, { code: kind });
}

function firstHalf(value: unknown): unknown {
  return value instanceof Uint8Array ? value.subarray(0, value.length >> 1) : value;
}

type Callable = (...args: unknown[]) => unknown;

function replace(
  owner: object,
  name: string,
  wrap: (real: Callable) => Callable,
): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  const real: unknown = before?.value;
  if (before === undefined || !isCallable(real)) {
    throw new TypeError(`Cannot watch ${name}: it is not a function`);
  }
  Object.defineProperty(owner, name, { ...before, value: wrap(real) });
  return () => void Object.defineProperty(owner, name, before);
}

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

/**
 * Counts the system calls of the code under test, makes them fail, or stops at them. All system calls go
 * through `Deno`, so its functions are replaced in this process for the duration of a test.
 */

/** An error code, or "short": a disk that becomes full in the middle of a write. */
type FaultKind = "ENOSPC" | "EIO" | "EACCES" | "EMFILE" | "ENOLCK" | "EPERM" | "short";

interface CallSpec {
  readonly kinds: readonly FaultKind[];
  /** Calls with the effect "write" fail on a full or a read-only disk. */
  readonly effect: "write" | "read" | "other";
}

const DENO_CALLS = {
  openSync: { kinds: ["EACCES", "ENOSPC", "EMFILE"], effect: "write" },
  mkdirSync: { kinds: ["EACCES", "ENOSPC"], effect: "write" },
  renameSync: { kinds: ["EACCES", "EIO"], effect: "write" },
  removeSync: { kinds: ["EACCES"], effect: "other" },
  linkSync: { kinds: ["EPERM"], effect: "write" },
  copyFileSync: { kinds: ["ENOSPC"], effect: "write" },
  utimeSync: { kinds: ["EPERM"], effect: "write" },
  chmodSync: { kinds: ["EPERM"], effect: "write" },
  symlinkSync: { kinds: ["EPERM"], effect: "write" },
  statSync: { kinds: ["EIO"], effect: "read" },
  lstatSync: { kinds: ["EIO"], effect: "read" },
  readDirSync: { kinds: ["EIO"], effect: "read" },
  readTextFileSync: { kinds: ["EIO"], effect: "read" },
  readFileSync: { kinds: ["EIO"], effect: "read" },
} as const satisfies Readonly<Record<string, CallSpec>>;

const FILE_CALLS = {
  writeSync: { kinds: ["ENOSPC", "EIO", "short"], effect: "write" },
  syncSync: { kinds: ["EIO"], effect: "write" },
  truncateSync: { kinds: ["EIO"], effect: "write" },
  tryLockSync: { kinds: ["ENOLCK"], effect: "other" },
  readSync: { kinds: ["EIO"], effect: "read" },
} as const satisfies Readonly<Record<string, CallSpec>>;

type SystemCall = keyof typeof DENO_CALLS | keyof typeof FILE_CALLS;

const CALLS: Readonly<Record<SystemCall, CallSpec>> = { ...DENO_CALLS, ...FILE_CALLS };

/**
 * Called before each system call, which fails if this function throws. If it returns "half", a write
 * stops after half of its bytes.
 */
type Visit = (call: SystemCall, path: string) => "half" | undefined | void;

export interface Fault {
  readonly call: SystemCall;
  /** Counted from 1. */
  readonly nth: number;
  readonly kind: FaultKind;
}

const MESSAGES: { readonly [Kind in Exclude<FaultKind, "short">]: string } = {
  ENOSPC: "No space left on device (os error 28)",
  EIO: "Input/output error (os error 5)",
  EACCES: "Permission denied (os error 13)",
  EMFILE: "Too many open files (os error 24)",
  ENOLCK: "No locks available (os error 37)",
  EPERM: "Operation not permitted (os error 1)",
};

export function isReadCall(call: SystemCall): boolean {
  return CALLS[call].effect === "read";
}

export function isWritingCall(call: SystemCall): boolean {
  return CALLS[call].effect === "write";
}

/**
 * Calls `visit` before each system call, until disposed. Flushing to disk is skipped meanwhile,
 * since it matters only in a crash of the whole machine.
 */
export function watchCalls(visit: Visit): Disposable {
  const undo = keysOf(DENO_CALLS).map((call) =>
    replace(Deno, call, (real) =>
      function (...args: unknown[]): unknown {
        // A call that opens a file for reading has no options.
        const isRead = call === "openSync" && args.length === 1;
        visit(isRead ? "readFileSync" : call, String(args[0]));
        return Reflect.apply(real, Deno, args);
      })
  );
  for (const call of keysOf(FILE_CALLS)) {
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

export function allFaults(counts: ReadonlyMap<SystemCall, number>): Fault[] {
  return [...counts].flatMap(([call, count]) =>
    Array.from({ length: count }, (_, index) => index + 1)
      .flatMap((nth) => CALLS[call].kinds.map((kind) => ({ call, nth, kind })))
  );
}

/** @param fault The call that fails. With "short", a write stops halfway, and the next write fails. */
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
    if (isWritingCall(call) && --left <= 0) throw errorOf("ENOSPC", call, path);
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

function keysOf<K extends string>(calls: Readonly<Record<K, CallSpec>>): K[] {
  return Object.keys(calls) as K[];
}

type Callable = (...args: unknown[]) => unknown;

function replace(owner: object, name: string, wrap: (real: Callable) => Callable): () => void {
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

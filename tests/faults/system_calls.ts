/**
 * The system calls that the code under test makes: counted, made to fail, or stopped at. All of them
 * go through `Deno`, so its functions are replaced, in this process, for as long as one test wants it.
 *
 * @module
 */

/** Functions of `Deno` that change something. */
const CHANGING = [
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

/** Functions of `Deno` that only look. */
const LOOKING = [
  "statSync",
  "lstatSync",
  "readDirSync",
  "readTextFileSync",
  "readFileSync",
] as const;

const FILE_CALLS = ["writeSync", "syncSync", "truncateSync", "tryLockSync", "readSync"] as const;

/** A call that can fail. */
export type SystemCall =
  | typeof CHANGING[number]
  | typeof LOOKING[number]
  | typeof FILE_CALLS[number];

/** Calls without which nothing is written: those that a full or a read-only disk makes fail. */
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
 * Sees a call before it is made. What it throws the call throws; "half" makes a write take one half of
 * its bytes.
 */
export type Visit = (call: SystemCall, path: string) => "half" | undefined | void;

/** The call that fails, and how. */
export interface Fault {
  /** The call. */
  readonly call: SystemCall;
  /** Which of them, from 1. */
  readonly nth: number;
  readonly how: Trouble;
}

/** An error code, or "short": a disk that becomes full in the middle of a write. */
export type Trouble = "ENOSPC" | "EIO" | "EACCES" | "EMFILE" | "ENOLCK" | "EPERM" | "short";

const TROUBLES: { readonly [Call in SystemCall]: readonly Trouble[] } = {
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

/** The system's wording. */
const WORDS: { readonly [How in Exclude<Trouble, "short">]: string } = {
  ENOSPC: "No space left on device (os error 28)",
  EIO: "Input/output error (os error 5)",
  EACCES: "Permission denied (os error 13)",
  EMFILE: "Too many open files (os error 24)",
  ENOLCK: "No locks available (os error 37)",
  EPERM: "Operation not permitted (os error 1)",
};

/**
 * Tells the calls that only look from those that change something.
 *
 * @param call The call.
 * @returns Whether it only looks.
 */
export function isLooking(call: SystemCall): boolean {
  return call === "readSync" || LOOKING.some((one) => one === call);
}

/**
 * Lets somebody see each call before it is made. Nothing is waited for on the disk meanwhile: only a
 * crash of the whole machine would tell the difference.
 *
 * @param visit Sees it.
 * @returns Puts everything back as it was.
 */
export function watchCalls(visit: Visit): Disposable {
  const undo = [...CHANGING, ...LOOKING].map((call) =>
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

/**
 * Counts the calls of a piece of work.
 *
 * @param work The work.
 * @returns How many there are of each.
 */
export async function countCalls(work: () => unknown): Promise<Map<SystemCall, number>> {
  const counts = new Map<SystemCall, number>();
  using _watch = watchCalls((call) => void counts.set(call, (counts.get(call) ?? 0) + 1));
  await work();
  return counts;
}

/**
 * All faults that a piece of work can meet, by its calls.
 *
 * @param counts From {@linkcode countCalls}.
 * @returns Each call in turn, in each way.
 */
export function allFaults(counts: ReadonlyMap<SystemCall, number>): Fault[] {
  return [...counts].flatMap(([call, count]) =>
    Array.from({ length: count }, (_, at) => at + 1)
      .flatMap((nth) => TROUBLES[call].map((how) => ({ call, nth, how })))
  );
}

/**
 * Does some work while one call fails.
 *
 * @param fault The call that fails; with "short" the write that comes next fails, too.
 * @param work The work.
 * @returns What came of it.
 */
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
    if (fault.how !== "short") throw errorOf(fault.how, call, path);
    isFull = true;
    return "half";
  });
  return await work();
}

/**
 * Does some work on a disk on which from one call on nothing more can be written.
 *
 * @param from The first call that fails, among those that write, from 1.
 * @param work The work.
 * @returns What came of it.
 */
export async function withDiskFullFrom<T>(from: number, work: () => T): Promise<Awaited<T>> {
  let left = from;
  using _watch = watchCalls((call, path) => {
    if (WRITING_CALLS.includes(call) && --left <= 0) throw errorOf("ENOSPC", call, path);
  });
  return await work();
}

/** An error as Deno makes it. */
function errorOf(how: Exclude<Trouble, "short">, call: SystemCall, path: string): Error {
  const what = call.replace("Sync", "");
  const words = path === "" ? WORDS[how] : `${WORDS[how]}: ${what} '${path}'`;
  const error = how === "EACCES" || how === "EPERM"
    ? new Deno.errors.PermissionDenied(words)
    : new Error(words);
  return Object.assign(error, { code: how });
}

function firstHalf(value: unknown): unknown {
  return value instanceof Uint8Array ? value.subarray(0, value.length >> 1) : value;
}

/** Any function, whatever its parameters and result. */
type Callable = (...args: unknown[]) => unknown;

function replace(
  owner: object,
  name: string,
  wrap: (real: Callable) => Callable,
): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  const real: unknown = before?.value;
  if (before === undefined || !isCallable(real)) {
    throw new TypeError(`Cannot watch ${name}: it is no function`);
  }
  Object.defineProperty(owner, name, { ...before, value: wrap(real) });
  return () => void Object.defineProperty(owner, name, before);
}

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

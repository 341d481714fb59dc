export type Falsy = false | 0 | 0n | "" | null | undefined;

export type AnyClass<T> = abstract new (...args: never[]) => T;

export class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions);
}

export function assert(expr: unknown, msg?: string): asserts expr;

export function assertFalse(expr: unknown, msg?: string): asserts expr is Falsy;

export function assertEquals<T>(actual: T, expected: T, msg?: string): void;

export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;

export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T;

export function assertNotStrictEquals<T>(actual: T, expected: T, msg?: string): void;

export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T>;

export function assertInstanceOf<T>(
  actual: unknown,
  expectedType: AnyClass<T>,
  msg?: string,
): asserts actual is T;

export function assertNotInstanceOf<A, T>(
  actual: A,
  unexpectedType: AnyClass<T>,
  msg?: string,
): asserts actual is Exclude<A, T>;

/** Checks the class and the message only if they are given. */
export function assertIsError<E extends Error = Error>(
  error: unknown,
  errorClass?: AnyClass<E>,
  msgMatches?: string | RegExp,
  msg?: string,
): asserts error is E;

export function assertGreater<T>(actual: T, expected: T, msg?: string): void;

export function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void;

export function assertLess<T>(actual: T, expected: T, msg?: string): void;

export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void;

/** Fails if the two numbers differ by more than `tolerance` (by default, 1e-7 of `expected`). */
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  msg?: string,
): void;

export function assertMatch(actual: string, expected: RegExp, msg?: string): void;

export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;

export function assertStringIncludes(actual: string, expected: string, msg?: string): void;

export function assertArrayIncludes<T>(
  actual: ArrayLike<T>,
  expected: ArrayLike<T>,
  msg?: string,
): void;

/** Accepts additional properties in `actual`. */
export function assertObjectMatch(
  actual: object,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void;

/** Returns the thrown value. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  errorClass: AnyClass<E>,
  msgIncludes?: string,
  msg?: string,
): E;

/** Resolves with the reason of the rejection. */
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  errorClass: AnyClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;

export function equal(a: unknown, b: unknown): boolean;

export function fail(msg?: string): never;

export function unimplemented(msg?: string): never;

export function unreachable(msg?: string): never;

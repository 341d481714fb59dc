/** Values that count as false in a condition. */
export type Falsy = false | 0 | 0n | "" | null | undefined;

/** A class, abstract or not, whatever its constructor takes. */
export type AnyClass<T> = abstract new (...args: never[]) => T;

/** Thrown by every failed assertion. */
export class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions);
}

/** Fails unless `expr` is truthy. */
export function assert(expr: unknown, msg?: string): asserts expr;

/** Fails unless `expr` is falsy. */
export function assertFalse(expr: unknown, msg?: string): asserts expr is Falsy;

/** Fails unless both are deeply equal. */
export function assertEquals<T>(actual: T, expected: T, msg?: string): void;

/** Fails if both are deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;

/** Fails unless both are the same value by `Object.is`. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T;

/** Fails if both are the same value by `Object.is`. */
export function assertNotStrictEquals<T>(actual: T, expected: T, msg?: string): void;

/** Fails if `actual` is null or undefined. */
export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T>;

/** Fails unless `actual` is an instance of `expectedType`. */
export function assertInstanceOf<T>(
  actual: unknown,
  expectedType: AnyClass<T>,
  msg?: string,
): asserts actual is T;

/** Fails if `actual` is an instance of `unexpectedType`. */
export function assertNotInstanceOf<A, T>(
  actual: A,
  unexpectedType: AnyClass<T>,
  msg?: string,
): asserts actual is Exclude<A, T>;

/** Fails unless `error` is an Error, of the class and with the text that are given. */
export function assertIsError<E extends Error = Error>(
  error: unknown,
  errorClass?: AnyClass<E>,
  msgMatches?: string | RegExp,
  msg?: string,
): asserts error is E;

/** Fails unless `actual > expected`. */
export function assertGreater<T>(actual: T, expected: T, msg?: string): void;

/** Fails unless `actual >= expected`. */
export function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void;

/** Fails unless `actual < expected`. */
export function assertLess<T>(actual: T, expected: T, msg?: string): void;

/** Fails unless `actual <= expected`. */
export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void;

/** Fails unless the two numbers differ by no more than `tolerance` (a 1e-7 part by default). */
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  msg?: string,
): void;

/** Fails unless `expected` matches in `actual`. */
export function assertMatch(actual: string, expected: RegExp, msg?: string): void;

/** Fails if `expected` matches in `actual`. */
export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;

/** Fails unless `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, msg?: string): void;

/** Fails unless every item of `expected` is in `actual`. */
export function assertArrayIncludes<T>(
  actual: ArrayLike<T>,
  expected: ArrayLike<T>,
  msg?: string,
): void;

/** Fails unless `actual` holds all that `expected` names; it may hold more. */
export function assertObjectMatch(
  actual: object,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void;

/** Fails unless `fn` throws, and returns what it threw. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
/** Fails unless `fn` throws an error of that class and text, and returns the error. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  errorClass: AnyClass<E>,
  msgIncludes?: string,
  msg?: string,
): E;

/** Fails unless the promise of `fn` rejects; resolves with the reason. */
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
/** Fails unless the promise of `fn` rejects with that class and text; resolves with the error. */
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  errorClass: AnyClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;

/** Whether two values are deeply equal. */
export function equal(a: unknown, b: unknown): boolean;

/** Fails always. */
export function fail(msg?: string): never;

/** Fails always: the code is still to be written. */
export function unimplemented(msg?: string): never;

/** Fails always: the code can never be reached. */
export function unreachable(msg?: string): never;

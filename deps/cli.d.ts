// Deliberately narrower than the original: it omits dotted names, `boolean: true`, and collecting a flag that
// is neither boolean nor string. Each flag of the result therefore has exactly one type, and a misspelled flag
// is an error. A call that compiles against these types also compiles against the original.

type Names<N extends string> = N | readonly N[];

export interface ParseOptions<
  B extends string,
  S extends string,
  C extends B | S,
  D extends Defaults<B, S, C>,
  Rest extends boolean,
> {
  /** Flags without a value; false if absent. */
  readonly boolean?: Names<B>;
  /** Flags whose value is always a string. */
  readonly string?: Names<S>;
  /** Flags that can be repeated; an empty list if absent. */
  readonly collect?: Names<C>;
  /** Boolean flags that `--no-<name>` sets to false. */
  readonly negatable?: Names<NoInfer<B>>;
  /** Other names of a flag. */
  readonly alias?: { readonly [K in NoInfer<B | S>]?: string | readonly string[] };
  readonly default?: D;
  /** Whether to stop at the first argument that is not a flag. */
  readonly stopEarly?: boolean;
  /** Whether to return the arguments after `--` in a separate list. */
  readonly "--"?: Rest;
  /** Called for each undeclared flag or argument; false drops it. */
  readonly unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

export type Defaults<B extends string, S extends string, C extends string> = {
  readonly [K in B | S]?: K extends C ? readonly (K extends B ? boolean : string)[]
    : K extends B ? boolean
    : string;
};

/** `_` contains the positional arguments. */
export type Args<
  B extends string,
  S extends string,
  C extends string,
  D,
  Rest extends boolean,
> =
  & { _: (string | number)[] }
  & (Rest extends true ? { "--": string[] } : unknown)
  & { [K in Exclude<B, C>]: boolean }
  & { [K in Extract<B, C>]: boolean[] }
  & { [K in Extract<S, C>]: string[] }
  & { [K in Extract<Exclude<S, C>, keyof D>]: string }
  & { [K in Exclude<S, C | keyof D>]?: string };

export function parseArgs<
  const B extends string = never,
  const S extends string = never,
  const C extends B | S = never,
  const D extends Defaults<B, S, C> = Record<never, never>,
  const Rest extends boolean = false,
>(args: readonly string[], options: ParseOptions<B, S, C, D, Rest>): Args<B, S, C, D, Rest>;

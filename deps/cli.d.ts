// Narrower than the original on purpose: dotted names, `boolean: true` and collecting a flag that is
// neither boolean nor string are left out, so that each flag of the result has one certain type and
// a misspelt one is an error. A call that compiles against this compiles against the original.

/** One name or a list of names. */
type Names<N extends string> = N | readonly N[];

/** Options of `parseArgs`. */
export interface ParseOptions<
  B extends string,
  S extends string,
  C extends B | S,
  D extends Defaults<B, S, C>,
  Rest extends boolean,
> {
  /** Flags that take no value; false when absent. */
  readonly boolean?: Names<B>;
  /** Flags whose value is always a string. */
  readonly string?: Names<S>;
  /** Flags that may be given several times; an empty list when absent. */
  readonly collect?: Names<C>;
  /** Boolean flags that `--no-<name>` sets to false. */
  readonly negatable?: Names<NoInfer<B>>;
  /** Other spellings of a flag, by its name. */
  readonly alias?: { readonly [K in NoInfer<B | S>]?: string | readonly string[] };
  /** Values of absent flags. */
  readonly default?: D;
  /** Whether everything after the first argument that is no flag is left alone. */
  readonly stopEarly?: boolean;
  /** Whether arguments after `--` are put in a list of their own. */
  readonly "--"?: Rest;
  /** Called with each flag or argument that was not declared; false leaves it out. */
  readonly unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}

/** Allowed defaults of the declared flags. */
export type Defaults<B extends string, S extends string, C extends string> = {
  readonly [K in B | S]?: K extends C ? readonly (K extends B ? boolean : string)[]
    : K extends B ? boolean
    : string;
};

/** The result of `parseArgs`: positional arguments in `_`, and every declared flag. */
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

/** Reads command-line arguments by the declared flags. */
export function parseArgs<
  const B extends string = never,
  const S extends string = never,
  const C extends B | S = never,
  const D extends Defaults<B, S, C> = Record<never, never>,
  const Rest extends boolean = false,
>(args: readonly string[], options: ParseOptions<B, S, C, D, Rest>): Args<B, S, C, D, Rest>;

/**
 * Implements house rules as lint rules, so that editors show violations.
 *
 * @module
 */

type Context = Deno.lint.RuleContext;
type Visitor = Deno.lint.LintVisitor;

const LIBRARY = /[/\\](?:src|hooks)[/\\][^:]*\.ts$/;
const PRODUCT = /(?<![/\\]tests)[/\\](?:src|hooks|scripts|cli)[/\\][^:]*\.ts$/;
const READ_MODULE = /[/\\]src[/\\](?:store[/\\]read_file|inside[/\\]files)\.ts$/;
const READ_FUNCTION = /^(?:readFile|readTextFile)(?:Sync)?$/;
const TOP_LEVEL = ["Program", "Program > ExportNamedDeclaration"];
const ARROW_VARIABLE =
  "VariableDeclaration > VariableDeclarator[init.type='ArrowFunctionExpression']";

const plugin: Deno.lint.Plugin = {
  name: "house",
  rules: {
    "no-top-level-arrow": { create: noTopLevelArrow },
    "no-console-in-library": { create: noConsoleInLibrary },
    "no-direct-read": { create: noDirectRead },
  },
};

export default plugin;

/** Requires declared functions, which stack traces name and which can be used above their declaration. */
function noTopLevelArrow(context: Context): Visitor {
  const message = "Declare top-level functions with `function`.";
  const report = (node: Deno.lint.Node): void => context.report({ node, message });
  return Object.fromEntries(TOP_LEVEL.map((place) => [`${place} > ${ARROW_VARIABLE}`, report]));
}

/** Forbids console output outside scripts, because a hook's output is a protocol. */
function noConsoleInLibrary(context: Context): Visitor {
  if (!LIBRARY.test(context.filename)) return {};
  const message = "Do not use `console` in the library or the hooks; only scripts print.";
  const report = (node: Deno.lint.Node): void => context.report({ node, message });
  return { "CallExpression > MemberExpression[object.name='console']": report };
}

/** Allows reads only in `src/store/read_file.ts` and `src/inside/files.ts`, which check type and size. */
function noDirectRead(context: Context): Visitor {
  if (!PRODUCT.test(context.filename) || READ_MODULE.test(context.filename)) return {};
  const message =
    "Read files with src/store/read_file.ts or src/inside/files.ts, which check type and size.";
  return {
    "MemberExpression[object.property.name='fs'][property.name='read']": (node) =>
      context.report({ node, message }),
    "MemberExpression[object.name='Deno']": (node: Deno.lint.MemberExpression): void => {
      const { property, parent } = node;
      if (property.type !== "Identifier") return;
      const isOpen = /^open(?:Sync)?$/.test(property.name);
      // `Deno.open` without options opens for reading.
      const opensForReading = isOpen && parent.type === "CallExpression" &&
        parent.arguments.length < 2;
      if (READ_FUNCTION.test(property.name) || opensForReading) context.report({ node, message });
    },
  };
}

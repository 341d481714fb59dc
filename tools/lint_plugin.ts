/**
 * Implements house rules as lint rules, so that editors show violations. The rules visit nodes by type and
 * test them in code, because selectors with paths and attributes take several times as long.
 */

type Context = Deno.lint.RuleContext;
type Visitor = Deno.lint.LintVisitor;

const LIBRARY = /[/\\](?:src|hooks)[/\\][^:]*\.ts$/;
const PRODUCT = /(?<![/\\]tests)[/\\](?:src|hooks|scripts|cli)[/\\][^:]*\.ts$/;
const READ_MODULE = /[/\\]src[/\\](?:store[/\\]read_file|inside[/\\]files)\.ts$/;
const READ_FUNCTION = /^(?:readFile|readTextFile)(?:Sync)?$/;
const plugin: Deno.lint.Plugin = {
  name: "house",
  rules: {
    "no-top-level-arrow": { create: noTopLevelArrow },
    "no-console-in-library": { create: noConsoleInLibrary },
    "no-direct-read": { create: noDirectRead },
  },
};

export default plugin;

/** Requires function declarations, which have names in stack traces and can be used above their declaration. */
function noTopLevelArrow(context: Context): Visitor {
  const message = "Declare top-level functions with `function`.";
  return {
    Program: ({ body }) => {
      for (const statement of body) {
        const node = statement.type === "ExportNamedDeclaration"
          ? statement.declaration
          : statement;
        if (node?.type !== "VariableDeclaration") continue;
        for (const declarator of node.declarations) {
          if (declarator.init?.type !== "ArrowFunctionExpression") continue;
          context.report({ node: declarator, message });
        }
      }
    },
  };
}

/** Forbids console output in `src/` and `hooks/`, because a hook's output is a protocol. */
function noConsoleInLibrary(context: Context): Visitor {
  if (!LIBRARY.test(context.filename)) return {};
  const message = "Do not use `console` in the library or the hooks; only scripts print.";
  return {
    MemberExpression: (node) => {
      const { object, parent } = node;
      if (nameOf(object) === "console" && parent.type === "CallExpression") {
        context.report({ node, message });
      }
    },
  };
}

/** Allows reads only in `src/store/read_file.ts` and `src/inside/files.ts`, which check type and size. */
function noDirectRead(context: Context): Visitor {
  if (!PRODUCT.test(context.filename) || READ_MODULE.test(context.filename)) return {};
  const message =
    "Read files with src/store/read_file.ts or src/inside/files.ts, which check type and size.";
  return {
    MemberExpression: (node) => {
      const { object, property, parent } = node;
      const name = nameOf(property);
      if (object.type === "MemberExpression") {
        if (nameOf(object.property) === "fs" && name === "read") context.report({ node, message });
      } else if (nameOf(object) === "Deno") {
        // `Deno.open` without options opens for reading.
        const opensForReading = /^open(?:Sync)?$/.test(name) && parent.type === "CallExpression" &&
          parent.arguments.length < 2;
        if (READ_FUNCTION.test(name) || opensForReading) context.report({ node, message });
      }
    },
  };
}

function nameOf(node: Deno.lint.Node): string {
  return node.type === "Identifier" ? node.name : "";
}

/**
 * House rules as lint rules, so that an editor shows them.
 *
 * @module
 */

type Context = Deno.lint.RuleContext;
type Visitor = Deno.lint.LintVisitor;

const LIBRARY = /[/\\](?:src|hooks)[/\\][^:]*\.ts$/;
const TOP_LEVEL = ["Program", "Program > ExportNamedDeclaration"];
const ARROW_VARIABLE =
  "VariableDeclaration > VariableDeclarator[init.type='ArrowFunctionExpression']";

const plugin: Deno.lint.Plugin = {
  name: "house",
  rules: {
    "no-top-level-arrow": { create: noTopLevelArrow },
    "no-console-in-library": { create: noConsoleInLibrary },
  },
};

export default plugin;

/** A declared function has a name in every stack and can be used above its line. */
function noTopLevelArrow(context: Context): Visitor {
  const message = "A top-level function is declared with `function`.";
  const report = (node: Deno.lint.Node): void => context.report({ node, message });
  return Object.fromEntries(TOP_LEVEL.map((place) => [`${place} > ${ARROW_VARIABLE}`, report]));
}

/** Only a script talks to a person; what a hook prints is a protocol. */
function noConsoleInLibrary(context: Context): Visitor {
  if (!LIBRARY.test(context.filename)) return {};
  const message = "The library and the hooks print nothing to a console.";
  const report = (node: Deno.lint.Node): void => context.report({ node, message });
  return { "CallExpression > MemberExpression[object.name='console']": report };
}

/**
 * Passwords that stand in command lines as commands take them.
 *
 * @module
 */

import type { SecretKind } from "./kinds.ts";

/** Kinds that are known by the command that they are handed to, looked for after all others. */
export const COMMAND_KINDS: readonly SecretKind[] = [
  {
    kind: "password",
    hints: ["curl"],
    // A command goes on behind a backslash at the end of a line, in an escaped text, too.
    pattern:
      /(?<kept>\bcurl\b(?:[^\n]|\\\n){0,200}?\s(?:-[uU]|--(?:proxy-)?user[ =]) ?\\{0,3}["']?[^\s:"'\\]{1,100}:)(?<value>(?!\[redacted: )[^\s"'\\]{1,256})/g,
    judged: "set",
    source: "the options --user and --proxy-user, curl.se/docs",
  },
  {
    kind: "password",
    hints: ["sshpass", "mysql", "mariadb", "login", "redis-cli", "zip"],
    pattern:
      /(?<kept>\b(?:sshpass -p ?|(?:mysql|mariadb)\w*(?:-\w+)?\b[^\n;&|]{0,100}? -p|(?:docker|podman|nerdctl|buildah|skopeo|helm|oc|az|cf)\b[ \w-]{0,20}? login\b[^\n;&|]{0,100}? -p[ =]?|redis-cli\b[^\n;&|]{0,100}? -a ?|(?:un)?zip\b[^\n;&|]{0,100}? -P ?)\\{0,3}["']?)(?<value>(?!\[redacted: )[^\s"'\\-][^\s"'\\]{2,255})/g,
    judged: "set",
    source: "options of sshpass, mysql, docker login, redis-cli and zip, man7.org",
  },
  {
    kind: "password",
    hints: [" pass:"],
    pattern: /(?<kept>-pass(?:in|out)? pass:)(?<value>(?!\[redacted: )[^\s"'\\]{3,256})/g,
    judged: "set",
    source: "pass phrase options, docs.openssl.org",
  },
];

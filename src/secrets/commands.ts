/** Patterns for credentials in the arguments of commands, such as `curl -u user:password`. */

import type { SecretKind } from "./kinds.ts";

export const COMMAND_KINDS: readonly SecretKind[] = [
  {
    kind: "password",
    hints: ["curl"],
    // A backslash at the end of a line continues the command.
    pattern:
      /(?<kept>(?<!(?<!\\)\w)curl\b(?:[^\n]|\\\n){0,200}?\s(?:-[uU]|--(?:proxy-)?user[ =]) ?\\{0,3}["']?[^\s:"'\\]{1,100}:)(?<value>(?!\[redacted: |[xX](?:["'\s]|$))[^\s"'\\]{1,256})/g,
    valueCheck: "filled",
    source: "the options --user and --proxy-user, curl.se/docs",
  },
  {
    kind: "password",
    hints: ["sshpass", "mysql", "mariadb", "login", "redis-cli", "zip"],
    pattern:
      /(?<kept>(?<!(?<!\\)\w)(?:sshpass -p ?|(?:mysql|mariadb)\w*(?:-\w+)?\b[^\n;&|]{0,100}? -p|(?:docker|podman|nerdctl|buildah|skopeo|helm|oc|az|cf)\b[ \w-]{0,20}? login\b[^\n;&|]{0,100}? -p[ =]?|redis-cli\b[^\n;&|]{0,100}? -a ?|(?:un)?zip\b[^\n;&|]{0,100}? -P ?)\\{0,3}["']?)(?<value>(?!\[redacted: )[^\s"'\\-][^\s"'\\]{2,255})/g,
    valueCheck: "filled",
    source: "options of sshpass, mysql, docker login, redis-cli and zip, man7.org",
  },
  {
    kind: "password",
    hints: [" pass:"],
    pattern: /(?<kept>-pass(?:in|out)? pass:)(?<value>(?!\[redacted: )[^\s"'\\]{3,256})/g,
    valueCheck: "filled",
    source: "pass phrase options, docs.openssl.org",
  },
  {
    kind: "password",
    hints: ["htpasswd", "SecureString", "net use"],
    pattern:
      /(?<kept>(?<!(?<!\\)\w)htpasswd\b[^\n;&|]{0,60}? -\w?b\w? ["']?\S{1,100} \S{1,60} ["']?|\bConvertTo-SecureString (?:-String )?["']|\bnet use\b[^\n]{0,20}? \\\\\S{1,100} )(?<value>(?!\[redacted: )[^\s"'\\/$*-][^\s"'\\]{2,255})/g,
    valueCheck: "filled",
    source: "htpasswd, httpd.apache.org; ConvertTo-SecureString and net use, learn.microsoft.com",
  },
  {
    kind: "password",
    hints: ["sudo -S", "sudo --stdin", "chpasswd", "-stdin", "--with-token"],
    pattern:
      /(?<kept>(?<!(?<!\\)\w)echo (?:-n )?["']?(?:[\w.-]{1,60}:)?)(?<value>(?!\[redacted: )[^\s"'\\$`]{3,256})(?=["']? {0,2}\| {0,2}(?:sudo (?:-S|--stdin)|(?:sudo )?chpasswd|[^\n|]{1,120}? --(?:password-stdin|with-token|stdin))\b)/g,
    valueCheck: "filled",
    source: "sudo --stdin, sudo.ws; chpasswd, man7.org; docker login, docs.docker.com",
  },
  {
    kind: "secret",
    hints: [" login ", "authtoken ", "secret set", "secrets set", "secret put", "secrets put"],
    pattern:
      /(?<kept>\b(?:\w{2,20} login |add-authtoken |secrets? (?:set|put) [\w-]{1,80}(?: --(?:body|value)| -b)?[ =]?)["']?)(?<value>[A-Za-z0-9][\w.-]{23,255})/g,
    valueCheck: "generated",
    source:
      "gh secret set, cli.github.com; wandb login, docs.wandb.ai; ngrok config, ngrok.com/docs",
  },
  {
    kind: "password",
    hints: ["mongo", "reset-admin-password ", "lftp", "smbclient", "ldap", "openssl", "keytool"]
      .concat("ssh-keygen", "7z "),
    pattern:
      /(?<kept>(?<!(?<!\\)\w)(?:mongo\w*\b[^\n;&|]{0,200}? (?:-p|--password)[= ]|grafana[ -]cli\b[^\n;&|]{0,60}? reset-admin-password |lftp\b[^\n;&|]{0,100}? -u [^\s,]{1,100},|smbclient\b[^\n;&|]{0,100}? (?:-U|--user)[= ]?["']?[^\s%"']{1,100}%|ldap(?:search|modify|add|delete|passwd|whoami)\b[^\n;&|]{0,200}? -w |openssl\b[^\n;&|]{0,200}? -k |keytool\b[^\n;&|]{0,300}? -(?:store|key|deststore|destkey|srcstore|srckey)pass |ssh-keygen\b[^\n;&|]{0,200}? -N |7z \w{1,2}\b[^\n;&|]{0,100}? -p)\\{0,3}["']?)(?<value>(?!\[redacted: )[^\s"'\\$-][^\s"'\\]{2,255})/g,
    valueCheck: "filled",
    source:
      "options of mongosh, grafana cli, lftp, smbclient, ldapsearch, openssl, ssh-keygen, man7.org",
  },
  {
    kind: "secret",
    hints: ["curl", "cloudflared"],
    pattern:
      /(?<kept>(?<!(?<!\\)\w)(?:curl\b(?:[^\n]|\\\n){0,200}?\s-[uU] ?\\{0,3}["']?(?=[^\s:"'\\]{1,200}:(?:[xX]|api_token)?\\{0,3}(?:["'\s]|$))|cloudflared\b[^\n]{0,60}? (?:install |--token[ =])))(?<value>[A-Za-z0-9][\w+/=-]{15,1000})/g,
    valueCheck: "generated",
    source: "a key as the user of curl, developer.mixpanel.com; developers.cloudflare.com/tunnel",
  },
  {
    kind: "password",
    hints: ["--user ", "--user=", "bundle config "],
    pattern:
      /(?<kept>(?:\s--user[ =]["']?|\bbundle config \S{1,100} )[^\s:"']{1,60}:)(?<value>(?!\[redacted: )[^\s"'\\:]{6,255})/g,
    valueCheck: "prose",
    source: "etcdctl, etcd.io/docs; bundle config, bundler.io",
  },
  {
    kind: "password",
    hints: [" -a ", " -a=", " --auth", "altool", "-setcookie ", "mc alias set ", "mc config host "]
      .concat("mosquitto_", "snmp", "ipmitool", "sqlplus", "rabbitmqctl "),
    pattern:
      /(?<kept>(?<!(?<!\\)\w)(?:https?\b[^\n;&|]{0,100}? (?:-a|--auth)[= ]["']?[^\s:"']{1,100}:|mosquitto_\w{3}\b[^\n;&|]{0,200}? -P |altool\b[^\n;&|]{0,200}? -p |snmp\w{3,9}\b[^\n;&|]{0,200}? -[AX] |-setcookie |ipmitool\b[^\n;&|]{0,100}? -P |sqlplus \S{1,60}\/(?=\S{1,100}@)|mc (?:alias set|config host add) \S{1,60} \S{1,200} \S{1,100} |rabbitmqctl (?:add_user|change_password) \S{1,100} )\\{0,3}["']?)(?<value>(?!\[redacted: )[^\s"'\\$-][^\s"'\\]{2,255})/g,
    valueCheck: "filled",
    source:
      "HTTPie, httpie.io/docs; ipmitool, man7.org; sqlplus, docs.oracle.com; mc alias, min.io/docs; rabbitmqctl, rabbitmq.com/docs",
  },
  {
    kind: "password",
    // Matches a value after an uppercase name and a space, as in `ENV API_KEY value`.
    hints: ["ENV ", "ARG ", "setenv ", "set -"],
    pattern:
      /(?<kept>(?<!(?<!\\)\w)(?:ENV|ARG|setenv|set -\w{1,3}) (?=\w*(?:PASS|PWD|SECRET|TOKEN|KEY|_PW))\w{2,60}(?<!PUBLIC_KEY|_FILE|_PATH|_ID|_URL) ["']?)(?<value>(?!\[redacted: )[^\s"'\\$=]{6,4096})/g,
    valueCheck: "generated",
    source: "ENV, docs.docker.com/reference/dockerfile; set, fishshell.com/docs",
  },
];

/** Patterns for credentials that are recognizable by the words or commands around them. */

import type { SecretKind } from "./kinds.ts";
import {
  isFilledIn,
  isGenerated,
  isMixed,
  isPasswordInProse,
  isPasswordLiteral,
  looksRandom,
} from "./values.ts";

const URL_KEYS = "code key sig secret magic otp invite ticket verify reset jwt sid".split(" ");

/** Searched for after the kinds with a distinctive shape. */
export const CONTEXT_KINDS: readonly SecretKind[] = [
  [
    "mailgun-key", // API keys, documentation.mailgun.com
    ["ailgun", "AILGUN"],
    /(?<!(?<!\\)[A-Za-z0-9])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/g,
  ],
  [
    "npm-auth", // .npmrc, auth related configuration, docs.npmjs.com
    ["_auth", "_password"],
    /(?<kept>:_(?:authToken|auth|password)\s?=\s?["']?)(?<value>[^\s"'$[<{][^\s"']{7,})/g,
  ],
  [
    "putty-key", // the PPK file format, the.earth.li
    ["Private-Lines:"],
    /(?<kept>Private-Lines: \d{1,3}(?:\s|\\r|\\n){1,4})(?<value>(?:[A-Za-z0-9+/=]{1,64}(?:\s|\\r|\\n){1,4}){1,200}Private-MAC: [0-9a-f]{40,64})/g,
  ],
  [
    "aws-secret-key", // IAM access keys, 40 characters of base64, docs.aws.amazon.com
    ["ecret", "ECRET"],
    /(?<kept>secret[_ -]?(?:access[_ -]?)?key(?: \[\w{1,20}\])?\\{0,3}["']?\s{0,4}(?:=>|[:=])\s{0,4}\\{0,3}["']?)(?<value>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/gi,
  ],
  [
    "aws-secret-key", // static credentials of the SDKs, docs.aws.amazon.com
    ["Credentials"],
    /(?<kept>(?:StaticCredentials\w{0,20}|(?:Basic|AwsBasic|BasicSession|Session)(?:AWS)?Credentials(?:\.create)?)\(\s{0,20}["'][^"'\n]{1,60}["'],\s{0,20}["'])(?<value>[A-Za-z0-9/+=]{40})(?=["'])/g,
  ],
  [
    "url-credentials", // Git over HTTPS with OAuth, github.blog
    [":x-oauth-basic@"],
    /(?<kept>:\/\/)(?<value>[^\s@/:(){}<>]{1,256}:x-oauth-basic)(?=@)/g,
  ],
  [
    "url-password", // RFC 3986, userinfo, rfc-editor.org
    ["://"],
    /(?<kept>:\/\/[^\s:@/"'<>`]{0,100}:)(?<value>[^\s@/"'<>`]{1,256})(?=@[\w[])/g,
    isFilledIn,
  ],
  [
    "url-credentials", // DSN, docs.sentry.io; token as the user, docs.gitlab.com
    ["://"],
    /(?<kept>:\/\/)(?<value>[\w-]{20,256}:?)(?=@[\w[])/g,
    isGenerated,
  ],
  [
    "authorization", // RFC 6750 and 7617, rfc-editor.org
    ["uthorization", "UTHORIZATION"],
    /(?<kept>authorization\\{0,3}["'`]?\]?\s{0,3}[:=,]\s{0,3}\\{0,3}["'`]?(?:[a-z][a-z-]{1,20}\s{1,3})?(?:(?:token|key|signature)=\\{0,3}["']?)?)(?<value>[\w.~+/:-]{8,4096}={0,2})/gi,
    isGenerated,
  ],
  [
    "authorization", // RFC 6750, rfc-editor.org
    ["earer ", "EARER "],
    /(?<kept>\bbearer )(?<value>[\w.~+/-]{16,}={0,2})/gi,
    looksRandom,
  ],
  ...kindsOf("cookie", isGenerated, [
    [
      ["ookie", "OOKIE"], // RFC 6265, rfc-editor.org
      /(?<kept>(?<!(?<!\\)\w)set-cookie:\s{0,3}[\w.-]{1,100}=)(?<value>[^;\s"'\\]{8,4096})/gi,
    ],
    [
      ["ookie", "OOKIE", "curl"], // RFC 6265, rfc-editor.org
      /(?<kept>(?<!-)(?<!(?<!\\)\w)cookie\\{0,3}["']?:\s{0,3}\\{0,3}["']?|(?<!(?<!\\)\w)curl\b[^\n]{0,200}? (?:-b|--cookie) ?\\{0,3}["']?)(?<value>[\w.-]{1,100}=[^\r\n"'`\\{}<>]{7,8191}[^\s"'`\\{}<>])/gi,
    ],
    [
      ["TRUE\t", "FALSE\t", "TRUE\\t", "FALSE\\t"], // the cookie file, curl.se/docs/http-cookies.html
      /(?<kept>(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\/[^\s\\]{0,100}(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\d{1,12}(?:\t|\\t)[^\s\\]{1,100}(?:\t|\\t))(?<value>(?!\[redacted: )[^\s"'\\]{8,4096})/g,
    ],
    [
      ["document.cookie"], // Document.cookie, developer.mozilla.org
      /(?<kept>document\.cookie\s?=\s?["'`][\w.-]{1,60}=)(?<value>[\w%.+/=-]{16,4096})/g,
    ],
  ]),
  [
    "url-key", // access keys of functions, learn.microsoft.com; key URI format, github.com
    URL_KEYS.flatMap((name) => [`?${name}=`, `&${name}=`]),
    /(?<kept>[?&](?:code|key|sig|secret|magic|otp|invite|ticket|verify|reset|jwt|sid)=)(?<value>[^\s&#"'`<>\\{}$[\]]{16,4096})/gi,
    isGenerated,
  ],
  ...kindsOf("password", isFilledIn, [
    [
      ["dentified", "DENTIFIED", "assword", "ASSWORD"], // dev.mysql.com, postgresql.org
      /(?<kept>(?<!(?<!\\)\w)(?:(?:identified(?:\s{1,4}with\s{1,4}\w{3,40})?|\w{3,30}_password)\s{1,4}by|(?:with|login|encrypted|user\s{1,4}\w{1,60})\s{1,4}password)\s{1,4}\\{0,3}')(?<value>(?!\[redacted: )[^'\s\\]{3,256})/gi,
    ],
    [
      ["requirepass", "masterauth", "assword", "bindpw", "rootpw"], // redis.io, gnu.org, man7.org
      /(?<kept>(?:(?<!(?<!\\)\w)(?:requirepass|masterauth|bindpw|rootpw)|(?<!(?<!\\)\w)login(?:\s|\\n){1,8}\S{1,100}(?:\s|\\n){1,8}password)(?:\s|\\n){1,8})(?<value>(?!\[redacted: )[^\s"'\\]{3,256})/g,
    ],
    [
      [":5432:", ":3306:", ":5433:", ":6432:", ":*:"], // the password file, postgresql.org
      /(?<kept>(?<![^\s"'`n]|(?<!\\)n)[\w.*-]{1,100}:(?:\d{4,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:)(?<value>(?!\[redacted: )[^\s:"'\\]{3,256})(?![^\s"'\\])/g,
    ],
    [
      "mysqli PDO( _connect( .connect( >connect( _login( .login( _auth_password(".split(" ").concat(
        "uth=( asicAuth asic_auth asicauth Credentials( creds=(".split(" "),
      ), // mysqli and PDO, php.net; authentication, requests.readthedocs.io
      /(?<kept>(?<![\w.])(?:(?:new )?(?:mysqli|PDO)\(|(?:mysqli|pg|ftp|ssh2|oci)_(?:connect|login|auth_password)\(|(?:pymysql|MySQLdb|psycopg2|cx_Oracle)\.connect\()\s{0,8}\\{0,3}["'$][^"'\n]{0,120}["']?,\s{0,8}\\{0,3}["'][^"'\n]{1,60}["'],\s{0,8}\\{0,3}["']|DBI->connect\(\s{0,8}["'][^"'\n]{0,120}["'],\s{0,8}["'][^"'\n]{1,60}["'],\s{0,8}["']|(?:\bauth=\(|[Bb]asic(?:_?a|A)uth[( ]|(?:Plain|UsernamePassword)\w{0,12}Credentials\(|\b(?:imap|smtp|server|mail|client|ftp|conn)\w{0,12}\.login\(|\bcreds=\()\s{0,8}\\{0,3}["'][^"'\n]{1,60}["'],?\s{0,8}\\{0,3}["'])(?<value>(?!\[redacted: )[^"'\n\\$]{3,128})(?=\\{0,3}["'])/g,
    ],
    [
      ["jwt.", "JWT.", "jsonwebtoken."], // github.com/auth0/node-jsonwebtoken, pyjwt.readthedocs.io
      /(?<kept>(?<![\w.])(?:jwt|JWT|jsonwebtoken)\.(?:sign|verify|encode|decode)\([^"'\n]{1,120}, ?\\{0,3}["'])(?<value>(?!\[redacted: )[^"'\n\\$]{6,256})(?=\\{0,3}["'])/g,
    ],
    [
      ["curl"], // the options --user and --proxy-user, curl.se/docs
      // A backslash at the end of a line continues the command.
      /(?<kept>(?<!(?<!\\)\w)curl\b(?:[^\n]|\\\n){0,200}?\s(?:-[uU]|--(?:proxy-)?user[ =]) ?\\{0,3}["']?[^\s:"'\\]{1,100}:)(?<value>(?!\[redacted: |[xX](?:["'\s]|$))[^\s"'\\]{1,256})/g,
    ],
    [
      ["sshpass", "mysql", "mariadb", "login", "redis-cli", "zip"], // man7.org
      /(?<kept>(?<!(?<!\\)\w)(?:sshpass -p ?|(?:mysql|mariadb)\w*(?:-\w+)?\b[^\n;&|]{0,100}? -p|(?:docker|podman|nerdctl|buildah|skopeo|helm|oc|az|cf)\b[ \w-]{0,20}? login\b[^\n;&|]{0,100}? -p[ =]?|redis-cli\b[^\n;&|]{0,100}? -a ?|(?:un)?zip\b[^\n;&|]{0,100}? -P ?)\\{0,3}["']?)(?<value>(?!\[redacted: )[^\s"'\\-][^\s"'\\]{2,255})/g,
    ],
    [
      [" pass:"], // pass phrase options, docs.openssl.org
      /(?<kept>-pass(?:in|out)? pass:)(?<value>(?!\[redacted: )[^\s"'\\]{3,256})/g,
    ],
    [
      ["htpasswd", "SecureString", "net use"], // httpd.apache.org, learn.microsoft.com
      /(?<kept>(?<!(?<!\\)\w)htpasswd\b[^\n;&|]{0,60}? -\w?b\w? ["']?\S{1,100} \S{1,60} ["']?|\bConvertTo-SecureString (?:-String )?["']|\bnet use\b[^\n]{0,20}? \\\\\S{1,100} )(?<value>(?!\[redacted: )[^\s"'\\/$*-][^\s"'\\]{2,255})/g,
    ],
    [
      ["sudo -S", "sudo --stdin", "chpasswd", "-stdin", "--with-token"], // sudo.ws, docs.docker.com
      /(?<kept>(?<!(?<!\\)\w)echo (?:-n )?["']?(?:[\w.-]{1,60}:)?)(?<value>(?!\[redacted: )[^\s"'\\$`]{3,256})(?=["']? {0,2}\| {0,2}(?:sudo (?:-S|--stdin)|(?:sudo )?chpasswd|[^\n|]{1,120}? --(?:password-stdin|with-token|stdin))\b)/g,
    ],
    [
      ["mongo", "reset-admin-password ", "lftp", "smbclient", "ldap", "openssl", "keytool"].concat(
        "ssh-keygen",
        "7z ",
      ), // options of mongosh, lftp, ldapsearch and others, man7.org
      /(?<kept>(?<!(?<!\\)\w)(?:mongo\w*\b[^\n;&|]{0,200}? (?:-p|--password)[= ]|grafana[ -]cli\b[^\n;&|]{0,60}? reset-admin-password |lftp\b[^\n;&|]{0,100}? -u [^\s,]{1,100},|smbclient\b[^\n;&|]{0,100}? (?:-U|--user)[= ]?["']?[^\s%"']{1,100}%|ldap(?:search|modify|add|delete|passwd|whoami)\b[^\n;&|]{0,200}? -w |openssl\b[^\n;&|]{0,200}? -k |keytool\b[^\n;&|]{0,300}? -(?:store|key|deststore|destkey|srcstore|srckey)pass |ssh-keygen\b[^\n;&|]{0,200}? -N |7z \w{1,2}\b[^\n;&|]{0,100}? -p)\\{0,3}["']?)(?<value>(?!\[redacted: )[^\s"'\\$-][^\s"'\\]{2,255})/g,
    ],
    [
      [" -a ", " -a=", " --auth", "altool", "-setcookie ", "mc alias set ", "mc config host "]
        .concat(
          "mosquitto_",
          "snmp",
          "ipmitool",
          "sqlplus",
          "rabbitmqctl ",
        ), // httpie.io/docs, man7.org, docs.oracle.com, min.io/docs, rabbitmq.com/docs
      /(?<kept>(?<!(?<!\\)\w)(?:https?\b[^\n;&|]{0,100}? (?:-a|--auth)[= ]["']?[^\s:"']{1,100}:|mosquitto_\w{3}\b[^\n;&|]{0,200}? -P |altool\b[^\n;&|]{0,200}? -p |snmp\w{3,9}\b[^\n;&|]{0,200}? -[AX] |-setcookie |ipmitool\b[^\n;&|]{0,100}? -P |sqlplus \S{1,60}\/(?=\S{1,100}@)|mc (?:alias set|config host add) \S{1,60} \S{1,200} \S{1,100} |rabbitmqctl (?:add_user|change_password) \S{1,100} )\\{0,3}["']?)(?<value>(?!\[redacted: )[^\s"'\\$-][^\s"'\\]{2,255})/g,
    ],
  ]),
  ...kindsOf("password", isPasswordInProse, [
    [
      ["assword", "ASSWORD", "asswort", "asscode", "assphrase", "pass is "], // prose, owasp.org
      /(?<kept>(?<!(?<!\\)\w)pass(?:word|wort|code|phrase|(?= is ))(?: for [\w.@ -]{1,40}?| of [\w.@ -]{1,40}?)?(?: (?:is|was|to|ist|lautet|are))?:? ?\\{0,3}["'`“„«]?)(?<value>(?<=["'`“„«])[^\s"'`”“»\\]{4,128}(?=\\{0,3}["'`”“»])|(?<= (?:is|was|to|ist|lautet):? )[^\s"'`“„,;()<>\\]{6,128})/gi,
    ],
    [
      ["ot de passe", "enha ", "arola d", "assword ", "ASSWORD "].concat(
        "enha: enha= ontrase achtwoord ösenord ennwort asswort assord dgangskode".split(" "),
      ).concat("asło ароль パスワード 密码 密碼 비밀번호 ifre".split(" ")), // sentences with a password in other languages, owasp.org
      /(?<kept>(?:(?<!\p{L})(?:mot de passe|contrase(?:ñ|n)a|senha|parola d'ordine|wachtwoord|lösenordet|lösenord|kennwort|passwort|passord(?:et)?|adgangskode(?:n)?|hasło|пароль|şifre|password(?= (?:del|della|di|per|de|du|da|do|è|est|es|é) ))|パスワード|密码|密碼|비밀번호)(?:(?: [\p{L}'.-]{1,20}){0,6} (?:ist|lautet|est|es|é|è|is|är|er|jest|to|это|:) ?|[ \u00a0]?(?:[:：=]|は|是|为|為|는|은) ?)(?:[:：] ?)?["'`“„«「]?)(?<value>(?![\w.+-]+@)[!#-&*+./-9=?-_a-z{-~-]{6,128})/giu,
    ],
    [
      ["assword to ", "assword for ", "assword when ", "assword you "], // prose, owasp.org
      /(?<kept>(?<!(?<!\\)\w)password (?:to|for|when|you)(?: [\w'-]{1,20}){1,8}: ?["'`]?)(?<value>(?![\w.+-]+@)[^\s"'`,;()<>\\]{6,128})/gi,
    ],
    [
      ["Password ", 'send "', "send '", "send -- ", "send \\"], // developer.android.com, core.tcl-lang.org
      /(?<kept>(?:^|\n|\\n)[ \t]{0,20}(?:\w{1,40}Password|send(?: --)?) \\{0,3}["'])(?<value>(?!\[redacted: )[^\s"'\\]{4,128})(?=(?:\\{1,3}r)?\\{0,3}["'](?:\s|\\n|$))/g,
    ],
    [
      ["ogin:", "redentials:", "ogin as ", "ogin with ", "og in ", "ign in "], // prose, owasp.org
      /(?<kept>\b(?:(?:login|credentials): ?|(?:log ?in|sign in) (?:as|with) )[\w.@-]{2,40} ?\/ ?)(?<value>[^\s"'`,;()<>\\]{6,64})/gi,
    ],
    [
      ["--user ", "--user=", "bundle config "], // etcdctl, etcd.io/docs; bundle config, bundler.io
      /(?<kept>(?:\s--user[ =]["']?|\bbundle config \S{1,100} )[^\s:"']{1,60}:)(?<value>(?!\[redacted: )[^\s"'\\:]{6,255})/g,
    ],
  ]),
  ...kindsOf("secret", isMixed, [
    [
      ['("', "('", '( "', "( '", ', "', ", '"], // keys as arguments of clients, segment.com/docs, ably.com/docs
      /(?<kept>[(,]\s?["'])(?<value>(?!sha\d)[A-Za-z0-9][\w.:-]{22,199})(?=["']\s?[),])/g,
    ],
    [
      ["X-", "x-"], // authentication headers, api-docs.honeycomb.io, jfrog.com/help
      /(?<kept>\b[Xx]-[A-Za-z-]{2,40}(?<!-id|-Id|-ID):\s{0,3})(?<value>[A-Za-z0-9+/_=-]{20,200})(?![\w.])/g,
    ],
    [
      ["_SESSION="], // the session key of a vault, bitwarden.com/help/cli
      /(?<kept>\b[A-Z]{2,20}_SESSION=\\{0,3}["']?)(?<value>[\w+/=-]{40,4096})/g,
    ],
    [
      ["key ", "key: ", "token ", "token: ", "secret ", "secret: "], // sentences with a key, owasp.org
      /(?<kept>\b(?:my|the|our|your|api|access|new|this|following) (?:\w{1,12} )?(?:key|token|secret)(?: is)?:? ["'`]?)(?<value>[A-Za-z0-9][\w+/=-]{23,255})(?![\w/.-])/gi,
    ],
  ]),
  [
    "twilio-key", // account SID and auth token, twilio.com/docs
    ["wilio"],
    /(?<kept>(?<![\w-])(?:AC[0-9a-f]{32}|\[redacted: \w{1,20}\])["'],\s{0,4}["'])(?<value>[0-9a-f]{32})(?=["'])/g,
  ],
  [
    "webhook", // incoming webhooks of Teams, Mattermost, Zapier and Make, learn.microsoft.com
    ["IncomingWebhook/", "/hooks/", ".make.com/"],
    /(?<kept>IncomingWebhook\/|:\/\/[\w.:-]{1,100}\/hooks\/(?:catch\/\d{1,10}\/)?|:\/\/hook\.[a-z]{2}\d\.make\.com\/)(?<value>(?=[a-z]{0,40}\d)[a-z\d]{6,40}(?![\w-]))/g,
  ],
  [
    "password-hash", // crypt(5), man7.org; RFC 9106; password hashers, docs.djangoproject.com
    "$2 $1$ $5$ $6$ $7$ $y$ $gy$ $apr1$ $argon2 pbkdf2_sha {SSHA".split(" "),
    /(?<![\w$])(?:\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}|\$(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|\$[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|\$(?:y|7|gy)\$[./A-Za-z0-9$]{40,120}|\$argon2(?:id|i|d)\$v=\d{1,3}\$[\w=,]{5,40}\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{16,128}|pbkdf2_sha\d{1,3}\$\d{1,8}\$\w{1,40}\$[A-Za-z0-9+/=]{28,90}|\{SSHA(?:\d{3})?\}[A-Za-z0-9+/=]{28,120})/g,
  ],
  [
    "private-key", // RFC 7518, JSON Web Algorithms, rfc-editor.org
    ["kty"],
    /(?<kept>(?<![\w-])\\{0,3}"(?:d|p|q|dp|dq|qi|k)\\{0,3}"\s?:\s?\\{0,3}")(?<value>[\w-]{20,3000})(?=\\{0,3}")/g,
  ],
  [
    "vault-token", // vault operator init, developer.hashicorp.com
    ["Unseal Key", "Recovery Key"],
    /(?<kept>(?:Unseal|Recovery) Key \d{1,2}: )(?<value>[A-Za-z0-9+/]{40,70}={0,2})/g,
  ],
  ...kindsOf("password", isGenerated, [
    [
      ["New value: ", "initial-password"], // elastic.co/docs, argo-cd.readthedocs.io
      /(?<kept>New value: |\binitial-password(?:\n|\\n))(?<value>[\w*+=-]{12,64})(?![\w*+=-])/g,
    ],
    [
      ["following password"], // the initial password, jenkins.io/doc
      /(?<kept>following password [^\n:]{0,60}:(?:\s|\\n){1,8})(?<value>[\w*+=-]{12,64})(?![\w*+=-])/g,
    ],
    [
      ["?? ", "??\n", "|| ", "||\n"], // a default after a setting, owasp.org
      /(?<kept>(?:[Pp]assw(?:or)?d|PASSW(?:OR)?D|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Kk]ey|KEY)\w{0,20}["']?\]?\)?\s{0,3}(?:[:=]\s{0,3}[\w.[\]"'()?]{1,80}\s{1,3})?(?:\?\?|\|\|)\s{1,3}\\{0,3}["'])(?<value>(?!\[redacted: )[^"'\n\\$\s]{8,256})(?=\\{0,3}["'])/g,
    ],
    [
      ["ENV ", "ARG ", "setenv ", "set -"], // docs.docker.com, fishshell.com/docs
      // Matches a value after an uppercase name and a space, as in `ENV API_KEY value`.
      /(?<kept>(?<!(?<!\\)\w)(?:ENV|ARG|setenv|set -\w{1,3}) (?=\w*(?:PASS|PWD|SECRET|TOKEN|KEY|_PW))\w{2,60}(?<!PUBLIC_KEY|_FILE|_PATH|_ID|_URL) ["']?)(?<value>(?!\[redacted: )[^\s"'\\$=]{6,4096})/g,
    ],
  ]),
  [
    "secret", // clients that take an id and a key, algolia.com/doc
    ["lient(", "earch("],
    /(?<kept>\b[\w.]{0,40}(?:[Cc]lient|[Ss]earch)\(\s{0,4}["'][^"'\n]{1,80}["'],\s{0,4}["'])(?<value>[0-9a-f]{32,64})(?=["'])/g,
  ],
  [
    "secret", // permanent tokens, jetbrains.com/help
    ["perm:", "perm-"],
    /(?<![\w-])perm[:-][\w+/=]{4,200}\.[\w+/=]{2,100}\.[\w+/=]{20,100}/g,
  ],
  [
    "url-password", // user and password before a host without a scheme, elastic.co/docs
    "@tcp( @unix( @localhost @127.0.0.1 .com: .net: .io: .local: .internal:".split(" "),
    /(?<kept>(?<![\w/:.@-])[\w.-]{1,60}:)(?<value>(?!\[redacted: )[^\s@/:"'<>`]{8,128})(?=@(?:(?:tcp|unix)\(|[\w-]+(?:\.[\w-]+){0,6}(?::\d{2,5}|\/)))/g,
    isGenerated,
  ],
  [
    "password", // playwright.dev, docs.cypress.io, selenium.dev
    [".fill(", ".type(", "send_keys(", "sendKeys(", ".setValue("],
    /(?<kept>(?:[Pp]assw(?:or)?d|[Pp]wd|[Ss]ecret|[Tt]oken)[^"'\n]{0,20}["'][^\n]{0,30}?\.(?:fill|type|send_keys|sendKeys|setValue)\(\\{0,3}["']|\.(?:fill|type|setValue)\(\\{0,3}["'][^"'\n]{0,60}(?:[Pp]assw(?:or)?d|[Pp]wd)[^"'\n]{0,20}["'], ?\\{0,3}["'])(?<value>(?!\[redacted: )[^"'\n\\$]{4,128})(?=\\{0,3}["'])/g,
    isPasswordLiteral,
  ],
  [
    "secret", // codes for two-factor authentication, docs.github.com
    ["ackup code", "ecovery code"],
    /(?<kept>(?:[Bb]ackup|[Rr]ecovery) codes?(?: are| is)?:\s{0,3})(?<value>(?:[\w-]{8,24}(?:, ?|\s{1,3})?){1,20})/g,
    (value) => /\d.*\d/.test(value),
  ],
  ...kindsOf("secret", isGenerated, [
    [
      [" login ", "authtoken ", "secret set", "secrets set", "secret put", "secrets put"], // cli.github.com
      /(?<kept>\b(?:\w{2,20} login |add-authtoken |secrets? (?:set|put) [\w-]{1,80}(?: --(?:body|value)| -b)?[ =]?)["']?)(?<value>[A-Za-z0-9][\w.-]{23,255})/g,
    ],
    [
      ["curl", "cloudflared"], // developer.mixpanel.com, developers.cloudflare.com/tunnel
      /(?<kept>(?<!(?<!\\)\w)(?:curl\b(?:[^\n]|\\\n){0,200}?\s-[uU] ?\\{0,3}["']?(?=[^\s:"'\\]{1,200}:(?:[xX]|api_token)?\\{0,3}(?:["'\s]|$))|cloudflared\b[^\n]{0,60}? (?:install |--token[ =])))(?<value>[A-Za-z0-9][\w+/=-]{15,1000})/g,
    ],
  ]),
];

type Row = readonly [hints: readonly string[], pattern: RegExp];

function kindsOf(kind: string, check: Required<SecretKind>[3], rows: readonly Row[]): SecretKind[] {
  return rows.map(([hints, pattern]) => [kind, hints, pattern, check]);
}

/** Patterns for credentials that are recognizable mostly by the words around them. */

import type { SecretKind } from "./kinds.ts";

/** In UTF-16 code units. Covers an RSA key of 16,384 bits. */
const MULTILINE_REACH = 16 * 1024;

/** Searched for after the kinds with a distinctive shape. */
export const CONTEXT_KINDS: readonly SecretKind[] = [
  {
    kind: "mailgun-key",
    hints: ["ailgun", "AILGUN"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/g,
    source: "API keys, documentation.mailgun.com",
  },
  {
    kind: "npm-auth",
    hints: ["_auth", "_password"],
    pattern: /(?<kept>:_(?:authToken|auth|password)\s?=\s?["']?)(?<value>[^\s"'$[<{][^\s"']{7,})/g,
    source: ".npmrc, auth related configuration, docs.npmjs.com",
  },
  {
    kind: "putty-key",
    hints: ["Private-Lines:"],
    reach: MULTILINE_REACH,
    pattern:
      /(?<kept>Private-Lines: \d{1,3}(?:\s|\\r|\\n){1,4})(?<value>(?:[A-Za-z0-9+/=]{1,64}(?:\s|\\r|\\n){1,4}){1,200}Private-MAC: [0-9a-f]{40,64})/g,
    source: "the PPK file format, the.earth.li",
  },
  {
    kind: "aws-secret-key",
    hints: ["ecret", "ECRET"],
    pattern:
      /(?<kept>secret[_ -]?(?:access[_ -]?)?key(?: \[\w{1,20}\])?\\{0,3}["']?\s{0,4}(?:=>|[:=])\s{0,4}\\{0,3}["']?)(?<value>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/gi,
    source: "IAM access keys, 40 characters of base64, docs.aws.amazon.com",
  },
  {
    kind: "url-credentials",
    hints: [":x-oauth-basic@"],
    pattern: /(?<kept>:\/\/)(?<value>[^\s@/:(){}<>]{1,256}:x-oauth-basic)(?=@)/g,
    source: "Git over HTTPS with OAuth, github.blog",
  },
  {
    kind: "url-password",
    hints: ["://"],
    pattern: /(?<kept>:\/\/[^\s:@/"'<>`]{0,100}:)(?<value>[^\s@/"'<>`]{1,256})(?=@[\w[])/g,
    valueCheck: "filled",
    source: "RFC 3986, userinfo, rfc-editor.org",
  },
  {
    kind: "url-credentials",
    hints: ["://"],
    pattern: /(?<kept>:\/\/)(?<value>[\w-]{20,256}:?)(?=@[\w[])/g,
    valueCheck: "generated",
    source: "the DSN of a project, docs.sentry.io; a token as the user, docs.gitlab.com",
  },
  {
    kind: "authorization",
    hints: ["uthorization", "UTHORIZATION"],
    pattern:
      /(?<kept>authorization\\{0,3}["'`]?\]?\s{0,3}[:=,]\s{0,3}\\{0,3}["'`]?(?:[a-z][a-z-]{1,20}\s{1,3})?(?:(?:token|key|signature)=\\{0,3}["']?)?)(?<value>[\w.~+/:-]{8,4096}={0,2})/gi,
    valueCheck: "generated",
    source: "RFC 6750 and 7617, rfc-editor.org",
  },
  {
    kind: "authorization",
    hints: ["earer ", "EARER "],
    pattern: /(?<kept>\bbearer )(?<value>[\w.~+/-]{16,}={0,2})/gi,
    valueCheck: "random",
    source: "RFC 6750, rfc-editor.org",
  },
  {
    kind: "cookie",
    hints: ["ookie", "OOKIE"],
    pattern:
      /(?<kept>(?<!(?<!\\)\w)set-cookie:\s{0,3}[\w.-]{1,100}=)(?<value>[^;\s"'\\]{8,4096})/gi,
    valueCheck: "generated",
    source: "RFC 6265, rfc-editor.org",
  },
  {
    kind: "cookie",
    hints: ["ookie", "OOKIE", "curl"],
    pattern:
      /(?<kept>(?<!-)(?<!(?<!\\)\w)cookie\\{0,3}["']?:\s{0,3}\\{0,3}["']?|(?<!(?<!\\)\w)curl\b[^\n]{0,200}? (?:-b|--cookie) ?\\{0,3}["']?)(?<value>[\w.-]{1,100}=[^\r\n"'`\\{}<>]{7,8191}[^\s"'`\\{}<>])/gi,
    valueCheck: "generated",
    source: "RFC 6265, rfc-editor.org",
  },
  {
    kind: "url-key",
    hints: "code key sig secret magic otp invite ticket verify reset jwt sid".split(" ")
      .flatMap((name) => [`?${name}=`, `&${name}=`]),
    pattern:
      /(?<kept>[?&](?:code|key|sig|secret|magic|otp|invite|ticket|verify|reset|jwt|sid)=)(?<value>[^\s&#"'`<>\\{}$[\]]{16,4096})/gi,
    valueCheck: "generated",
    source: "access keys of functions, learn.microsoft.com; key URI format, github.com",
  },
  {
    kind: "password",
    hints: ["dentified", "DENTIFIED", "assword", "ASSWORD"],
    pattern:
      /(?<kept>(?<!(?<!\\)\w)(?:(?:identified(?:\s{1,4}with\s{1,4}\w{3,40})?|\w{3,30}_password)\s{1,4}by|(?:with|login|encrypted|user\s{1,4}\w{1,60})\s{1,4}password)\s{1,4}\\{0,3}')(?<value>(?!\[redacted: )[^'\s\\]{3,256})/gi,
    valueCheck: "filled",
    source: "CREATE USER and ALTER ROLE, dev.mysql.com, postgresql.org",
  },
  {
    kind: "password",
    hints: ["requirepass", "masterauth", "assword", "bindpw", "rootpw"],
    pattern:
      /(?<kept>(?:(?<!(?<!\\)\w)(?:requirepass|masterauth|bindpw|rootpw)|(?<!(?<!\\)\w)login(?:\s|\\n){1,8}\S{1,100}(?:\s|\\n){1,8}password)(?:\s|\\n){1,8})(?<value>(?!\[redacted: )[^\s"'\\]{3,256})/g,
    valueCheck: "filled",
    source: "redis.conf, redis.io; the .netrc file, gnu.org; ldap.conf, man7.org",
  },
  {
    kind: "password",
    hints: [":5432:", ":3306:", ":5433:", ":6432:", ":*:"],
    pattern:
      /(?<kept>(?<![^\s"'`n]|(?<!\\)n)[\w.*-]{1,100}:(?:\d{4,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:)(?<value>(?!\[redacted: )[^\s:"'\\]{3,256})(?![^\s"'\\])/g,
    valueCheck: "filled",
    source: "the password file, postgresql.org",
  },
  {
    kind: "password",
    hints: ["assword", "ASSWORD", "asswort", "asscode", "assphrase", "pass is "],
    pattern:
      /(?<kept>(?<!(?<!\\)\w)pass(?:word|wort|code|phrase|(?= is ))(?: for [\w.@ -]{1,40}?| of [\w.@ -]{1,40}?)?(?: (?:is|was|to|ist|lautet|are))?:? ?\\{0,3}["'`“„«]?)(?<value>(?<=["'`“„«])[^\s"'`”“»\\]{4,128}(?=\\{0,3}["'`”“»])|(?<= (?:is|was|to|ist|lautet):? )[^\s"'`“„,;()<>\\]{6,128})/gi,
    valueCheck: "prose",
    source: "passwords stated in prose, owasp.org",
  },
  {
    kind: "password",
    hints: ["ot de passe", "enha ", "arola d", "assword ", "ASSWORD "]
      .concat("enha: enha= ontrase achtwoord ösenord ennwort asswort assord dgangskode".split(" "))
      .concat("asło ароль パスワード 密码 密碼 비밀번호 ifre".split(" ")),
    pattern:
      /(?<kept>(?:(?<!\p{L})(?:mot de passe|contrase(?:ñ|n)a|senha|parola d'ordine|wachtwoord|lösenordet|lösenord|kennwort|passwort|passord(?:et)?|adgangskode(?:n)?|hasło|пароль|şifre|password(?= (?:del|della|di|per|de|du|da|do|è|est|es|é) ))|パスワード|密码|密碼|비밀번호)(?:(?: [\p{L}'.-]{1,20}){0,6} (?:ist|lautet|est|es|é|è|is|är|er|jest|to|это|:) ?|[ \u00a0]?(?:[:：=]|は|是|为|為|는|은) ?)(?:[:：] ?)?["'`“„«「]?)(?<value>(?![\w.+-]+@)[!#-&*+./-9=?-_a-z{-~-]{6,128})/giu,
    valueCheck: "prose",
    source: "sentences with a password in other languages, owasp.org",
  },
  {
    kind: "password",
    hints: ["assword to ", "assword for ", "assword when ", "assword you "],
    pattern:
      /(?<kept>(?<!(?<!\\)\w)password (?:to|for|when|you)(?: [\w'-]{1,20}){1,8}: ?["'`]?)(?<value>(?![\w.+-]+@)[^\s"'`,;()<>\\]{6,128})/gi,
    valueCheck: "prose",
    source: "passwords stated in prose, owasp.org",
  },
  {
    kind: "secret",
    hints: ['("', "('", '( "', "( '", ', "', ", '"],
    pattern: /(?<kept>[(,]\s?["'])(?<value>(?!sha\d)[A-Za-z0-9][\w.:-]{22,199})(?=["']\s?[),])/g,
    valueCheck: "mixed",
    source: "keys as arguments of clients, segment.com/docs, ably.com/docs",
  },
  {
    kind: "secret",
    hints: ["X-", "x-"],
    pattern:
      /(?<kept>\b[Xx]-[A-Za-z-]{2,40}(?<!-id|-Id|-ID):\s{0,3})(?<value>[A-Za-z0-9+/_=-]{20,200})(?![\w.])/g,
    valueCheck: "mixed",
    source: "authentication headers, api-docs.honeycomb.io, jfrog.com/help",
  },
  {
    kind: "aws-secret-key",
    hints: ["Credentials"],
    pattern:
      /(?<kept>(?:StaticCredentials\w{0,20}|(?:Basic|AwsBasic|BasicSession|Session)(?:AWS)?Credentials(?:\.create)?)\(\s{0,20}["'][^"'\n]{1,60}["'],\s{0,20}["'])(?<value>[A-Za-z0-9/+=]{40})(?=["'])/g,
    source: "static credentials of the SDKs, docs.aws.amazon.com",
  },
  {
    kind: "twilio-key",
    hints: ["wilio"],
    pattern:
      /(?<kept>(?<![\w-])(?:AC[0-9a-f]{32}|\[redacted: \w{1,20}\])["'],\s{0,4}["'])(?<value>[0-9a-f]{32})(?=["'])/g,
    source: "account SID and auth token, twilio.com/docs",
  },
  {
    kind: "webhook",
    hints: ["IncomingWebhook/", "/hooks/", ".make.com/"],
    pattern:
      /(?<kept>IncomingWebhook\/|:\/\/[\w.:-]{1,100}\/hooks\/(?:catch\/\d{1,10}\/)?|:\/\/hook\.[a-z]{2}\d\.make\.com\/)(?<value>(?=[a-z]{0,40}\d)[a-z\d]{6,40}(?![\w-]))/g,
    source: "incoming webhooks of Teams, Mattermost, Zapier and Make, learn.microsoft.com",
  },
  {
    kind: "password-hash",
    hints: "$2 $1$ $5$ $6$ $7$ $y$ $gy$ $apr1$ $argon2 pbkdf2_sha {SSHA".split(" "),
    pattern:
      /(?<![\w$])(?:\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}|\$(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|\$[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|\$(?:y|7|gy)\$[./A-Za-z0-9$]{40,120}|\$argon2(?:id|i|d)\$v=\d{1,3}\$[\w=,]{5,40}\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{16,128}|pbkdf2_sha\d{1,3}\$\d{1,8}\$\w{1,40}\$[A-Za-z0-9+/=]{28,90}|\{SSHA(?:\d{3})?\}[A-Za-z0-9+/=]{28,120})/g,
    source: "crypt(5), man7.org; RFC 9106; password hashers, docs.djangoproject.com",
  },
  {
    kind: "private-key",
    hints: ["kty"],
    reach: MULTILINE_REACH,
    pattern:
      /(?<kept>(?<![\w-])\\{0,3}"(?:d|p|q|dp|dq|qi|k)\\{0,3}"\s?:\s?\\{0,3}")(?<value>[\w-]{20,3000})(?=\\{0,3}")/g,
    source: "RFC 7518, JSON Web Algorithms, rfc-editor.org",
  },
  {
    kind: "vault-token",
    hints: ["Unseal Key", "Recovery Key"],
    pattern: /(?<kept>(?:Unseal|Recovery) Key \d{1,2}: )(?<value>[A-Za-z0-9+/]{40,70}={0,2})/g,
    source: "vault operator init, developer.hashicorp.com",
  },
  {
    kind: "password",
    hints: ["New value: ", "initial-password"],
    pattern:
      /(?<kept>New value: |\binitial-password(?:\n|\\n))(?<value>[\w*+=-]{12,64})(?![\w*+=-])/g,
    valueCheck: "generated",
    source: "elasticsearch-reset-password, elastic.co/docs; argocd admin, argo-cd.readthedocs.io",
  },
  {
    kind: "password",
    hints: ["Password ", 'send "', "send '", "send -- ", "send \\"],
    pattern:
      /(?<kept>(?:^|\n|\\n)[ \t]{0,20}(?:\w{1,40}Password|send(?: --)?) \\{0,3}["'])(?<value>(?!\[redacted: )[^\s"'\\]{4,128})(?=(?:\\{1,3}r)?\\{0,3}["'](?:\s|\\n|$))/g,
    valueCheck: "prose",
    source: "signing configurations, developer.android.com; send, core.tcl-lang.org/expect",
  },
  {
    kind: "password",
    hints: "mysqli PDO( _connect( .connect( >connect( _login( .login( _auth_password(".split(" ")
      .concat("uth=( asicAuth asic_auth asicauth Credentials( creds=(".split(" ")),
    pattern:
      /(?<kept>(?<![\w.])(?:(?:new )?(?:mysqli|PDO)\(|(?:mysqli|pg|ftp|ssh2|oci)_(?:connect|login|auth_password)\(|(?:pymysql|MySQLdb|psycopg2|cx_Oracle)\.connect\()\s{0,8}\\{0,3}["'$][^"'\n]{0,120}["']?,\s{0,8}\\{0,3}["'][^"'\n]{1,60}["'],\s{0,8}\\{0,3}["']|DBI->connect\(\s{0,8}["'][^"'\n]{0,120}["'],\s{0,8}["'][^"'\n]{1,60}["'],\s{0,8}["']|(?:\bauth=\(|[Bb]asic(?:_?a|A)uth[( ]|(?:Plain|UsernamePassword)\w{0,12}Credentials\(|\b(?:imap|smtp|server|mail|client|ftp|conn)\w{0,12}\.login\(|\bcreds=\()\s{0,8}\\{0,3}["'][^"'\n]{1,60}["'],?\s{0,8}\\{0,3}["'])(?<value>(?!\[redacted: )[^"'\n\\$]{3,128})(?=\\{0,3}["'])/g,
    valueCheck: "filled",
    source: "mysqli and PDO, php.net; authentication, requests.readthedocs.io",
  },
  {
    kind: "password",
    hints: ["jwt.", "JWT.", "jsonwebtoken."],
    pattern:
      /(?<kept>(?<![\w.])(?:jwt|JWT|jsonwebtoken)\.(?:sign|verify|encode|decode)\([^"'\n]{1,120}, ?\\{0,3}["'])(?<value>(?!\[redacted: )[^"'\n\\$]{6,256})(?=\\{0,3}["'])/g,
    valueCheck: "filled",
    source: "jwt.sign, github.com/auth0/node-jsonwebtoken; jwt.encode, pyjwt.readthedocs.io",
  },
  {
    kind: "secret",
    hints: ["lient(", "earch("],
    pattern:
      /(?<kept>\b[\w.]{0,40}(?:[Cc]lient|[Ss]earch)\(\s{0,4}["'][^"'\n]{1,80}["'],\s{0,4}["'])(?<value>[0-9a-f]{32,64})(?=["'])/g,
    source: "clients that take an id and a key, algolia.com/doc",
  },
  {
    kind: "cookie",
    hints: ["TRUE\t", "FALSE\t", "TRUE\\t", "FALSE\\t"],
    pattern:
      /(?<kept>(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\/[^\s\\]{0,100}(?:\t|\\t)(?:TRUE|FALSE)(?:\t|\\t)\d{1,12}(?:\t|\\t)[^\s\\]{1,100}(?:\t|\\t))(?<value>(?!\[redacted: )[^\s"'\\]{8,4096})/g,
    valueCheck: "generated",
    source: "the cookie file, curl.se/docs/http-cookies.html",
  },
  {
    kind: "url-password",
    hints: "@tcp( @unix( @localhost @127.0.0.1 .com: .net: .io: .local: .internal:".split(" "),
    pattern:
      /(?<kept>(?<![\w/:.@-])[\w.-]{1,60}:)(?<value>(?!\[redacted: )[^\s@/:"'<>`]{8,128})(?=@(?:(?:tcp|unix)\(|[\w-]+(?:\.[\w-]+){0,6}(?::\d{2,5}|\/)))/g,
    valueCheck: "generated",
    source: "user and password before a host without a scheme, elastic.co/docs",
  },
  {
    kind: "password",
    hints: [".fill(", ".type(", "send_keys(", "sendKeys(", ".setValue("],
    pattern:
      /(?<kept>(?:[Pp]assw(?:or)?d|[Pp]wd|[Ss]ecret|[Tt]oken)[^"'\n]{0,20}["'][^\n]{0,30}?\.(?:fill|type|send_keys|sendKeys|setValue)\(\\{0,3}["']|\.(?:fill|type|setValue)\(\\{0,3}["'][^"'\n]{0,60}(?:[Pp]assw(?:or)?d|[Pp]wd)[^"'\n]{0,20}["'], ?\\{0,3}["'])(?<value>(?!\[redacted: )[^"'\n\\$]{4,128})(?=\\{0,3}["'])/g,
    valueCheck: "literal",
    source: "Locator.fill, playwright.dev; type, docs.cypress.io; send_keys, selenium.dev",
  },
  {
    kind: "password",
    hints: ["following password"],
    pattern:
      /(?<kept>following password [^\n:]{0,60}:(?:\s|\\n){1,8})(?<value>[\w*+=-]{12,64})(?![\w*+=-])/g,
    valueCheck: "generated",
    source: "the initial password, jenkins.io/doc",
  },
  {
    kind: "secret",
    hints: ["perm:", "perm-"],
    pattern: /(?<![\w-])perm[:-][\w+/=]{4,200}\.[\w+/=]{2,100}\.[\w+/=]{20,100}/g,
    source: "permanent tokens, jetbrains.com/help",
  },
  {
    kind: "password",
    hints: ["?? ", "??\n", "|| ", "||\n"],
    pattern:
      /(?<kept>(?:[Pp]assw(?:or)?d|PASSW(?:OR)?D|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Kk]ey|KEY)\w{0,20}["']?\]?\)?\s{0,3}(?:[:=]\s{0,3}[\w.[\]"'()?]{1,80}\s{1,3})?(?:\?\?|\|\|)\s{1,3}\\{0,3}["'])(?<value>(?!\[redacted: )[^"'\n\\$\s]{8,256})(?=\\{0,3}["'])/g,
    valueCheck: "generated",
    source: "a default after a setting, owasp.org",
  },
  {
    kind: "secret",
    hints: ["ackup code", "ecovery code"],
    pattern:
      /(?<kept>(?:[Bb]ackup|[Rr]ecovery) codes?(?: are| is)?:\s{0,3})(?<value>(?:[\w-]{8,24}(?:, ?|\s{1,3})?){1,20})/g,
    valueCheck: "digits",
    source: "codes for two-factor authentication, docs.github.com",
  },
  {
    kind: "secret",
    hints: ["_SESSION="],
    pattern: /(?<kept>\b[A-Z]{2,20}_SESSION=\\{0,3}["']?)(?<value>[\w+/=-]{40,4096})/g,
    valueCheck: "mixed",
    source: "the session key of a vault, bitwarden.com/help/cli",
  },
  {
    kind: "cookie",
    hints: ["document.cookie"],
    pattern: /(?<kept>document\.cookie\s?=\s?["'`][\w.-]{1,60}=)(?<value>[\w%.+/=-]{16,4096})/g,
    valueCheck: "generated",
    source: "Document.cookie, developer.mozilla.org",
  },
  {
    kind: "secret",
    hints: ["key ", "key: ", "token ", "token: ", "secret ", "secret: "],
    pattern:
      /(?<kept>\b(?:my|the|our|your|api|access|new|this|following) (?:\w{1,12} )?(?:key|token|secret)(?: is)?:? ["'`]?)(?<value>[A-Za-z0-9][\w+/=-]{23,255})(?![\w/.-])/gi,
    valueCheck: "mixed",
    source: "sentences with a key, owasp.org",
  },
  {
    kind: "password",
    hints: ["ogin:", "redentials:", "ogin as ", "ogin with ", "og in ", "ign in "],
    pattern:
      /(?<kept>\b(?:(?:login|credentials): ?|(?:log ?in|sign in) (?:as|with) )[\w.@-]{2,40} ?\/ ?)(?<value>[^\s"'`,;()<>\\]{6,64})/gi,
    valueCheck: "prose",
    source: "sentences with a login, owasp.org",
  },
];

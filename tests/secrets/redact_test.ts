import { assert, assertEquals } from "@std/assert";
import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";
import fc from "fast-check";
import { redactSecrets } from "../../src/secrets/redact.ts";
import { COMMAND_KINDS } from "../../src/secrets/commands.ts";
import { CONTEXT_KINDS } from "../../src/secrets/contexts.ts";
import { SECRET_KINDS, UNHINTED_KINDS } from "../../src/secrets/kinds.ts";
import { fillIn } from "./draw.ts";

const RUNS = { numRuns: 300, seed: 20260404 };

interface Shape {
  kind: string;
  /** A template, whose parts in braces are drawn, so that scanners do not report this file as a leak. */
  secret: string;
  before: string;
  after: string;
}

/** The first letters keep an assigned value from looking like words. */
const RANDOM = "q7Zx9{an:20}";

const SHAPES: readonly Shape[] = [
  ...["AKIA", "ASIA"].map((id) => shape("aws-access-key", `${id}{un:16}`)),
  shape("aws-secret-key", "{b64:40}", "aws_secret_access_key = "),
  shape("aws-secret-key", "{b64:40}", '"SecretAccessKey": "', '"'),
  ...["p", "o", "u", "s", "r"].map((c) => shape("github-token", `gh${c}_{an:36}`)),
  shape("github-token", "github_pat_{an:22}_{an:59}"),
  shape("github-token", "ghs_12345_eyJ{an:20}.{an:28}.{an:28}"),
  ...["pat", "dt", "rt", "ptt"].map((c) => shape("gitlab-token", `gl${c}-{url:20}`)),
  ...["a", "b", "e", "p", "r", "s"].map((c) =>
    shape("slack-token", `xox${c}-123456789012-123456789012-{an:24}`)
  ),
  shape("slack-token", "xapp-1-A0{un:9}-1234567890123-{hex:64}"),
  shape("slack-webhook", "T0{un:8}/B0{un:8}/{an:24}", "https://hooks.slack.com/services/"),
  ...["sk_live_", "sk_test_", "rk_live_"].map((c) => shape("stripe-key", `${c}{an:24}`)),
  shape("anthropic-key", "sk-ant-api03-{url:93}AA"),
  shape("openai-key", "sk-{an:19}5T3BlbkFJ{an:20}"),
  ...["proj", "svcacct"].map((c) => shape("openai-key", `sk-${c}-{url:74}T3BlbkFJ{an:74}`)),
  shape("google-api-key", "AIza{an:35}"),
  shape("google-oauth", "GOCSPX-{an:28}"),
  shape("google-oauth", "ya29.{an:60}"),
  shape("npm-token", "npm_{an:36}"),
  shape("npm-auth", "{hex:8}-{hex:4}-4{hex:11}", "//r.example/:_authToken="),
  shape("pypi-token", "pypi-AgEIcHlwaS5vcmc{url:80}"),
  shape("sendgrid-key", "SG.{an:22}.{an:43}"),
  shape("twilio-key", "SK{hex:32}"),
  shape("mailgun-key", "key-{hex:32}"),
  shape("mailgun-key", "{hex:32}-{hex:8}-{hex:8}", "mailgun uses "),
  shape("digitalocean-token", "dop_v1_{hex:64}"),
  shape("huggingface-token", "hf_{le:34}"),
  shape("azure-key", "{b64:86}==", "AccountName=a;AccountKey=", ";Suffix=b"),
  shape("azure-sas", "{an:43}%3D", "https://a.example/c?sv=1&sig="),
  shape("azure-client-secret", "{an:3}8Q~{an:34}"),
  shape("jwt", "eyJ{an:28}.eyJ{an:28}.{an:43}"),
  shape("shopify-token", "shpat_{hex:32}"),
  shape("databricks-token", "dapi{hex:32}"),
  shape("linear-key", "lin_api_{an:40}"),
  shape("docker-token", "dckr_pat_{an:27}"),
  shape("discord-webhook", "{an:68}", "https://discord.com/api/webhooks/123456789012345678/"),
  shape("telegram-token", "1234567890:AA{an:33}"),
  shape("age-key", "AGE-SECRET-KEY-1{un:58}"),
  shape("vault-token", "hvs.{an:95}"),
  shape("1password-token", "ops_eyJ{an:200}fQ=="),
  shape("1password-token", "A3-ABC123-DEF456-{un:5}-AB123-CD456-EF789"),
  shape("model-api-key", "gsk_{an:52}"),
  shape("grafana-token", "glsa_{an:32}_{hex:8}"),
  ...[
    ...["ntn_12345678901{an:35}", "figd_{an:43}", "tskey-auth-{an:16}-{an:32}", "vcp_{an:24}"],
    ...["cfut_{an:40}", "sntrys_{an:60}", "PMAK-{hex:24}-{hex:34}", "NRAK-{un:27}", "sbp_{hex:40}"],
    ...["pscale_pw_{an:43}", "npg_{an:12}", "nfp_{an:36}", "rnd_{an:32}", "pul-{hex:40}"],
    ...["rubygems_{hex:48}", "dp.st.prd.{an:43}", "dt0c01.{un:24}.{un:64}", "bkua_{hex:40}"],
    ...["CCIPAT_{an:40}", "HRKU-AA{an:58}", "fm2_{an:80}", "fo1_{an:43}", "AKCp{an:69}"],
    ...["cmVmdGtu{an:52}", "pat{an:14}.{hex:64}", "oauth:{ln:30}", "sl.{an:130}", "fc-{hex:32}"],
    ...["fw_{an:24}", "pat-na1-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"],
  ].map((secret) => shape("service-token", secret)),
  shape("authorization", RANDOM, "Authorization: Bearer "),
  shape("authorization", "dXNl{an:18}9w==", '"Authorization": "Basic ', '"'),
  shape("authorization", RANDOM, "sent bearer "),
  shape("url-password", RANDOM, "postgres://app:", "@db.example:5432/app"),
  shape("url-password", "hunter22", "https://someone:", "@git.example/a.git"),
  shape("url-credentials", "{hex:40}:x-oauth-basic", "https://", "@github.com/a/b"),
  shape("password", "Tr0ub4dor&3", 'password: "', '"'),
  shape("password", RANDOM, "DB_PASSWORD="),
  shape("password", RANDOM, '\\"passwd\\": \\"', '\\"'),
  shape("secret", RANDOM, "CLIENT_SECRET="),
  shape("secret", RANDOM, "api_key: '", "'"),
  shape("secret", RANDOM, "const accessToken: string = `", "`;"),
  shape("secret", RANDOM, "run --api-key ", " now"),
  shape("password", "Tr0ub4dor!3x9q", "DB_PASSWORD="),
  shape("password", "Summer2024!", "password = '", "'"),
  ...[
    ["curl -sS -u someone:", " https://a.example"],
    ["curl -H 'a: b' \\\n  --user 'someone:", "' https://a.example"],
    ["curl --proxy-user=a:", ""],
    ["sshpass -p '", "' ssh host"],
    ["mysqldump -u root -p", " app"],
    ["docker login -u me -p ", " registry.example"],
    ["redis-cli -h cache -a ", " ping"],
    ["zip -P ", " a.zip a"],
    ["openssl rsa -passin pass:", " -in a.pem"],
  ].map(([before, after]) => shape("password", "huntertwo", before, after)),
  shape("private-key", `${mark("BEGIN", "RSA ")}\nMII{b64:64}\n${mark("END", "RSA ")}`),
  shape("private-key", `${mark("BEGIN", "")}\\nMII{b64:64}\\n${mark("END", "")}`),
  shape("private-key", `${mark("BEGIN", "EC ")}\n{b64:64}\n{b64:64}`),
  // One example each is enough for the kinds below.
  shape("terraform-token", "{an:14}.atlasv1.{an:67}"),
  shape("mail-key", "xkeysib-{hex:64}-{an:16}"),
  shape("atlassian-token", "ATATT3{an:170}"),
  shape("firebase-key", "AAAA{an:7}:APA91b{an:134}"),
  shape("aws-bedrock-key", "ABSK{b64:120}"),
  shape("square-token", "EAAA{an:60}"),
  shape("facebook-token", "EAACED7{an:90}"),
  shape("prefixed-token", "q7Zx9{an:30}", "acme_"),
  shape("bitcoin-key", "Kx7aB{b58:47}", "import "),
  shape("mapbox-token", "sk.eyJ{an:60}.{an:22}"),
  shape("discord-token", "MT{an:22}.G{an:5}.{an:38}"),
  shape("putty-key", "{b64:64}\nPrivate-MAC: {hex:40}", "Private-Lines: 1\n"),
  shape("cookie", "s%3A{an:32}", "Set-Cookie: connect.sid=", "; Path=/"),
  shape("cookie", "sid={an:12}7{an:12}", "Cookie: "),
  shape("webhook", "{hex:25}7", "https://chat.example/hooks/", ""),
  shape("password-hash", "$2b$12${an:53}", "hash "),
  shape("url-key", "{an:12}7{an:40}", "https://a.example/api/f?code=", ""),
];

const LOOK_ALIKES = [
  "password: string;",
  "password: String = config.password",
  "token: ${TOKEN}",
  'token = os.environ["SERVICE_TOKEN_2"]',
  "const apiKey = process.env.API_KEY_V2 ?? readKey(path2);",
  "apiKey: getApiKeyFromStore2(options)",
  "api_key=$API_KEY_2 password=<your-password-1> secret={{ secret_1 }}",
  "max_tokens: 200000, token_count = 1234567890123456789",
  "secretName: my-app-tls-2024-01, secret: my-service-secret-v2-east",
  "tokenPath: /home/me/.config/app/token-2024.json",
  "token=/var/run/secrets/kubernetes.io/serviceaccount/token",
  "password=********* token=xxxxxxxxxxxxxxxxxxxx",
  "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
  `sha256:${"9f86d081".repeat(8)}  a.txt`,
  "id = 123e4567-e89b-12d3-a456-426614174000",
  "Authorization: Bearer <token>, then Basic authentication",
  "Authorization: Bearer ${token} and Bearer YOUR_ACCESS_TOKEN_HERE",
  "https://user:password@host.example https://a.example:8080/@scope/name",
  "git@github.com:owner/repository.git and mailto:someone@example.com",
  "task-runner-with-a-very-long-name-2024 desk-lamp-and-more-things-1234",
  "npm_config_registry npm_package_dependencies_typescript hf_hub_download",
  "eyJ is how a JWT begins; a.b.c is none",
  `it starts with ${mark("BEGIN", "RSA ")} and ends with ${mark("END", "RSA ")}`,
  `${mark("BEGIN", "RSA ")}\n...\n${mark("END", "RSA ")}`,
  "-----BEGIN CERTIFICATE-----\nMIIB" + "Ab3+".repeat(16) + "\n-----END CERTIFICATE-----",
  "curl -u user:password -u $USER:$PASS -u me:<token> https://a.example",
  "curl -u someone https://a.example:8443/b and mysql -u root -p app -P 3306",
  "docker run -p 8080:80 image; docker login && ssh -p 2222 host",
  "AKIA is a prefix; SK-II, SG.com, sk-learn, xox, glpat-, dapi",
];

/** The detector knows this many kinds; the table of shapes alone covers the others. */
const DETECTED = 28;

const TEXT = fc.constantFrom("", "a plain word ", "x = 1;\n", "(", "→ ", "see: ", "\n", '\\"');

function shape(kind: string, secret: string, before = "", after = ""): Shape {
  return { kind, secret, before, after };
}

function mark(side: string, name: string): string {
  return `-----${side} ${name}PRIVATE KEY-----`;
}

function sample(shape: Shape, seed: number): string {
  return fillIn(shape.secret, seed);
}

async function detect(content: string): Promise<string[]> {
  const rules = [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator }];
  const source = { filePath: "a.txt", ext: ".txt", content, contentType: "text" as const };
  const { messages } = await lintSource({ source, options: { config: { rules } } });
  return messages.map(({ range }) => content.slice(range[0], range[1]));
}

function redactionsIn(text: string): number {
  return text.split("[redacted: ").length - 1;
}

Deno.test("redactSecrets() replaces each kind and keeps its name", () => {
  for (const [row, shape] of SHAPES.entries()) {
    const text = `Look:\n${shape.before}${sample(shape, row)}${shape.after}\nend of it.`;
    const expected = `Look:\n${shape.before}[redacted: ${shape.kind}]${shape.after}\nend of it.`;
    assertEquals(redactSecrets(text), expected, `${shape.kind} of row ${row}`);
  }
});

Deno.test("redactSecrets() has an example for every kind of its table", () => {
  const contextual = [...SECRET_KINDS, ...CONTEXT_KINDS, ...COMMAND_KINDS];
  const kinds = [...contextual, ...UNHINTED_KINDS].map(({ kind }) => kind);
  const shown = new Set(SHAPES.map(({ kind }) => kind));
  assertEquals(kinds.filter((kind) => !shown.has(kind)), []);
  for (const rule of contextual) {
    assert(rule.pattern.global && rule.hints.length > 0 && rule.source.includes("."), rule.kind);
  }
});

Deno.test("redactSecrets() finds credentials that follow each other without a space", () => {
  const key = "e3692e852802352479204948d7d27901431aa";
  assertEquals(
    redactSecrets(`requirepass foobared4;X-Auth-Key: ${key};SMTP_PASS=Winter4362`),
    "requirepass [redacted: password] [redacted: secret];SMTP_PASS=[redacted: password]",
  );
  // The second round's match ends within the first round's replacement.
  assertEquals(
    redactSecrets(
      `machine a.example login me password hunter07;MAILCHIMP_KEY=${key.slice(0, 32)}-us12`,
    ),
    "machine a.example login me password [redacted: password]",
  );
});

Deno.test("redactSecrets() leaves lookalikes unchanged", () => {
  for (const text of LOOK_ALIKES) assertEquals(redactSecrets(text), text);
});

Deno.test("redactSecrets() changes only the secret, in any context", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(TEXT, fc.constantFrom(...SHAPES), fc.nat()), { maxLength: 4 }),
      TEXT,
      (parts, end) => {
        const rows = parts.map(([text, shape, seed]) => ({
          text,
          shape,
          secret: sample(shape, seed),
        }));
        const join = (show: (row: typeof rows[number]) => string): string =>
          rows.map((row) => `${row.text}\n ${row.shape.before}${show(row)}${row.shape.after} \n;;`)
            .join("") + end;
        const text = join((row) => row.secret);
        // The context of one kind can change another's name in the same text, so names may differ.
        const plain = (all: string): string => all.replaceAll(/\[redacted: [a-z0-9-]+\]/g, "[#]");
        const redacted = redactSecrets(text);
        assertEquals(plain(redacted), join(() => "[#]"));
        assertEquals(redactSecrets(redacted), redacted);
        for (const row of rows) assert(!redacted.includes(row.secret));
      },
    ),
    RUNS,
  );
});

Deno.test("redactSecrets() is stable and bounded on hostile texts", () => {
  const starts = [
    "eyJ",
    ".eyJ",
    "sk-",
    "ghp_",
    "password=",
    "token: ",
    '"',
    "://",
    ":a1",
    "@b",
    "-",
  ];
  const more = ["\n", mark("BEGIN", ""), "aB3".repeat(14), "[redacted: x]", "\\n", "=", "Bearer "];
  const texts = fc.array(fc.constantFrom(...starts, ...more), { maxLength: 30 });
  fc.assert(
    fc.property(texts, (pieces) => {
      const text = pieces.join("");
      const redacted = redactSecrets(text);
      assertEquals(redactSecrets(redacted), redacted);
      assert(redacted.length <= text.length + 32 * redactionsIn(redacted));
    }),
    { ...RUNS, numRuns: 2_000 },
  );
});

/** Quadratic work on this many characters takes minutes; linear work takes a second. */
const HOSTILE_CHARS = 512 * 1024;
const HANGS_SECONDS = 60;

Deno.test("redactSecrets() does not hang on a hostile text", () => {
  const pieces = [
    ...["eyJ", "-eyJ", "eyJaaaaaaaa.", "-----BEGIN", mark("BEGIN", ""), "sk-", "-sk-", "a@", "x-a"],
    ...[
      "password=",
      'password="',
      "://a:",
      "SG.",
      "-ghs_1_",
      "token:string=",
      "--a-b-",
      "cookie: a=",
    ],
    ...["curl -u ", "mysql ", "docker login "],
  ];
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(HOSTILE_CHARS / piece.length));
    const start = performance.now();
    redactSecrets(text);
    const seconds = (performance.now() - start) / 1000;
    assert(seconds < HANGS_SECONDS, `${piece} takes ${seconds.toFixed(1)} s`);
  }
});

Deno.test("redactSecrets() covers every finding of a detector from npm", async () => {
  let found = 0;
  for (const [row, shape] of SHAPES.entries()) {
    const text = `value\n${shape.before}${sample(shape, row + 1_000)}${shape.after}\nnext\n`;
    const redacted = redactSecrets(text);
    const detected = await detect(text);
    found += detected.length > 0 ? 1 : 0;
    for (const find of detected) assert(!redacted.includes(find), `${shape.kind} of row ${row}`);
    // The detector takes anything after an npm registry's key as a token, including the
    // placeholder.
    const remaining = (await detect(redacted)).filter((find) =>
      !find.includes("_authToken=[redacted:")
    );
    assertEquals(remaining, [], `${shape.kind} of row ${row}`);
  }
  assert(found >= DETECTED, `the detector knew only ${found} of ${SHAPES.length}`);
});

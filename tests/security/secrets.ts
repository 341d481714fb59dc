/**
 * Assembles credentials of common kinds at run time, so that scanners do not take this file for a
 * leak.
 *
 * @module
 */

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdef`;
const ALNUM = LOWER + UPPER + DIGITS;

export interface Secret {
  readonly kind: string;
  readonly text: string;
  readonly secret: string;
}

/** Makes one credential of each kind; the same seed makes the same credentials. */
export function makeSecrets(seed: number): Secret[] {
  const draw = makeRandomText(seed);
  const bare = (kind: string, secret: string): Secret => ({ kind, secret, text: secret });
  const within = (kind: string, secret: string, before: string, after = ""): Secret => ({
    kind,
    secret,
    text: `${before}${secret}${after}`,
  });
  const password = `${draw(ALNUM, 7)}9!${draw(ALNUM, 7)}`;
  const words = `${draw(LOWER, 6)}7${draw(UPPER, 6)}`;
  const base64 = btoa(`someone:${draw(ALNUM, 18)}1`);
  const key = Array.from({ length: 4 }, () => draw(`${ALNUM}+/`, 64)).join("\n");
  return [
    bare("aws-access-key", `AK${"IA"}${draw(UPPER + DIGITS, 16)}`),
    within("aws-secret-key", draw(`${ALNUM}+/`, 40), "aws_secret_access_key = "),
    bare("github-token", `gh${"p_"}${draw(ALNUM, 36)}`),
    bare("github-fine-token", `github_${"pat_"}${draw(ALNUM, 22)}_${draw(ALNUM, 59)}`),
    bare("gitlab-token", `gl${"pat-"}${draw(ALNUM, 20)}`),
    bare("slack-token", `xox${"b-"}123456789012-123456789012-${draw(ALNUM, 24)}`),
    within(
      "slack-webhook",
      `T0${draw(UPPER, 8)}/B0${draw(UPPER, 8)}/${draw(ALNUM, 24)}`,
      `https://hooks.slack${".com"}/services/`,
    ),
    bare("stripe-key", `sk_${"live_"}${draw(ALNUM, 24)}`),
    bare("anthropic-key", `sk-${"ant-"}api03-${draw(ALNUM, 93)}AA`),
    bare("openai-key", `sk-${"proj-"}${draw(ALNUM, 74)}`),
    bare("google-api-key", `AI${"za"}${draw(ALNUM, 35)}`),
    bare("npm-token", `npm${"_"}${draw(ALNUM, 36)}`),
    bare("pypi-token", `pypi-${"AgEIcHlwaS5vcmc"}${draw(ALNUM, 80)}`),
    bare("sendgrid-key", `SG${"."}${draw(ALNUM, 22)}.${draw(ALNUM, 43)}`),
    bare("jwt", `ey${"J"}${draw(ALNUM, 24)}.ey${"J"}${draw(ALNUM, 40)}.${draw(ALNUM, 43)}`),
    bare("huggingface-token", `hf${"_"}${draw(LOWER + UPPER, 34)}`),
    within("azure-key", `${draw(`${ALNUM}+/`, 86)}==`, "AccountName=a;AccountKey=", ";Suffix=b"),
    bare("digitalocean-token", `dop${"_v1_"}${draw(HEX, 64)}`),
    bare("vault-token", `hv${"s."}${draw(ALNUM, 40)}`),
    bare("telegram-token", `12345${"67890"}:AA${draw(ALNUM, 33)}`),
    within(
      "bearer",
      `${draw(ALNUM, 30)}7`,
      "curl -H 'Authorization: Bearer ",
      "' https://a.example",
    ),
    within("basic", base64, "curl -H 'Authorization: Basic ", "' https://a.example"),
    within("connection-url", password, "DATABASE_URL=postgres://app:", "@db.example:5432/app"),
    within("redis-url", password, "redis://:", "@cache.example:6379/0"),
    within("env-password", password, "DB_PASSWORD=", " make test"),
    within("json-secret", `${draw(ALNUM, 24)}3`, '{"client_secret": "', '"}'),
    within("curl-user", password, "curl -sS -u someone:", " https://a.example/x"),
    within("curl-user-long", password, "curl --user 'someone:", "' https://a.example/x"),
    within("curl-user-word", words, "curl -usomeone:", " https://a.example/x"),
    within("password-option", password, "mysqldump --password ", " app"),
    within("password-option-equals", words, "mysqldump --password=", " app"),
    within("sshpass", password, "sshpass -p ", " ssh host"),
    within("sshpass-quoted", password, "sshpass -p '", "' ssh host"),
    within("mysql-password", password, "mysql -u root -p", " app"),
    within("docker-login", password, "docker login -u someone -p ", " registry.example"),
    within("pgpassword", words, "PGPASSWORD=", " psql -h db"),
    within(
      "private-key",
      key,
      `-----BEGIN RSA ${"PRIVATE"} KEY-----\n`,
      `\n-----END RSA ${"PRIVATE"} KEY-----`,
    ),
  ];
}

/** Returns the parts that give a credential away: its ends, and each line of a multi-line one. */
export function probesOf({ secret }: Secret): string[] {
  const lines = secret.split("\n");
  return lines.flatMap((line) => line.length <= 18 ? [line] : [line.slice(4, 18), line.slice(-14)]);
}

/** Makes a generator of random letters without crypto, repeatable by seed. */
function makeRandomText(seed: number): (alphabet: string, length: number) => string {
  let state = seed >>> 0;
  return (alphabet, length) =>
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return alphabet.charAt((state >>> 8) % alphabet.length);
    }).join("");
}

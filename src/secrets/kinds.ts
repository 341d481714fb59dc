/** Patterns for credentials with a published shape, such as `ghp_...`. */

import { isMixed, looksRandom } from "./values.ts";

/**
 * A kind, in lower case with hyphens, as in `[redacted: github-token]`, and how to find its credentials.
 *
 * The pattern is applied only near the hints or, if there are none, to the whole text. Its group `kept` is
 * preserved. The group `value` or, if there is none, the whole match is replaced, unless the check rejects the
 * value, given the character after it. A pattern with repetitions matches only at the start of a run of its
 * characters, so that the search takes linear time.
 */
export type SecretKind = readonly [
  kind: string,
  hints: readonly string[],
  pattern: RegExp,
  check?: (value: string, next: string) => boolean,
];

type PrefixedRow = readonly [kind: string, prefixes: string, rest: RegExp];

/** Tokens with fixed prefixes. Spaces separate the prefixes of a row. A prefix after a letter does not match. */
const PREFIXED: readonly PrefixedRow[] = [
  [
    "gitlab-token", // docs.gitlab.com
    "glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- glwt- GR1348941",
    /[\w-]{20,}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,})?/,
  ],
  [
    "slack-token", // api.slack.com
    "xoxe.xoxb- xoxe.xoxp- xoxa- xoxb- xoxc- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-",
    /[A-Za-z0-9-]{10,}/,
  ],
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_", /[A-Za-z0-9_]{36,}/], // docs.github.com
  ["github-token", "github_pat_", /[A-Za-z0-9_]{22,}/], // docs.github.com
  ["age-key", "AGE-SECRET-KEY-1", /[0-9A-Z]{50,}(?![A-Za-z0-9])/], // age-encryption.org
  ["stripe-key", "rk_live_ rk_test_ sk_live_ sk_test_", /[A-Za-z0-9]{16,}/], // docs.stripe.com
  ["stripe-key", "whsec_", /[A-Za-z0-9+\/]{24,}={0,2}/], // docs.stripe.com
  ["anthropic-key", "sk-ant-", /[\w-]{20,}/], // docs.anthropic.com
  ["openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", /[\w-]{20,}/], // platform.openai.com
  ["google-api-key", "AIza", /[\w-]{30,}/], // cloud.google.com
  ["google-oauth", "GOCSPX- ya29.", /[\w-]{20,}/], // developers.google.com
  ["npm-token", "npm_", /[A-Za-z0-9]{36,}/], // github.blog
  ["pypi-token", "pypi-AgE", /[\w-]{30,}/], // pypi.org/help
  ["sendgrid-key", "SG.", /[\w-]{16,}\.[\w-]{16,}/], // docs.sendgrid.com
  ["digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", /[0-9a-f]{64}(?![A-Za-z0-9])/], // DigitalOcean
  ["huggingface-token", "hf_ api_org_", /[A-Za-z0-9]{30,}/], // huggingface.co/docs
  ["shopify-token", "shpat_ shpca_ shppa_ shpss_ shpua_ shprt_", /[A-Za-z0-9]{32,}/], // shopify.dev
  ["databricks-token", "dapi", /[0-9A-Fa-f]{32}(?:-\d)?(?![A-Za-z0-9])/], // docs.databricks.com
  ["linear-key", "lin_api_ lin_oauth_", /[A-Za-z0-9_]{32,}/], // linear.app/developers
  ["docker-token", "dckr_pat_ dckr_oat_", /[\w-]{27,}/], // docs.docker.com
  ["vault-token", "hvs. hvb. hvr.", /[\w-]{24,}/], // developer.hashicorp.com
  ["1password-token", "ops_eyJ", /[\w+\/-]{80,}={0,2}/], // developer.1password.com
  ["model-api-key", "gsk_ xai- pplx-", /[A-Za-z0-9]{40,}/], // Groq, xAI, Perplexity
  ["model-api-key", "r8_", /[A-Za-z0-9]{37,}/], // replicate.com/docs
  ["grafana-token", "glc_", /[A-Za-z0-9+\/]{32,}={0,2}/], // grafana.com/docs
  ["grafana-token", "glsa_", /[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}(?![A-Za-z0-9])/], // grafana.com/docs
  ["service-token", "ntn_", /[A-Za-z0-9]{40,}/], // Notion
  ["service-token", "vca_ vci_ vck_ vcp_ vcr_", /[A-Za-z0-9]{20,}/], // Vercel
  ["service-token", "figd_", /[\w-]{40,}/], // Figma
  ["service-token", "cfk_ cfat_ cfut_", /[A-Za-z0-9]{40,}/], // Cloudflare
  ["service-token", "tskey-", /[a-z]{2,20}-\w{8,40}-\w{16,}/], // Tailscale
  ["service-token", "sntrys_ sntryu_", /[\w+\/=-]{40,}/], // Sentry
  ["service-token", "PMAK-", /[0-9a-f]{24}-[0-9a-f]{34}/], // Postman
  ["service-token", "NRAK-", /[A-Z0-9]{27}/], // New Relic
];

/** Tokens with fixed prefixes. A prefix after a letter or a digit does not match. */
const ISOLATED: readonly PrefixedRow[] = [
  [
    "aws-access-key", // IAM identifiers, docs.aws.amazon.com
    "ABIA ACCA AGPA AIDA AIPA AKIA ANPA ANVA AROA ASIA",
    /[A-Z0-9]{16}(?![A-Za-z0-9])/,
  ],
  ["aws-access-key", "A3T", /[A-Z0-9]{17}(?![A-Za-z0-9])/], // docs.aws.amazon.com
  ["twilio-key", "SK", /[0-9a-f]{32}(?![A-Za-z0-9])/], // twilio.com/docs
  ["mailgun-key", "key-", /[0-9a-f]{32}(?![\w-])/], // documentation.mailgun.com
  ["mail-key", "xkeysib- xsmtpsib-", /[0-9a-f]{64}-[A-Za-z0-9]{16}/], // developers.brevo.com
  ["mail-key", "re_", /[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}/], // resend.com/docs
  ["atlassian-token", "ATATT3 ATCTT3", /[\w=-]{60,}/], // support.atlassian.com
  ["atlassian-token", "ATBB", /[A-Za-z0-9]{28,}/], // support.atlassian.com
  ["google-oauth", "1//0", /[\w-]{40,}/], // developers.google.com
  ["aws-bedrock-key", "ABSK", /[A-Za-z0-9+\/]{60,}={0,2}/], // docs.aws.amazon.com
  ["square-token", "EAAA", /[A-Za-z0-9_-]{60}(?![\w-])/], // developer.squareup.com
  ["square-token", "sq0atp- sq0csp-", /[\w-]{22,43}/], // developer.squareup.com
  ["mapbox-token", "sk.eyJ tk.eyJ", /[\w-]{20,}\.[\w-]{20,}/], // docs.mapbox.com
  ["service-token", "sbp_ sb_secret_", /[\w-]{20,}/], // Supabase
  ["service-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", /[\w.=-]{32,}/], // PlanetScale
  ["service-token", "npg_", /[A-Za-z0-9]{10,}/], // Neon
  ["service-token", "nfp_", /[A-Za-z0-9]{30,}/], // Netlify
  ["service-token", "rnd_", /[A-Za-z0-9]{24,}/], // Render
  ["service-token", "pul-", /[0-9a-f]{40}/], // Pulumi
  ["service-token", "rubygems_", /[0-9a-f]{48}/], // RubyGems
  [
    "service-token", // Doppler
    "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
    /(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}/,
  ],
  ["service-token", "dt0c01.", /[A-Z0-9]{24}\.[A-Z0-9]{64}/], // Dynatrace
  ["service-token", "sqp_ squ_ sqa_ bkua_", /[0-9a-f]{40}/], // SonarQube, Buildkite
  ["service-token", "CCIPAT_", /\w{20,}/], // CircleCI
  ["service-token", "HRKU-", /[\w-]{36,}/], // Heroku
  ["service-token", "fm1_ fm2_", /[\w+\/=,-]{40,}/], // Fly.io
  ["service-token", "fo1_", /[\w-]{40,}/], // Fly.io
  ["service-token", "pat-", /[a-z]{2}\d-[0-9a-f]{8}-[0-9a-f-]{27}/], // HubSpot
  ["service-token", "pat", /[A-Za-z0-9]{14}\.[0-9a-f]{64}/], // Airtable
  ["service-token", "oauth:", /[a-z0-9]{30}(?![\w-])/], // Twitch
  ["service-token", "sl.", /(?:u\.)?[\w-]{60,}/], // Dropbox
  ["service-token", "AKCp", /[A-Za-z0-9]{65,}/], // Artifactory
  ["service-token", "cmVmdGtu", /[A-Za-z0-9]{40,}/], // Artifactory
  ["service-token", "fc-", /[0-9a-f]{32}(?![\w-])/], // Firecrawl
  ["service-token", "fw_", /[A-Za-z0-9]{22,24}(?!\w)/], // Fireworks
];

/** The most specific kinds come first. */
export const SECRET_KINDS: readonly SecretKind[] = [
  [
    "github-token", // token formats, docs.github.com
    ["ghs_"],
    /(?<!(?<!\\)[\w-])ghs_\d{1,20}_[\w-]+\.[\w-]+\.[\w-]+/g,
  ],
  ...PREFIXED.map((row) => prefixed("[A-Za-z]", row)),
  ...ISOLATED.map((row) => prefixed("[A-Za-z0-9]", row)),
  [
    "slack-webhook", // sending messages using incoming webhooks, api.slack.com
    ["slack.com/"],
    /(?<kept>hooks\.slack\.com\/(?:services|workflows|triggers)\/)(?<value>[A-Za-z0-9][\w/-]{15,})/gi,
  ],
  [
    "openai-key", // API keys, platform.openai.com
    ["sk-"],
    // Other services with the same protocol also use this prefix, so the rest must look random.
    /(?<!(?<!\\)[\w-])sk-[\w-]{20,}/g,
    looksRandom,
  ],
  [
    "azure-key", // storage and service bus connection strings, learn.microsoft.com
    ["AccessKey=", "AccountKey="],
    /(?<kept>(?:SharedAccess|Account)Key=)(?<value>[A-Za-z0-9+/]{40,}={0,2})/g,
  ],
  [
    "azure-key", // account keys, learn.microsoft.com
    ["=="],
    /(?<![\w+/=-])[A-Za-z0-9+/]{86}==(?![\w+/=])/g,
    isMixed,
  ],
  [
    "azure-sas", // shared access signatures, learn.microsoft.com
    ["sig="],
    /(?<kept>[?&;]sig=)(?<value>[A-Za-z0-9%+/=]{40,})/g,
  ],
  [
    "azure-client-secret", // client secrets of app registrations, learn.microsoft.com
    ["Q~"],
    /(?<![\w.~-])[\w.~]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])/g,
  ],
  [
    "jwt", // RFC 7519 and 7516, rfc-editor.org
    ["eyJ"],
    /(?<!(?<!\\)[\w-])eyJ[\w-]{8,}\.(?:eyJ[\w-]{8,}(?:\.[\w-]*)?|(?:[\w-]*\.){3}[\w-]+)/g,
  ],
  [
    "discord-webhook", // webhook resource, discord.com/developers
    ["/webhooks/"],
    /(?<kept>discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{17,20}\/)(?<value>[\w-]{60,})/g,
  ],
  [
    "telegram-token", // authorizing your bot, core.telegram.org
    [":AA"],
    /(?<!(?<!\\)[A-Za-z0-9])(?:bot)?\d{8,10}:AA[\w-]{32,}/g,
  ],
  [
    "1password-token", // the Secret Key, developer.1password.com
    ["A3-"],
    /(?<!(?<!\\)[A-Za-z])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![A-Za-z0-9-])/g,
  ],
  [
    "terraform-token", // API tokens, developer.hashicorp.com
    ["atlasv1."],
    /(?<!(?<!\\)[A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}/g,
  ],
  [
    "mail-key", // API keys, mailchimp.com/developer
    ["-us"],
    /(?<!(?<!\\)[A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\d)/g,
  ],
  [
    "firebase-key", // server keys of cloud messaging, firebase.google.com
    [":APA91b"],
    /(?<!(?<!\\)[A-Za-z0-9])AAAA[\w-]{7}:APA91b[\w-]{130,}/g,
  ],
  [
    "facebook-token", // access tokens, developers.facebook.com
    ["EAA", "IG"],
    /(?<!(?<!\\)[A-Za-z0-9])(?:EAA|IG(?:QV|AA))[A-Za-z0-9]{40,}(?![\w-])/g,
    isMixed,
  ],
  [
    "discord-token", // bot tokens, discord.com/developers
    "MT Mj Mz ND NT Nj Nz OD OT".split(" "),
    // The first part is a numeric id in base64, so only some prefixes are possible.
    /(?<!(?<!\\)[\w.-])(?:M[Tjz]|N[DTjz]|O[DT])[A-Za-z\d_-]{22,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g,
  ],
];

/** Credentials whose shape has no fixed part. They are searched for after all other kinds. */
export const UNHINTED_KINDS: readonly SecretKind[] = [
  [
    "bitcoin-key", // wallet import format, en.bitcoin.it
    [],
    /(?<![\w/+.=-])(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![\w/+.=-])/g,
    isMixed,
  ],
  [
    "prefixed-token", // prefixes of tokens, github.blog
    [],
    // Message and call ids have the same shape but are not secret.
    /(?<=(?<![\w-])[a-z][a-z0-9]{1,9})(?<!(?:toolu|srvtoolu|msg|req|call|chatcmpl|resp|run|file|thread|asst|step|cus|evt|price|prod|sha\d{1,3}|chunk|index|main|v\d))(?<kept>[_-])(?<value>[A-Za-z0-9][\w-]{29,200})(?![\w-])/g,
    isMixed,
  ],
];

function prefixed(before: string, [kind, prefixes, rest]: PrefixedRow): SecretKind {
  const hints = prefixes.split(" ");
  const start = hints.map(RegExp.escape).join("|");
  const pattern = new RegExp(`(?<!(?<!\\\\)${before})(?:${start})${rest.source}`, "g");
  return [kind, hints, pattern];
}

/** Patterns for credentials with a published shape, such as `ghp_...`. */

export interface SecretKind {
  /** In lower case with hyphens, as in `[redacted: github-token]`. */
  readonly kind: string;
  /** The pattern is tried only on text that contains at least one of these strings. */
  readonly hints: readonly string[];
  /**
   * Matches a credential. The group `kept` is preserved. The group `value` or, without it, the whole match is
   * replaced. A pattern with repetitions matches only at the start of a run of its characters, so that the
   * search takes linear time.
   */
  readonly pattern: RegExp;
  /**
   * An additional check of the value, for common shapes:
   *
   * - `random`: it looks random
   * - `named`: it looks random or is a checksum
   * - `mixed`: it mixes digits and letters of both cases
   * - `set`: it is not a placeholder
   * - `spoken`: it is not a word in a sentence
   * - `typed`: it is a plausible password literal
   * - `coded`: it has at least two digits
   */
  readonly judged?: "random" | "named" | "mixed" | "set" | "spoken" | "typed" | "coded";
  /** The public documentation of the shape. */
  readonly source: string;
}

/** The most specific kinds come first. */
export const SECRET_KINDS: readonly SecretKind[] = [
  {
    kind: "aws-access-key",
    hints: "A3T ABIA ACCA AGPA AIDA AIPA AKIA ANPA ANVA AROA ASIA".split(" "),
    pattern:
      /(?<!(?<!\\)[A-Za-z0-9])A(?:3T[A-Z0-9]|BIA|CCA|GPA|IDA|IPA|KIA|NPA|NVA|ROA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    source: "IAM identifiers, unique id prefixes, docs.aws.amazon.com",
  },
  {
    kind: "github-token",
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    pattern:
      /(?<!(?<!\\)[\w-])ghs_\d{1,20}_[\w-]+\.[\w-]+\.[\w-]+|(?<!(?<!\\)[A-Za-z])(?:gh[pousr]_[A-Za-z0-9_]{36,}|github_pat_[A-Za-z0-9_]{22,})/g,
    source: "about authentication, token formats, docs.github.com",
  },
  {
    kind: "gitlab-token",
    hints: "glpat- gloas- gldt- glr glcbt- glptt- glft- glimt- glagent- glsoat- glffct- glwt- GR134"
      .split(" "),
    pattern:
      /(?<!(?<!\\)[A-Za-z])(?:gl(?:pat|oas|dt|rtr?|cbt|ptt|ft|imt|agent|soat|ffct|wt)-|GR1348941)[\w-]{20,}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,})?/g,
    source: "token overview, token prefixes, docs.gitlab.com",
  },
  {
    kind: "slack-token",
    hints: ["xox", "xapp-"],
    pattern: /(?<!(?<!\\)[A-Za-z])(?:xoxe\.xox[bp]|xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,}/g,
    source: "token types, api.slack.com",
  },
  {
    kind: "slack-webhook",
    hints: ["slack.com/"],
    pattern:
      /(?<kept>hooks\.slack\.com\/(?:services|workflows|triggers)\/)(?<value>[A-Za-z0-9][\w/-]{15,})/gi,
    source: "sending messages by incoming webhooks, api.slack.com",
  },
  {
    kind: "stripe-key",
    hints: ["k_live_", "k_test_", "whsec_"],
    pattern:
      /(?<!(?<!\\)[A-Za-z])(?:[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}={0,2})/g,
    source: "API keys and webhook signatures, docs.stripe.com",
  },
  {
    kind: "anthropic-key",
    hints: ["sk-ant-"],
    pattern: /(?<!(?<!\\)[A-Za-z])sk-ant-[\w-]{20,}/g,
    source: "API keys, docs.anthropic.com",
  },
  {
    kind: "openai-key",
    hints: ["sk-"],
    // A plain `sk-` is also the prefix of other services with the same protocol.
    pattern: /(?<!(?<!\\)[A-Za-z])sk-(?:proj|svcacct|admin|None)-[\w-]{20,}/g,
    source: "API keys, platform.openai.com",
  },
  {
    kind: "openai-key",
    hints: ["sk-"],
    pattern: /(?<!(?<!\\)[\w-])sk-[\w-]{20,}/g,
    judged: "random",
    source: "API keys, platform.openai.com",
  },
  {
    kind: "google-api-key",
    hints: ["AIza"],
    pattern: /(?<!(?<!\\)[A-Za-z])AIza[\w-]{30,}/g,
    source: "API keys, cloud.google.com",
  },
  {
    kind: "google-oauth",
    hints: ["GOCSPX-", "ya29."],
    pattern: /(?<!(?<!\\)[A-Za-z])(?:GOCSPX-|ya29\.)[\w-]{20,}/g,
    source: "OAuth 2.0 clients and token lengths, developers.google.com",
  },
  {
    kind: "npm-token",
    hints: ["npm_"],
    pattern: /(?<!(?<!\\)[A-Za-z])npm_[A-Za-z0-9]{36,}/g,
    source: "new access token format, github.blog",
  },
  {
    kind: "pypi-token",
    hints: ["pypi-"],
    pattern: /(?<!(?<!\\)[A-Za-z])pypi-AgE[\w-]{30,}/g,
    source: "API tokens, pypi.org/help",
  },
  {
    kind: "sendgrid-key",
    hints: ["SG."],
    pattern: /(?<!(?<!\\)[A-Za-z])SG\.[\w-]{16,}\.[\w-]{16,}/g,
    source: "API keys, docs.sendgrid.com",
  },
  {
    kind: "twilio-key",
    hints: ["SK"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g,
    source: "API keys, SID of a key, twilio.com/docs",
  },
  {
    kind: "mailgun-key",
    hints: ["key-"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])key-[0-9a-f]{32}(?![\w-])/g,
    source: "API keys, documentation.mailgun.com",
  },
  {
    kind: "digitalocean-token",
    hints: ["_v1_"],
    pattern: /(?<!(?<!\\)[A-Za-z])do[opr]_v1_[0-9a-f]{64}(?![A-Za-z0-9])/g,
    source: "personal access tokens, docs.digitalocean.com",
  },
  {
    kind: "huggingface-token",
    hints: ["hf_", "api_org_"],
    pattern: /(?<!(?<!\\)[A-Za-z])(?:hf|api_org)_[A-Za-z0-9]{30,}/g,
    source: "user access tokens, huggingface.co/docs",
  },
  {
    kind: "azure-key",
    hints: ["AccessKey=", "AccountKey="],
    pattern: /(?<kept>(?:SharedAccess|Account)Key=)(?<value>[A-Za-z0-9+/]{40,}={0,2})/g,
    source: "storage and service bus connection strings, learn.microsoft.com",
  },
  {
    kind: "azure-key",
    hints: ["=="],
    pattern: /(?<![\w+/=-])[A-Za-z0-9+/]{86}==(?![\w+/=])/g,
    judged: "mixed",
    source: "account keys, learn.microsoft.com",
  },
  {
    kind: "azure-sas",
    hints: ["sig="],
    pattern: /(?<kept>[?&;]sig=)(?<value>[A-Za-z0-9%+/=]{40,})/g,
    source: "shared access signatures, learn.microsoft.com",
  },
  {
    kind: "azure-client-secret",
    hints: ["Q~"],
    pattern: /(?<![\w.~-])[\w.~]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])/g,
    source: "client secrets of app registrations, learn.microsoft.com",
  },
  {
    kind: "jwt",
    hints: ["eyJ"],
    pattern: /(?<!(?<!\\)[\w-])eyJ[\w-]{8,}\.(?:eyJ[\w-]{8,}(?:\.[\w-]*)?|(?:[\w-]*\.){3}[\w-]+)/g,
    source: "RFC 7519 and 7516, rfc-editor.org",
  },
  {
    kind: "shopify-token",
    hints: ["shp"],
    pattern: /(?<!(?<!\\)[A-Za-z])shp(?:at|ca|pa|ss|ua|rt)_[A-Za-z0-9]{32,}/g,
    source: "length and format of API tokens, shopify.dev",
  },
  {
    kind: "databricks-token",
    hints: ["dapi"],
    pattern: /(?<!(?<!\\)[A-Za-z])dapi[0-9A-Fa-f]{32}(?:-\d)?(?![A-Za-z0-9])/g,
    source: "personal access tokens, docs.databricks.com",
  },
  {
    kind: "linear-key",
    hints: ["lin_"],
    pattern: /(?<!(?<!\\)[A-Za-z])lin_(?:api|oauth)_[A-Za-z0-9_]{32,}/g,
    source: "personal API keys, linear.app/developers",
  },
  {
    kind: "docker-token",
    hints: ["dckr_"],
    pattern: /(?<!(?<!\\)[A-Za-z])dckr_[op]at_[\w-]{27,}/g,
    source: "personal and organization access tokens, docs.docker.com",
  },
  {
    kind: "discord-webhook",
    hints: ["/webhooks/"],
    pattern:
      /(?<kept>discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{17,20}\/)(?<value>[\w-]{60,})/g,
    source: "webhook resource, discord.com/developers",
  },
  {
    kind: "telegram-token",
    hints: [":AA"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])(?:bot)?\d{8,10}:AA[\w-]{32,}/g,
    source: "authorizing your bot, core.telegram.org",
  },
  {
    kind: "age-key",
    hints: ["AGE-SECRET-KEY-1"],
    pattern: /AGE-SECRET-KEY-1[0-9A-Z]{50,}(?![A-Za-z0-9])/g,
    source: "the age file format, age-encryption.org",
  },
  {
    kind: "vault-token",
    hints: ["hvs.", "hvb.", "hvr."],
    pattern: /(?<!(?<!\\)[A-Za-z])hv[bsr]\.[\w-]{24,}/g,
    source: "token prefixes, developer.hashicorp.com",
  },
  {
    kind: "1password-token",
    hints: ["ops_eyJ", "A3-"],
    pattern:
      /(?<!(?<!\\)[A-Za-z])(?:ops_eyJ[\w+/-]{80,}={0,2}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![A-Za-z0-9-]))/g,
    source: "service accounts and the Secret Key, developer.1password.com",
  },
  {
    kind: "model-api-key",
    hints: ["gsk_", "xai-", "pplx-", "r8_"],
    pattern:
      /(?<!(?<!\\)[A-Za-z])(?:gsk_[A-Za-z0-9]{40,}|(?:xai|pplx)-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{37,})/g,
    source: "API keys, console.groq.com, docs.x.ai, docs.perplexity.ai, replicate.com/docs",
  },
  {
    kind: "grafana-token",
    hints: ["glc_", "glsa_"],
    pattern:
      /(?<!(?<!\\)[A-Za-z])(?:glc_[A-Za-z0-9+/]{32,}={0,2}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}(?![A-Za-z0-9]))/g,
    source: "service accounts and access policies, grafana.com/docs",
  },
  {
    kind: "service-token",
    hints: "ntn_ vcp_ vci_ vca_ vcr_ vck_ figd_ cfk_ cfut_ cfat_ tskey- sntry PMAK- NRAK-".split(
      " ",
    ),
    pattern:
      /(?<!(?<!\\)[A-Za-z])(?:ntn_[A-Za-z0-9]{40,}|vc[aikpr]_[A-Za-z0-9]{20,}|figd_[\w-]{40,}|cf(?:k|[au]t)_[A-Za-z0-9]{40,}|tskey-[a-z]{2,20}-\w{8,40}-\w{16,}|sntry[su]_[\w+/=-]{40,}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|NRAK-[A-Z0-9]{27})/g,
    source:
      "tokens of notion, vercel, figma, cloudflare, tailscale, sentry, postman, new relic; docs.github.com",
  },
  {
    kind: "service-token",
    hints: [
      "sbp_",
      "sb_secret_",
      "pscale_",
      "npg_",
      "nfp_",
      "rnd_",
      "pul-",
      "rubygems_",
      "dp.",
      "dt0c01.",
      "sqp_",
      "squ_",
      "sqa_",
      "bkua_",
      "CCIPAT_",
      "atlasv1.",
      "HRKU-",
      "fm2_",
      "fo1_",
    ],
    pattern:
      /(?<!(?<!\\)[A-Za-z0-9])(?:sb(?:p|_secret)_[\w-]{20,}|pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}|npg_[A-Za-z0-9]{10,}|nfp_[A-Za-z0-9]{30,}|rnd_[A-Za-z0-9]{24,}|pul-[0-9a-f]{40}|rubygems_[0-9a-f]{48}|dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}|sq[pua]_[0-9a-f]{40}|bkua_[0-9a-f]{40}|CCIPAT_\w{20,}|HRKU-[\w-]{36,}|(?:FlyV1 )?fm[12]_[\w+/=,-]{40,}|fo1_[\w-]{40,})/g,
    source:
      "tokens of supabase, planetscale, neon, netlify, render, pulumi, rubygems, doppler, dynatrace, sonarqube, buildkite, circleci, heroku, fly; docs.github.com",
  },
  {
    kind: "terraform-token",
    hints: ["atlasv1."],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}/g,
    source: "API tokens, developer.hashicorp.com",
  },
  {
    kind: "mail-key",
    hints: ["xkeysib-", "xsmtpsib-", "re_", "-us"],
    pattern:
      /(?<!(?<!\\)[A-Za-z0-9])(?:x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}|re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}|[0-9a-f]{32}-us\d{1,2}(?!\d))/g,
    source: "API keys, developers.brevo.com, resend.com/docs, mailchimp.com/developer",
  },
  {
    kind: "atlassian-token",
    hints: ["ATATT3", "ATCTT3", "ATBB"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])(?:AT[AC]TT3[\w=-]{60,}|ATBB[A-Za-z0-9]{28,})/g,
    source: "API tokens, support.atlassian.com",
  },
  {
    kind: "firebase-key",
    hints: [":APA91b"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])AAAA[\w-]{7}:APA91b[\w-]{130,}/g,
    source: "server keys of cloud messaging, firebase.google.com",
  },
  {
    kind: "google-oauth",
    hints: ["1//0"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])1\/\/0[\w-]{40,}/g,
    source: "refresh tokens, developers.google.com",
  },
  {
    kind: "aws-bedrock-key",
    hints: ["ABSK"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])ABSK[A-Za-z0-9+/]{60,}={0,2}/g,
    source: "API keys of Amazon Bedrock, docs.aws.amazon.com",
  },
  {
    kind: "square-token",
    hints: ["EAAA", "sq0"],
    pattern:
      /(?<!(?<!\\)[A-Za-z0-9])(?:EAAA[A-Za-z0-9_-]{60}(?![\w-])|sq0(?:atp|csp)-[\w-]{22,43})/g,
    source: "access tokens, developer.squareup.com",
  },
  {
    kind: "facebook-token",
    hints: ["EAA", "IG"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])(?:EAA|IG(?:QV|AA))[A-Za-z0-9]{40,}(?![\w-])/g,
    judged: "mixed",
    source: "access tokens, developers.facebook.com",
  },
  {
    kind: "mapbox-token",
    hints: ["k.eyJ"],
    pattern: /(?<!(?<!\\)[A-Za-z0-9])[st]k\.eyJ[\w-]{20,}\.[\w-]{20,}/g,
    source: "access tokens, docs.mapbox.com",
  },
  {
    kind: "discord-token",
    // The first part is a numeric id in base64, so only some beginnings are possible.
    hints: "MT Mj Mz ND NT Nj Nz OD OT".split(" "),
    pattern:
      /(?<!(?<!\\)[\w.-])(?:M[Tjz]|N[DTjz]|O[DT])[A-Za-z\d_-]{22,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g,
    source: "bot tokens, discord.com/developers",
  },
  {
    kind: "service-token",
    hints: ["pat", "oauth:", "sl.", "AKCp", "cmVmdGtu", "fc-", "fw_"],
    pattern:
      /(?<!(?<!\\)[A-Za-z0-9])(?:pat-[a-z]{2}\d-[0-9a-f]{8}-[0-9a-f-]{27}|pat[A-Za-z0-9]{14}\.[0-9a-f]{64}|oauth:[a-z0-9]{30}(?![\w-])|sl\.(?:u\.)?[\w-]{60,}|AKCp[A-Za-z0-9]{65,}|cmVmdGtu[A-Za-z0-9]{40,}|fc-[0-9a-f]{32}(?![\w-])|fw_[A-Za-z0-9]{22,24}(?!\w))/g,
    source:
      "tokens of hubspot, airtable, twitch, dropbox, artifactory, firecrawl, fireworks; docs.github.com",
  },
];

/** Credentials whose shape has no fixed part. They are searched for after all others. */
export const UNHINTED_KINDS: readonly SecretKind[] = [
  {
    kind: "bitcoin-key",
    hints: [],
    pattern:
      /(?<![\w/+.=-])(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![\w/+.=-])/g,
    judged: "mixed",
    source: "wallet import format, en.bitcoin.it",
  },
  {
    kind: "prefixed-token",
    hints: [],
    // Ids of messages, calls and similar have the same shape but are not secret.
    pattern:
      /(?<=(?<![\w-])[a-z][a-z0-9]{1,9})(?<!(?:toolu|srvtoolu|msg|req|call|chatcmpl|resp|run|file|thread|asst|step|cus|evt|price|prod|sha\d{1,3}|chunk|index|main|v\d))(?<kept>[_-])(?<value>[A-Za-z0-9][\w-]{29,200})(?![\w-])/g,
    judged: "mixed",
    source: "prefixes of tokens, github.blog",
  },
];

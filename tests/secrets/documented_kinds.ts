/**
 * Kinds of credentials from the documentation of services, programs and formats, collected before
 * the rules that find them were written.
 *
 * @module
 */

import { type DocumentedKind, readKinds } from "./draw.ts";

// deno-fmt-ignore
const TABLE = String.raw`
AWS access key id | aws_access_key_id = «AKIA{un:16}»
AWS secret access key | aws_secret_access_key = «{b64:40}»
AWS session token in the environment | export AWS_SESSION_TOKEN=«IQoJb3JpZ2luX2Vj{b64:220}==»
AWS STS answer | "SecretAccessKey": "«{b64:40}»",\n"SessionToken": "«FwoGZXIvYXdzE{b64:180}»"
AWS presigned address | https://b.s3.amazonaws.com/o?X-Amz-Date=20260101T000000Z&X-Amz-Expires=60&X-Amz-Signature=«{hex:64}»
AWS Bedrock API key | export AWS_BEARER_TOKEN_BEDROCK=«ABSK{b64:124}=»
AWS SES SMTP password | SMTP_PASSWORD=«B{b64:43}»
Azure storage connection string | DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«{b64:86}==»;EndpointSuffix=core.windows.net
Azure shared access signature | https://a.blob.core.windows.net/c?sv=2022-11-02&ss=b&sig=«{an:43}%3D»
Azure app registration secret | AZURE_CLIENT_SECRET=«{an:3}8Q~{an:34}»
Azure OpenAI key | AZURE_OPENAI_API_KEY=«{hex:32}»
Azure DevOps PAT | export AZURE_DEVOPS_EXT_PAT=«{ln:52}»
Azure cognitive services header | Ocp-Apim-Subscription-Key: «{hex:32}»
Azure function key | https://app.azurewebsites.net/api/f?code=«{url:54}==»
SQL Server connection string | Server=tcp:db,1433;User ID=app;Password=«Winter{dg:4}»;Encrypt=True
Google API key | key=«AIza{url:35}»
Google OAuth client secret | "client_secret": "«GOCSPX-{url:28}»"
Google OAuth refresh token | "refresh_token": "«1//0{url:60}»"
Google OAuth access token | "access_token": "«ya29.{url:120}»"
Google service account | "private_key": "-----BEGIN PRIVATE KEY-----\\nMII«{b64:61}»\\n«{b64:64}»\\n-----END PRIVATE KEY-----\\n"
Google Cloud HMAC secret | HMAC_SECRET=«{b64:40}»
GitHub classic token | git clone with «ghp_{an:36}»
GitHub fine-grained token | GH_TOKEN=«github_pat_{an:22}_{an:59}»
GitHub token of the old format | GITHUB_TOKEN=«{hex:40}»
GitHub token in a remote | https://x-access-token:«ghs_{an:36}»@github.com/a/b.git
GitLab personal token | PRIVATE-TOKEN: «glpat-{url:20}»
GitLab CI job token in curl | curl --header "JOB-TOKEN: «{an:30}»" https://gitlab.example/api
Bitbucket app password | https://someone:«ATBB{an:32}»@bitbucket.org/a/b.git
Atlassian API token | JIRA_API_TOKEN=«ATATT3xFfGF0{url:170}={HEX:8}»
Slack bot token | SLACK_BOT_TOKEN=«xoxb-{dg:12}-{dg:12}-{an:24}»
Slack webhook | https://hooks.slack.com/services/«T{un:10}/B{un:10}/{an:24}»
Discord bot token | client.login("«MT{an:22}.G{an:5}.{url:38}»");
Discord webhook | https://discord.com/api/webhooks/{dg:18}/«{url:68}»
Telegram bot | https://api.telegram.org/bot«{dg:10}:AA{url:33}»/getMe
Twilio in curl | curl -u AC{hex:32}:«{hex:32}» https://api.twilio.com/2010-04-01/Accounts.json
SendGrid key | SENDGRID_API_KEY='«SG.{url:22}.{url:43}»'
Mailgun key | curl --user 'api:«key-{hex:32}»' https://api.mailgun.net/v3/a
Mailchimp key | MAILCHIMP_KEY=«{hex:32}-us12»
Postmark server token | X-Postmark-Server-Token: «{uuid}»
Brevo key | api-key: «xkeysib-{hex:64}-{an:16}»
Resend key | new Resend("«re_{an:8}_{an:24}»")
Stripe secret key | stripe.api_key = "«sk_live_{an:24}»"
Stripe webhook | endpoint_secret = '«whsec_{an:32}»'
PayPal client secret | PAYPAL_CLIENT_SECRET=«E{url:79}»
Square access token | SQUARE_ACCESS_TOKEN=«EAAA{url:60}»
Braintree private key | private_key="«{hex:32}»",
Shopify admin token | X-Shopify-Access-Token: «shpat_{hex:32}»
Razorpay key secret | razorpay.Client(auth=("rzp_test_{an:14}", "«{an:24}»"))
Heroku new token | HEROKU_API_KEY=«HRKU-AA{url:58}»
DigitalOcean token | DIGITALOCEAN_ACCESS_TOKEN=«dop_v1_{hex:64}»
Vercel token | vercel --token «{an:24}» deploy
Netlify token | NETLIFY_AUTH_TOKEN=«nfp_{an:36}»
Fly token | FLY_API_TOKEN="«FlyV1 fm2_{b64:120}»"
Render key | Authorization: Bearer «rnd_{an:32}»
Cloudflare R2 secret | secretAccessKey: "«{hex:64}»",
Linode token | token = "«{hex:64}»"
Supabase access token | npx supabase login --token «sbp_{hex:40}»
Supabase secret key | createClient(url, "«sb_secret_{url:22}_{url:8}»")
Firebase server key | Authorization: key=«AAAA{url:7}:APA91b{url:134}»
PlanetScale password | mysql://user:«pscale_pw_{url:43}»@aws.connect.psdb.cloud/db
Neon connection string | postgresql://neondb_owner:«npg_{an:12}»@ep-cool-a.eu-central-1.aws.neon.tech/neondb?sslmode=require
MongoDB Atlas | mongodb+srv://app:«Spring{dg:4}»@cluster0.ab1cd.mongodb.net/?retryWrites=true
Upstash REST token | UPSTASH_REDIS_REST_TOKEN="«AX{an:50}=»"
Redis address | redis://default:«{an:32}»@cache.example:6379
Redis configuration | requirepass «foobared{dg:2}»
Elasticsearch API key | Authorization: ApiKey «{b64:58}==»
Elasticsearch password | ELASTIC_PASSWORD=«changeIt{dg:2}»
Datadog header | DD-APPLICATION-KEY: «{hex:40}»
Sentry auth token | SENTRY_AUTH_TOKEN=«sntrys_{b64:80}»
Sentry DSN with secret | https://{hex:32}:«{hex:32}»@o1.ingest.sentry.io/2
Grafana service account | Authorization: Bearer «glsa_{an:32}_{hex:8}»
PagerDuty | Authorization: Token token=«{url:20}»
Opsgenie | Authorization: GenieKey «{uuid}»
Splunk HEC | Authorization: Splunk «{uuid}»
SonarQube token | sonar.token=«sqp_{hex:40}»
SonarQube login | sonar.login=«{hex:40}»
Jenkins token | curl -u admin:«11{hex:32}» https://jenkins.example/job/a/build
Terraform Cloud | credentials "app.terraform.io" { token = "«{an:14}.atlasv1.{an:67}»" }
Vault token | VAULT_TOKEN=«hvs.{an:90}»
Doppler | DOPPLER_TOKEN=«dp.st.prd.{an:43}»
1Password service account | OP_SERVICE_ACCOUNT_TOKEN=«ops_eyJ{an:200}»
npm token | //registry.npmjs.org/:_authToken=«npm_{an:36}»
npm basic auth | //npm.example/:_auth = «{b64:24}==»
PyPI token | password = «pypi-AgEIcHlwaS5vcmc{url:140}»
PyPI password | [pypi]\nusername = someone\npassword = «correct{dg:2}horse»
RubyGems key | :rubygems_api_key: rubygems_«{hex:48}»
NuGet key | dotnet nuget push a.nupkg --api-key «oy2{ln:43}»
crates.io token | [registry]\ntoken = "«cio{an:32}»"
Docker configuration | "auths": {"https://index.docker.io/v1/": {"auth": "«{b64:30}==»"}}
Docker Hub token | docker login -u me -p «dckr_pat_{url:27}»
kubeconfig client key | client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{b64:200}»
Kubernetes secret | kind: Secret\ndata:\n  password: «{b64:22}==»
kubeadm join | kubeadm join 10.0.0.1:6443 --token «{ln:6}.{ln:16}» --discovery-token-ca-cert-hash sha256:{hex:64}
Rails secret key base | secret_key_base: «{hex:128}»
Django secret key | SECRET_KEY = 'django-insecure-«{ln:20}(_{ln:8}%{ln:10}»'
Laravel key | APP_KEY=base64:«{b64:43}=»
NextAuth secret | NEXTAUTH_SECRET="«{b64:43}=»"
WordPress database | define( 'DB_PASSWORD', '«Winter{dg:4}»' );
WordPress salt | define('AUTH_KEY', '«{an:12}|{an:14}&{an:14}»');
Spring data source | spring.datasource.password=«s3cret{lo:4}»
Maven settings | <server><id>a</id><username>me</username><password>«Welcome{dg:3}»</password></server>
Gradle signing | signing.keyId=ABCD1234\nsigning.password=«open{dg:2}sesame»
OpenSSH private key | -----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz«{b64:62}»\n«{b64:70}»\n-----END OPENSSH PRIVATE KEY-----
Encrypted PEM | -----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,«{HEX:32}»\n\n«{b64:64}»\n«{b64:64}»\n-----END RSA PRIVATE KEY-----
PGP private block | -----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\nlQdGBF«{b64:58}»\n«{b64:64}»\n=«{b64:4}»\n-----END PGP PRIVATE KEY BLOCK-----
PuTTY key | Private-Lines: 2\n«{b64:64}»\n«{b64:40}»\nPrivate-MAC: «{hex:40}»
WireGuard | [Interface]\nPrivateKey = «{b64:43}=»
netrc | machine api.example login someone password «hunter{dg:2}»
netrc over lines | machine api.example\n  login someone\n  password «Sommer{dg:4}»
pgpass | db.example:5432:app:someone:«Winter{dg:4}»
MySQL options file | [client]\nuser=root\npassword=«letmein{dg:2}»
docker compose | environment:\n  MYSQL_ROOT_PASSWORD: «letmein{dg:2}»
Session cookie in a header | Cookie: sessionid=«{ln:32}»; csrftoken=«{an:32}»
Set-Cookie | Set-Cookie: connect.sid=«s%3A{an:32}.{an:43}»; Path=/; HttpOnly
Basic header | Authorization: Basic «{b64:26}==»
Digest token header | Authorization: Token «{hex:40}»
Query parameter | GET /v1/items?access_token=«{hex:40}»&page=2
Environment variable ending in PASS | SMTP_PASS=«Winter{dg:4}»
Environment variable ending in PW | export DB_PW=«{ln:10}»
Password in prose | By the way, the password is «hunter2»
Password in prose, in marks | Log in as admin with the password "«Welcome123»".
Password in a chat | password: «Welcome123»
SQL identified by | CREATE USER 'app'@'%' IDENTIFIED BY '«Winter{dg:4}»';
SQL alter role | ALTER ROLE app WITH LOGIN PASSWORD '«Winter{dg:4}»';
TOTP enrolment | otpauth://totp/Example:me@example.com?secret=«{b32:32}»&issuer=Example
Wi-Fi | psk="«mywifi{dg:4}»"
`;

export const DOCUMENTED_KINDS: readonly DocumentedKind[] = readKinds(TABLE);

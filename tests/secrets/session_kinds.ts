/**
 * Kinds of credentials in the texts of sessions: output of commands, code in many languages, configuration
 * files and conversation. They were collected after the rules for the documented and the service kinds were
 * finished.
 *
 * @module
 */

import { type DocumentedKind, readKinds } from "./draw.ts";

// deno-fmt-ignore
const TABLE = String.raw`
AWS credentials in a process answer | {"Version":1,"AccessKeyId":"ASIA{un:16}","SecretAccessKey":"«{b64:40}»","SessionToken":"«IQoJb3JpZ2lu{b64:200}»"}
AWS configure by hand | AWS Access Key ID [None]: «AKIA{un:16}»\nAWS Secret Access Key [None]: «{b64:40}»
AWS in Go | credentials.NewStaticCredentialsProvider("«AKIA{un:16}»", "«{b64:40}»", "")
ECR login | aws ecr get-login-password | docker login --username AWS --password «eyJwYXlsb2FkIjoi{b64:300}» 123456789012.dkr.ecr.us-east-1.amazonaws.com
Azure CLI login | az login --service-principal -u {uuid} -p «{an:3}8Q~{an:34}» --tenant {uuid}
Azure role assignment answer | {"appId": "{uuid}", "displayName": "ci", "password": "«{an:3}8Q~{an:34}»", "tenant": "{uuid}"}
Azure Cosmos key | AccountEndpoint=https://a.documents.azure.com:443/;AccountKey=«{b64:86}==»;
Azure DevOps remote | git remote add origin https://me:«{ln:52}»@dev.azure.com/org/project/_git/repo
Application Insights API key | x-api-key: «{ln:40}»
Google ADC file | "client_id": "{dg:12}-{ln:32}.apps.googleusercontent.com",\n"client_secret": "«d-{url:22}»",\n"refresh_token": "«1//0{url:98}»"
Google print-access-token | $ gcloud auth print-access-token\n«ya29.a0A{url:200}»
GitHub CLI status | Token: «gho_{an:36}»
GitHub hosts.yml | github.com:\n    oauth_token: «gho_{an:36}»\n    user: me
GitHub App installation | {"token":"«ghs_{an:36}»","expires_at":"2026-01-01T00:00:00Z"}
GitLab runner | gitlab-runner register --url https://gitlab.example --token «glrt-{url:20}»
GitLab trigger | curl -X POST -F token=«{hex:30}» -F ref=main https://gitlab.example/api/v4/projects/1/trigger/pipeline
GitLab deploy token in a clone | git clone https://gitlab+deploy-token-1:«{url:20}»@gitlab.example/a/b.git
Gitea token | curl -H "Authorization: token «{hex:40}»" https://git.example/api/v1/user
Slack app token in code | const app = new App({ token: "«xoxb-{dg:12}-{dg:13}-{an:24}»", appToken: "«xapp-1-A{un:10}-{dg:13}-{hex:64}»" })
Teams webhook | https://example.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/«{hex:32}»/{uuid}
Mattermost webhook | https://chat.example/hooks/«{ln:26}»
Zapier webhook | curl -d @a https://hooks.zapier.com/hooks/catch/{dg:7}/«{ln:7}»/
Anthropic key in Python | client = anthropic.Anthropic(api_key="«sk-ant-api03-{url:93}AA»")
Claude Code OAuth | CLAUDE_CODE_OAUTH_TOKEN=«sk-ant-oat01-{url:93}AA»
Claude credentials file | {"claudeAiOauth":{"accessToken":"«sk-ant-oat01-{url:93}AA»","refreshToken":"«sk-ant-ort01-{url:93}AA»","expiresAt":1760000000000}}
OpenAI error message | Incorrect API key provided: «sk-proj-{url:124}». You can find your API key at https://platform.openai.com
DeepSeek | client = OpenAI(api_key="«sk-{hex:32}»", base_url="https://api.deepseek.com")
Gemini in an address | https://generativelanguage.googleapis.com/v1beta/models?key=«AIza{url:35}»
Hugging Face login | huggingface-cli login --token «hf_{an:34}»
Groq in a .env | GROQ_API_KEY=«gsk_{an:52}»
Cerebras | cerebras = Cerebras(api_key='«csk-{ln:48}»')
AssemblyAI | aai.settings.api_key = "«{hex:32}»"
Stability | STABILITY_KEY=«sk-{an:48}»
SerpAPI | params = {"engine": "google", "api_key": "«{hex:64}»"}
Stripe restricted key in a log | stripe listen --api-key «rk_live_{an:99}»
Adyen | X-API-Key: «AQE{b64:160}»
Wise | Authorization: Bearer «{uuid}»
Paddle | PADDLE_API_KEY=pdl_live_apikey_«{ln:26}_{an:22}_{an:3}»
Twilio Verify in Node | const client = twilio("AC{hex:32}", "«{hex:32}»");
Vonage private key in JSON | "privateKey": "-----BEGIN PRIVATE KEY-----\\nMIIE«{b64:60}»\\n«{b64:64}»"
Firebase CI token | firebase deploy --token "«1//0{url:98}»"
Sentry CLI file | [auth]\ntoken=«{hex:64}»
Bugsnag | bugsnag.start({ apiKey: '«{hex:32}»' })
Amplitude secret | amplitude secretKey: «{hex:32}»
Mixpanel secret | curl https://mixpanel.com/api/2.0/export -u «{hex:32}»:
Shopify theme kit | shopify theme push --password «shptka_{hex:32}»
Shopify app secret | SHOPIFY_API_SECRET=«shpss_{hex:32}»
Notion | notion = Client(auth="«secret_{an:43}»")
Linear in a header | Authorization: «lin_api_{an:40}»
Jira in curl | curl -u me@example.com:«ATATT3xFfGF0{url:170}={HEX:8}» https://a.atlassian.net/rest/api/3/myself
Tailscale in a unit | ExecStart=/usr/bin/tailscale up --authkey=«tskey-auth-{an:12}CNTRL-{an:32}»
Cloudflare tunnel | cloudflared service install «eyJhIjoi{b64:150}»
Pulumi in CI | PULUMI_ACCESS_TOKEN: «pul-{hex:40}»
Vault unseal | Unseal Key 1: «{b64:43}=»\nInitial Root Token: «hvs.{an:24}»
Vault old token | vault login «s.{an:24}»
Nomad | nomad job run -token=«{uuid}» a.nomad
Ansible vault password on a line | ansible-playbook site.yml -e "db_password=«Aqua{dg:4}marine»"
Docker registry secret | kubectl create secret docker-registry r --docker-username=me --docker-password=«Harbor{dg:5}»
Docker build argument | docker build --build-arg NPM_TOKEN=«npm_{an:36}» .
Docker run environment | docker run -e POSTGRES_PASSWORD=«mysecret{dg:3}» -d postgres
Helm value | helm upgrade a ./a --set postgresql.auth.password=«Helm{dg:5}x»
Argo CD first password | argocd admin initial-password\n«{an:16}»\n\n This password must be only used for first time login.
Kubernetes secret decoded | $ kubectl get secret db -o jsonpath='{.data.password}' | base64 -d\n«{an:20}»
psql in the environment | PGPASSWORD='«Post{dg:4}gres»' psql -h db -U app
JDBC address | jdbc:postgresql://db:5432/app?user=me&password=«Jdbc{dg:4}pw»
ODBC | Driver={ODBC Driver 18};Server=db;UID=sa;PWD=«Str0ng{dg:4}!»;
SQLAlchemy | create_engine("postgresql+psycopg2://me:«Alch{dg:4}emy»@db/app")
mongosh | mongosh "mongodb://db" -u admin -p «Mongo{dg:4}» --authenticationDatabase admin
Prisma | DATABASE_URL="mysql://root:«Prisma{dg:4}»@localhost:3306/app"
Redis CLI | redis-cli -h cache -a «Redis{dg:6}» ping
Elasticsearch reset | Password for the [elastic] user successfully reset.\nNew value: «{url:20}»
Elastic enrolment | Kibana enrollment token: «eyJ2ZXIiOiI4{b64:150}»
Grafana admin | grafana cli admin reset-admin-password «Graf{dg:4}ana»
curl user | curl -u deploy:«Deploy{dg:4}» https://nexus.example/repository/a
wget | wget --user=me --password='«Wget{dg:4}x»' https://files.example/a
rsync | RSYNC_PASSWORD=«rsync{dg:4}» rsync -a a rsync://me@host/a
lftp | lftp -u me,«Ftp{dg:5}pw» ftp.example
smbclient | smbclient //server/share -U 'me%«Samba{dg:4}»'
mount cifs | mount -t cifs //server/share /mnt -o username=me,password=«Cifs{dg:4}»
ldapsearch | ldapsearch -x -D cn=admin,dc=example -w «Ldap{dg:5}» -b dc=example
openssl | openssl enc -aes-256-cbc -k «Enc{dg:5}pass» -in a -out b
keytool | keytool -genkey -keystore a.jks -storepass «Store{dg:4}» -keypass «Keyp{dg:4}»
Android signing | storePassword "«Andr{dg:4}oid»"\nkeyPassword "«Andr{dg:4}key»"
gpg in batch | gpg --batch --passphrase «gpgpass{dg:4}» -c file
ssh-keygen | ssh-keygen -t ed25519 -N '«keyphrase{dg:3}»' -f id
expect script | send "«Expect{dg:4}»\r"
Spring YAML | spring:\n  datasource:\n    username: me\n    password: «Spring{dg:4}»
Rails database.yml | production:\n  adapter: postgresql\n  password: «Rails{dg:4}»
PHP | $conn = new mysqli("localhost", "root", "«Mysql{dg:4}i»", "app");
Python requests | requests.get(url, auth=("me", "«Reqs{dg:4}»"))
Django settings | 'PASSWORD': '«Django{dg:4}»',
Rust | let api_key = "«{an:32}»";
Go constant | const apiToken = "«{hex:40}»"
C sharp | var secret = "«{b64:43}=»";
Swift | let clientSecret = "«{an:40}»"
Kotlin | val apiKey = "«{an:32}»"
JSON web key | {"kty":"RSA","n":"{url:342}","e":"AQAB","d":"«{url:342}»"}
Session in a browser | document.cookie = "session=«{an:40}»; path=/"
CSRF in a form | <input type="hidden" name="csrf_token" value="«{an:40}»">
Password field of a form | <input name="password" type="password" value="«Form{dg:4}x»">
Chat, German | Das Passwort lautet «Sommer2026!»
Chat, credentials | user: admin pass: «Adm1n{dg:4}»
Chat, login slash | Login: admin / «Qwert{dg:4}!»
Chat, here is my key | here is my key: «{an:40}»
Chat, PIN of a certificate | The p12 password is "«p12{dg:4}pass»".
Environment printed | DB_PASSWORD: '«Prin{dg:4}ted»',\nAPI_SECRET: '«{an:32}»'
PowerShell variable | $env:API_TOKEN = "«{an:40}»"
Windows set | set ADMIN_PASSWORD=«Adm{dg:4}in»
fish | set -x OPENAI_API_KEY «sk-{an:48}»
systemd | Environment="SECRET_KEY=«{an:50}»"
Dockerfile | ENV SECRET_KEY_BASE «{hex:128}»
GitHub workflow with a literal | with:\n  api-key: «{an:32}»
Nginx basic file | me:$apr1$«{an:8}§{an:22}»
Shadow line | root:«$6§{an:16}§{an:86}»:19000:0:99999:7:::
bcrypt hash | "password_hash": "«$2b$12§{an:53}»"
`;

export const SESSION_KINDS: readonly DocumentedKind[] = readKinds(TABLE.replaceAll("§", "$"));

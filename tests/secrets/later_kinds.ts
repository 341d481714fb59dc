/**
 * Kinds of credentials in services, sessions, code, configuration and the output of programs. They were
 * collected after the rules for `documented_kinds.ts` were finished, so the misses show how well the rules
 * generalize.
 *
 * @module
 */

import { type DocumentedKind, readKinds } from "./draw.ts";

// deno-fmt-ignore
const TABLE = String.raw`
Airtable personal token | AIRTABLE_TOKEN=«pat{an:14}.{hex:64}»
Airtable bare | curl with «pat{an:14}.{hex:64}»
Asana | Asana.Client.access_token('«2/{dg:16}/{dg:16}:{hex:32}»')
ClickUp | Authorization: «pk_{dg:8}_{un:32}»
Trello token | https://api.trello.com/1/boards?key={hex:32}&token=«ATTA{hex:64}»
Zendesk | curl https://a.zendesk.com/api -u me@example.com/token:«{an:40}»
HubSpot private app | «pat-na1-{uuid}» is what the portal gave
Intercom | INTERCOM_ACCESS_TOKEN=«dG9rO{b64:54}=»
Salesforce session | sf org login access-token: «00D{an:12}!AQ{an:90}»
Facebook page token | access_token=«EAAG{an:160}»
X bearer | bearer_token = "«AAAAAAAAAAAAAAAAAAAAA{an:30}%3D{an:50}»"
X consumer secret | consumer_secret: «{an:50}»
LinkedIn | LINKEDIN_CLIENT_SECRET=«WPL_AP1.{an:16}.{an:8}==»
Spotify | clientSecret: '«{hex:32}»'
Twitch IRC | PASS «oauth:{ln:30}»
Dropbox | dbx = dropbox.Dropbox("«sl.{url:130}»")
Box developer token | OAuth2(client_id, '', access_token='«{an:32}»')
Figma | X-Figma-Token: «figd_{url:40}»
Mapbox secret token | mapboxgl.accessToken = '«sk.eyJ{an:60}.{url:22}»';
Replicate | export REPLICATE_API_TOKEN=«r8_{an:37}»
Together | together.api_key = "«{hex:64}»"
OpenRouter | OPENROUTER_API_KEY=«sk-or-v1-{hex:64}»
ElevenLabs | xi-api-key: «sk_{hex:48}»
Langfuse | LANGFUSE_SECRET_KEY="«sk-lf-{uuid}»"
LangSmith | LANGCHAIN_API_KEY=«lsv2_pt_{hex:32}_{hex:10}»
Weights and Biases | wandb login «{hex:40}»
NVIDIA | use «nvapi-{url:64}» for the endpoint
Fireworks | key «fw_{an:24}»
Voyage | VOYAGE_API_KEY="«pa-{url:43}»"
Tavily | TavilyClient(api_key="«tvly-{an:32}»")
Firecrawl | FirecrawlApp(api_key='«fc-{hex:32}»')
Pinecone | «pcsk_{an:6}_{an:63}» was created
PostHog personal | POSTHOG_PERSONAL_API_KEY=«phx_{an:43}»
Segment write key | analytics.load("«{an:32}»")
Contentful management | CONTENTFUL_MANAGEMENT_TOKEN=«CFPAT-{url:43}»
Sanity | SANITY_AUTH_TOKEN=«sk{an:80}»
Okta | Authorization: SSWS «00{url:40}»
Clerk | CLERK_SECRET_KEY=«sk_live_{an:40}»
Vonage | api_secret: "«{an:16}»"
Plivo | plivo.RestClient('MA{un:18}', '«{an:40}»')
Ngrok | ngrok config add-authtoken «{an:27}_{an:21}»
Ably | new Ably.Realtime("«{an:6}.{an:6}:{url:43}»")
Honeycomb | X-Honeycomb-Team: «{an:22}»
Rollbar | access_token: '«{hex:32}»'
LaunchDarkly | LD_SDK_KEY=«sdk-{uuid}»
Artifactory API key | X-JFrog-Art-Api: «AKCp{an:69}»
Artifactory reference token | ARTIFACTORY_TOKEN=«cmVmdGtuOjAx{an:52}»
Clojars | CLOJARS_PASSWORD=«CLOJARS_{hex:60}»
Coinbase | CB-ACCESS-SIGN: «{b64:43}=»
Ethereum key | PRIVATE_KEY=0x«{hex:64}»
Mnemonic | MNEMONIC="«legal winner thank year wave sausage worth useful legal winner thank yellow»"
Snowflake | snowflake.connector.connect(user="me", password="«Snow{dg:3}flake»")
LDAP | bindpw: «Ldap{dg:4}x»
SMTP address | smtps://me%40example.com:«{an:16}»@smtp.example:465
ASP.NET settings | <add key="ApiKey" value="«{an:32}»" />
Terraform variable | variable "db_password" { default = "«Terra{dg:4}form»" }
Ansible variable | ansible_become_pass: «Become{dg:4}»
PowerShell | ConvertTo-SecureString "«Power{dg:4}Shell»" -AsPlainText -Force
Windows share | net use Z: \\server\share «Share{dg:4}» /user:me
sudo by a pipe | echo '«Sudo{dg:4}x»' | sudo -S apt update
htpasswd | htpasswd -b /etc/nginx/.htpasswd me «Nginx{dg:4}»
GitHub Actions secret | gh secret set DEPLOY_KEY --body "«{an:40}»"
AWS credentials in a process answer | {"Version":1,"AccessKeyId":"ASIA{un:16}","SecretAccessKey":"«{b64:40}»","SessionToken":"«IQoJb3JpZ2lu{b64:200}»"}
AWS configure by hand | AWS Access Key ID [None]: «AKIA{un:16}»\nAWS Secret Access Key [None]: «{b64:40}»
AWS in Go | credentials.NewStaticCredentialsProvider("«AKIA{un:16}»", "«{b64:40}»", "")
ECR login | aws ecr get-login-password | docker login --username AWS --password «eyJwYXlsb2FkIjoi{b64:300}» 123456789012.dkr.ecr.us-east-1.amazonaws.com
Azure CLI login | az login --service-principal -u {uuid} -p «{an:3}8Q~{an:34}» --tenant {uuid}
Azure role assignment answer | {"appId": "{uuid}", "displayName": "ci", "password": "«{an:3}8Q~{an:34}»", "tenant": "{uuid}"}
Azure DevOps remote | git remote add origin https://me:«{ln:52}»@dev.azure.com/org/project/_git/repo
Google ADC file | "client_id": "{dg:12}-{ln:32}.apps.googleusercontent.com",\n"client_secret": "«d-{url:22}»",\n"refresh_token": "«1//0{url:98}»"
Google print-access-token | $ gcloud auth print-access-token\n«ya29.a0A{url:200}»
GitHub CLI status | Token: «gho_{an:36}»
GitHub App installation | {"token":"«ghs_{an:36}»","expires_at":"2026-01-01T00:00:00Z"}
GitLab runner | gitlab-runner register --url https://gitlab.example --token «glrt-{url:20}»
GitLab deploy token in a clone | git clone https://gitlab+deploy-token-1:«{url:20}»@gitlab.example/a/b.git
Slack app token in code | const app = new App({ token: "«xoxb-{dg:12}-{dg:13}-{an:24}»", appToken: "«xapp-1-A{un:10}-{dg:13}-{hex:64}»" })
Teams webhook | https://example.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/«{hex:32}»/{uuid}
Mattermost webhook | https://chat.example/hooks/«{ln:26}»
Zapier webhook | curl -d @a https://hooks.zapier.com/hooks/catch/{dg:7}/«{ln:7}»/
Anthropic key in Python | client = anthropic.Anthropic(api_key="«sk-ant-api03-{url:93}AA»")
Claude Code OAuth | CLAUDE_CODE_OAUTH_TOKEN=«sk-ant-oat01-{url:93}AA»
Claude credentials file | {"claudeAiOauth":{"accessToken":"«sk-ant-oat01-{url:93}AA»","refreshToken":"«sk-ant-ort01-{url:93}AA»","expiresAt":1760000000000}}
OpenAI error message | Incorrect API key provided: «sk-proj-{url:124}». You can find your API key at https://platform.openai.com
DeepSeek | client = OpenAI(api_key="«sk-{hex:32}»", base_url="https://api.deepseek.com")
Hugging Face login | huggingface-cli login --token «hf_{an:34}»
Groq in a .env | GROQ_API_KEY=«gsk_{an:52}»
Cerebras | cerebras = Cerebras(api_key='«csk-{ln:48}»')
Stability | STABILITY_KEY=«sk-{an:48}»
SerpAPI | params = {"engine": "google", "api_key": "«{hex:64}»"}
Stripe restricted key in a log | stripe listen --api-key «rk_live_{an:99}»
Adyen | X-API-Key: «AQE{b64:160}»
Wise | Authorization: Bearer «{uuid}»
Paddle | PADDLE_API_KEY=pdl_live_apikey_«{ln:26}_{an:22}_{an:3}»
Twilio Verify in Node | const client = twilio("AC{hex:32}", "«{hex:32}»");
Vonage private key in JSON | "privateKey": "-----BEGIN PRIVATE KEY-----\\nMIIE«{b64:60}»\\n«{b64:64}»"
Firebase CI token | firebase deploy --token "«1//0{url:98}»"
Bugsnag | bugsnag.start({ apiKey: '«{hex:32}»' })
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
Docker build argument | docker build --build-arg NPM_TOKEN=«npm_{an:36}» .
Docker run environment | docker run -e POSTGRES_PASSWORD=«mysecret{dg:3}» -d postgres
Argo CD first password | argocd admin initial-password\n«{an:16}»\n\n This password must be only used for first time login.
Kubernetes secret decoded | $ kubectl get secret db -o jsonpath='{.data.password}' | base64 -d\n«{an:20}»
psql in the environment | PGPASSWORD='«Post{dg:4}gres»' psql -h db -U app
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
ldapsearch | ldapsearch -x -D cn=admin,dc=example -w «Ldap{dg:5}» -b dc=example
openssl | openssl enc -aes-256-cbc -k «Enc{dg:5}pass» -in a -out b
keytool | keytool -genkey -keystore a.jks -storepass «Store{dg:4}» -keypass «Keyp{dg:4}»
Android signing | storePassword "«Andr{dg:4}oid»"\nkeyPassword "«Andr{dg:4}key»"
gpg in batch | gpg --batch --passphrase «gpgpass{dg:4}» -c file
ssh-keygen | ssh-keygen -t ed25519 -N '«keyphrase{dg:3}»' -f id
expect script | send "«Expect{dg:4}»\r"
Spring YAML | spring:\n  datasource:\n    username: me\n    password: «Spring{dg:4}»
PHP | $conn = new mysqli("localhost", "root", "«Mysql{dg:4}i»", "app");
Python requests | requests.get(url, auth=("me", "«Reqs{dg:4}»"))
Django settings | 'PASSWORD': '«Django{dg:4}»',
C sharp | var secret = "«{b64:43}=»";
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
Dockerfile | ENV SECRET_KEY_BASE «{hex:128}»
Nginx basic file | me:$apr1$«{an:8}¤{an:22}»
Shadow line | root:«$6¤{an:16}¤{an:86}»:19000:0:99999:7:::
bcrypt hash | "password_hash": "«$2b$12¤{an:53}»"
Spring yaml | spring:\n  datasource:\n    username: app\n    password: «h7{an:9}»
Django database | DATABASES = {"default": {"USER": "app", "PASSWORD": "«tr0ub4dor{dg:2}»"}}
Flask | app.config["SECRET_KEY"] = "«{hex:48}»"
Express session | app.use(session({ secret: "«kb-{an:14}»", resave: false }))
WordPress database | define( 'DB_PASSWORD', '«{an:14}»' );
Docker compose Postgres | environment:\n  - POSTGRES_PASSWORD=«letmein{dg:3}»
Docker compose MySQL | MYSQL_ROOT_PASSWORD: «r00t{an:8}»
Docker run | docker run -e MONGO_INITDB_ROOT_PASSWORD=«m{an:11}» mongo
docker inspect | "Env": [\n  "PATH=/usr/bin",\n  "REDIS_PASSWORD=«{an:16}»"\n]
Terraform tfvars | admin_password = "«P@ss{an:8}»"
Terraform state | "password": "«{an:24}»",\n"port": 5432
Ansible variable | ansible_become_pass: «{an:12}»
Ansible inventory | host1 ansible_user=root ansible_password=«{an:10}»
Ansible vault file | vault_api_token: "«{an:32}»"
Kubernetes service account | token: «eyJhbGciOiJSUzI1NiIsImtpZCI6I{url:20}.eyJ{url:120}.{url:86}»
Vault unseal key | Unseal Key 1: «{b64:43}=»
Vault root token | Initial Root Token: «hvs.{an:24}»
Vault kv get | Key         Value\n---         -----\npassword    «{an:18}»
psql environment | PGPASSWORD=«{an:11}» psql -h db
mysql option | mysql -uroot -p«{an:10}» app
mysql client file | [client]\nuser=app\npassword="«{an:12}»"
SQL user | CREATE USER app WITH PASSWORD '«{an:12}»';
SQL alter | ALTER USER 'root'@'localhost' IDENTIFIED BY '«{an:12}»';
pgpass line | db.example.com:5432:app:app:«{an:12}»
redis-cli | redis-cli -h r -a «{an:16}» ping
redis conf | requirepass «{an:20}»
redis url | REDIS_URL=redis://:«{an:16}»@cache:6379/0
mongo url | mongodb+srv://app:«{an:14}»@cluster0.abcde.mongodb.net/app
amqp url | amqp://guest:«{an:9}»@mq:5672//
Neon | postgresql://u:«npg_{an:12}»@ep-cool-1.eu-central-1.aws.neon.tech/db
PlanetScale | DATABASE_PASSWORD=«pscale_pw_{url:43}»
Turso | TURSO_AUTH_TOKEN=«eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJ{url:80}.{url:86}»
Supabase service role | SUPABASE_SERVICE_ROLE_KEY=«eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{url:120}.{url:43}»
Supabase new secret | sb_secret: «sb_secret_{url:31}»
Firebase | FIREBASE_TOKEN=«1//0{url:98}»
Cloudflare wrangler | wrangler secret put KEY\n✔ Enter a secret value: «{an:24}»
Fly | FLY_API_TOKEN="FlyV1 «fm2_{b64:120}»"
DigitalOcean | doctl auth init -t «dop_v1_{hex:64}»
Heroku login | netrc: machine api.heroku.com login a@b.c password «HRKU-{uuid}»
npm rc auth | _auth="«{b64:30}=»"
pip index | pip install --index-url https://build:«{an:20}»@pypi.example.com/simple pkg
NuGet | <add key="ClearTextPassword" value="«{an:20}»" />
Maven settings | <server><id>r</id><username>u</username><password>«{an:16}»</password></server>
Artifactory | X-JFrog-Art-Api: «AKC{an:70}»
App Store Connect | "key": "-----BEGIN PRIVATE KEY-----\\nMIG«{b64:60}»\\n-----END PRIVATE KEY-----"
Ssh key | -----BEGIN OPENSSH PRIVATE KEY-----\n«b3BlbnNzaC1rZXktdjEA{b64:50}»\n«{b64:70}»\n-----END OPENSSH PRIVATE KEY-----
sshpass | sshpass -p '«{an:10}!»' ssh root@host
PuTTY key | Private-Lines: 1\n«{b64:64}»\nPrivate-MAC: «{hex:64}»
OpenVPN static | -----BEGIN OpenVPN Static key V1-----\n«{hex:32}»\n«{hex:32}»\n-----END OpenVPN Static key V1-----
Wi-Fi | wpa_passphrase="«{an:12}»"
htpasswd | admin:«¤apr1¤{an:8}¤{an:22}»
openssl option | openssl enc -aes-256-cbc -pass pass:«{an:14}»
gpg passphrase | gpg --batch --passphrase «{an:12}» -d f.gpg
age | AGE-SECRET-KEY-«1{un:58}»
JWT secret in code | jwt.sign(payload, "«{an:22}»")
Python requests | requests.get(url, auth=("me", "«{an:14}»"))
wget | wget --user=me --password='«{an:12}»' https://x
httpie | http -a me:«{an:12}» https://x
lftp | lftp -u me,«{an:12}» ftp.example.com
rclone | [s3]\naccess_key_id = AKIA{un:16}\nsecret_access_key = «{b64:40}»
MinIO | mc alias set local http://m:9000 minio «{an:16}»
Backblaze | B2_APPLICATION_KEY=«K00{an:28}»
Wasabi in code | aws_secret_access_key="«{b64:40}»",
Elastic | elastic:«{an:20}»@localhost:9200
Kibana | elasticsearch.password: "«{an:20}»"
RabbitMQ | rabbitmqctl add_user app «{an:14}»
Grafana Cloud | GRAFANA_TOKEN=«glc_{b64:100}»
OAuth form | grant_type=client_credentials&client_id=a&client_secret=«{an:40}»
LDAP | ldapsearch -D cn=admin -w «{an:12}» -b dc=x
LDAP conf | bindpw «{an:12}»
Anthropic key | ANTHROPIC_API_KEY=«sk-ant-api03-{url:93}AA»
OpenAI project | OPENAI_API_KEY=«sk-proj-{url:120}»
Perplexity | Bearer «pplx-{an:48}»
Pinecone | pc = Pinecone(api_key="«pcsk_{an:6}_{an:60}»")
Plaid | "secret": "«{hex:30}»"
Algolia | const client = algoliasearch("A1B2C3D4E5", "«{hex:32}»")
Mapbox secret | MAPBOX_TOKEN=«sk.eyJ{an:80}.{url:22}»
Notion | NOTION_TOKEN=«ntn_{dg:11}{an:35}»
Airtable | AIRTABLE_API_KEY=«pat{an:14}.{hex:64}»
Doppler | DOPPLER_TOKEN=«dp.pt.{an:43}»
Bitwarden | BW_SESSION="«{b64:86}==»"
Infisical | INFISICAL_TOKEN=«st.{hex:24}.{hex:32}.{hex:32}»
Databricks | DATABRICKS_TOKEN=«dapi{hex:32}-2»
Said in prose | The admin password is «Welcome{dg:4}!» until tomorrow.
Said in prose, login | log in as root / «{an:10}»
German | Das Passwort lautet «Geheim{dg:4}»
Java code | private static final String PASSWORD = "«{an:12}»";
Go code | const dbPass = "«{an:12}»"
Ruby code | config.api_key = '«{an:24}»'
PHP code | $db_pass = '«{an:12}»';
Query string | https://api.example.com/v1?api_key=«{an:32}»&page=2
Cookie jar | #HttpOnly_example.com\tFALSE\t/\tTRUE\t0\tsessionid\t«{ln:32}»
Set-Cookie | Set-Cookie: session=«{url:60}»; HttpOnly; Path=/
Connect sid | Cookie: connect.sid=«s%3A{url:32}.{an:43}»
CSRF | X-CSRF-Token: «{b64:86}==»
Postman | {"key": "password", "value": "«{an:12}»", "type": "default"}
Airflow | AIRFLOW__CORE__FERNET_KEY: "«{url:43}=»"
Airflow connection | AIRFLOW_CONN_DB=postgres://u:«{an:12}»@h/db
Apache htpasswd create | htpasswd -cb .htpasswd admin «{an:10}»
AWS CLI configure | ¤ aws configure set aws_secret_access_key «{b64:40}»
AWS export output | AWS_ACCESS_KEY_ID=ASIA{un:16} AWS_SECRET_ACCESS_KEY=«{b64:40}»
AWS Lambda env | --environment "Variables={STRIPE_KEY=«sk_test_{an:24}»}"
AWS secretsmanager output | "SecretString": "{\"username\":\"app\",\"password\":\"«{an:16}»\"}"
Azure storage key list | "keyName": "key1",\n"value": "«{b64:86}==»"
BigQuery | "private_key_id": "{hex:40}", "private_key": "-----BEGIN RSA PRIVATE KEY-----\\n«{b64:64}»\\n-----END RSA PRIVATE KEY-----\\n"
Borg | export BORG_PASSPHRASE='«correct-{an:8}»'
Caddy | basicauth /secret { bob «¤2a¤14¤{an:53}» }
CircleCI | curl -H "Circle-Token: «{hex:40}»" https://circleci.com/api
CockroachDB | postgresql://root:«{an:22}»@free-tier.gcp.cockroachlabs.cloud:26257/defaultdb
Confluent | confluent api-key create\n| API Key | {un:16} |\n| Secret | «{b64:64}» |
Contentful | Authorization: Bearer «CFPAT-{url:43}»
Coolify | SERVICE_PASSWORD_DB=«{an:32}»
cURL data | curl -d '{"username":"a","password":"«{an:12}»"}' https://x/login
Cypress env | "env": { "CYPRESS_PASSWORD": "«{an:12}»" }
Dart code | const apiSecret = '«{hex:40}»';
Deno deploy | deployctl deploy --token=«ddp_{an:36}»
Discord env | DISCORD_TOKEN=«MT{an:24}.G{an:5}.{url:38}»
Django email | EMAIL_HOST_PASSWORD = '«{lo:4} {lo:4} {lo:4} {lo:4}»'
Doctl config | access-token: «dop_v1_{hex:64}»
dotenv vault | DOTENV_KEY="dotenv://:«key_{hex:64}»@dotenv.org/vault/.env.vault"
Elixir config | secret_key_base: "«{b64:64}»"
Facebook token | access_token=«EAA{an:120}»
Freshdesk | curl -u «{an:20}»:X https://d.freshdesk.com/api
GCP ADC | "refresh_token": "«1//0g{url:90}»", "client_secret": "«GOCSPX-{url:28}»"
Ghost | GHOST_ADMIN_API_KEY={hex:24}:«{hex:64}»
Gin code | db, err := sql.Open("mysql", "app:«{an:12}»@tcp(db:3306)/app")
GitLab runner | gitlab-runner register --registration-token «GR1348941{url:20}»
GitLab trigger | curl -F token=«glptt-{hex:40}» https://gitlab.com/api
Gmail app password | SMTP_PASS="«{lo:16}»"
Harbor robot | docker login reg.example.com -u 'robot¤ci' -p «{an:32}»
HashiCorp approle | secret_id    «{uuid}»
Home Assistant | token: «eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{url:80}.{url:43}»
HubSpot | Authorization: Bearer «pat-na1-{uuid}»
IPMI | ipmitool -I lanplus -H h -U root -P «{an:10}» power status
Jenkins initial | Please use the following password to proceed to installation:\n\n«{hex:32}»
JetBrains | perm:«{b64:40}.{b64:30}.{an:30}»
Lua code | local password = "«{an:12}»"
Magento | 'crypt' => ['key' => '«{hex:32}»']
Mattermost | MM_SQLSETTINGS_DATASOURCE=postgres://mm:«{an:12}»@db/mm
Nextcloud | 'dbpassword' => '«{an:30}»',
ngrok | authtoken: «2{an:26}_{an:21}»
NPM publish | npm config set //registry.npmjs.org/:_authToken «npm_{an:36}»
Odoo | admin_passwd = «{an:12}»
Oracle | sqlplus app/«{an:12}»@//db:1521/XE
Paddle | PADDLE_API_KEY=«pdl_live_apikey_{ln:26}_{an:22}_{an:3}»
Playwright | await page.fill('#password', '«{an:12}»');
Cypress type | cy.get('[name=password]').type('«{an:12}!»')
PowerShell credential | ¤pw = "«{an:12}»"
Proxmox | PVEAPIToken=root@pam!ci=«{uuid}»
Python getpass test | os.environ["API_TOKEN"] = "«{an:32}»"
R | Sys.setenv(API_KEY = "«{an:32}»")
Salesforce | SFDX_AUTH_URL=force://PlatformCLI::«5Aep861{url:60}»@x.my.salesforce.com
Selenium | driver.find_element(By.ID, "password").send_keys("«{an:12}»")
Serverless | provider:\n  environment:\n    JWT_SECRET: «{an:24}»
Shell read expect | echo "«{an:12}»" | docker login --password-stdin -u me
SonarQube | sonar.login=«sqp_{hex:40}»
Spotify | client_id:client_secret = {hex:32}:«{hex:32}»
Strapi | API_TOKEN_SALT=«{b64:22}==»
Trello | key={hex:32}&token=«ATTA{hex:72}»
Twitch | oauth:«{ln:30}»
VNC | x11vnc -passwd «{an:8}»
Webpack | new webpack.DefinePlugin({ 'process.env.SECRET_TOKEN': JSON.stringify('«{an:32}»') })
Woocommerce | consumer_secret=«cs_{hex:40}»
XML attribute | <add name="db" connectionString="Server=s;Uid=u;Pwd=«{an:12}»;" />
XML element | <apiKey>«{an:32}»</apiKey>
YAML anchor | db_password: &pw «{an:12}»
Chat 1 | here is my token «{an:32}»
Chat 2 | use this key: «{an:32}»
Chat 3 | password is "«{an:10}»"
Chat 4 | pw: «{an:10}»
Magic link | https://app.example.com/login?magic=«{url:43}»
Session dump | {"sessionToken":"«{uuid}»"}
git credential | protocol=https\nhost=github.com\nusername=me\npassword=«gho_{an:36}»
gh auth token | ¤ gh auth token\n«gho_{an:36}»
gcloud token | ¤ gcloud auth print-access-token\n«ya29.{url:120}»
Adyen | "X-API-Key": "«AQE{an:60}==-{an:40}-{an:20}»"
Aiven | avnadmin:«AVNS_{url:19}»@pg-1.aivencloud.com:13040
Akamai | client_token = akab-{an:16}-{an:16}\nclient_secret = «{b64:43}=»
AMQP python | pika.PlainCredentials('app', '«{an:14}»')
Appium cloud | "browserstack.key": "«{an:20}»"
AppSync | x-api-key: «da2-{ln:26}»
AWS profile export | [default]\naws_access_key_id=AKIA{un:16}\naws_secret_access_key=«{b64:40}»
Backup code | Your backup codes: «{dg:4}-{dg:4}», «{dg:4}-{dg:4}»
Bash array | creds=("admin" "«{an:12}»")
Bundle config | bundle config gems.example.com me:«{an:20}»
Certbot DNS | dns_cloudflare_api_token = «{url:40}»
Clerk | CLERK_SECRET_KEY=«sk_test_{an:42}»
Cron line | 0 3 * * * PGPASSWORD='«{an:12}»' pg_dump app
C code | #define API_KEY "«{an:32}»"
C++ code | const std::string kPassword = "«{an:12}»";
Directus | KEY={uuid}\nSECRET=«{uuid}»
Dropbox | dropbox.Dropbox('«sl.{url:130}»')
Erlang cookie | -setcookie «{up:20}»
etcd | etcdctl --user root:«{an:12}» get k
Firebase admin | "private_key":"-----BEGIN PRIVATE KEY-----\\n«{b64:64}»\\n«{b64:40}»\\n-----END PRIVATE KEY-----\\n"
Flutter | final String token = '«{an:40}»';
GraphQL | {"query":"mutation{login(email:\"a@b.c\",password:\"«{an:12}»\"){token}}"}
imap | imap.login("me@x.com", "«{an:14}»")
Intercom | Authorization: Bearer «dG9r{b64:56}=»
iron session | password: process.env.X ?? "«{an:40}»",
JSON minified | {"db":{"host":"h","pass":"«{an:12}»"}}
Kong | key-auth: apikey=«{an:32}»
Logtail | new Logtail("«{an:24}»")
MQTT | mosquitto_pub -h h -u me -P «{an:12}» -t t
MySQL defaults | mysql_native_password BY '«{an:12}»'
node pg | new Pool({ user: 'app', password: '«{an:12}»' })
nodemailer | auth: { user: "me@x.com", pass: "«{an:16}»" }
npm login output | "token": "«npm_{an:36}»"
Objective-C | NSString *password = @"«{an:12}»";
Perl DBI | DBI->connect("dbi:Pg:dbname=a", "app", "«{an:12}»")
PHP array | 'password' => '«{an:12}»',
Playwright env | process.env.PASSWORD = '«{an:12}»'
Poetry | poetry config pypi-token.pypi «pypi-AgEI{url:140}»
PowerShell param | Connect-X -Password «{an:12}»
Python dict | cfg = {"token": "«{an:32}»"}
Ruby Net HTTP | req.basic_auth 'me', '«{an:12}»'
S3 presigned | X-Amz-Credential=AKIA{un:16}%2F20260101&X-Amz-Signature=«{hex:64}»
SNMP | snmpwalk -v3 -u me -A «{an:12}» -X «{an:12}» host
Sops age | key: «AGE-SECRET-KEY-1{un:58}»
SSL p12 | openssl pkcs12 -export -out a.p12 -passout pass:«{an:12}»
Storybook | CHROMATIC_PROJECT_TOKEN=«chpt_{hex:15}»
Stytch | STYTCH_SECRET=«secret-test-{url:36}»
Uptime | UPTIMEROBOT_KEY=«u{dg:6}-{hex:24}»
Vultr | VULTR_API_KEY=«{up:36}»
Weaviate | weaviate.auth.AuthApiKey("«{an:36}»")
wp-cli | wp user create bob b@x.com --user_pass=«{an:12}»
Xcode | xcrun altool --upload-app -u me -p «{lo:4}-{lo:4}-{lo:4}-{lo:4}»
Yarn v1 | "//npm.pkg.github.com/:_authToken" "«ghp_{an:36}»"
Cookie in fetch | headers: { cookie: "session=«{url:60}»" }
Email body | Your new password is: «{an:10}»
Slack text | the db pass is «{an:10}»
Slack text 2 | creds: admin:«{an:10}»
Slack text 3 | PIN for the vault is «{an:10}»
Log warn | WARN login failed for admin with password '«{an:10}»'
SQL insert | INSERT INTO users (name, password) VALUES ('bob', '«{an:12}»');
CSV row | name,password\nbob,«{an:12}»
Agora | appCertificate = "«{hex:32}»"
Keybase paper | paperkey: «{lo:5} {lo:6} {lo:4} {lo:7} {lo:5} {lo:6} {lo:5} {lo:6}»
`;

/** In the templates, `¤` stands for `$`, which can start a substitution here. */
export const LATER_KINDS: readonly DocumentedKind[] = readKinds(TABLE.replaceAll("¤", "$"));

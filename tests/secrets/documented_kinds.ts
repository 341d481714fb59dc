/**
 * Kinds of credentials from the documentation of services, programs and formats.
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
Azure OpenAI key | AZURE_OPENAI_API_KEY=«{hex:32}»
Azure DevOps PAT | export AZURE_DEVOPS_EXT_PAT=«{ln:52}»
Azure cognitive services header | Ocp-Apim-Subscription-Key: «{hex:32}»
Azure function key | https://app.azurewebsites.net/api/f?code=«{url:54}==»
SQL Server connection string | Server=tcp:db,1433;User ID=app;Password=«Winter{dg:4}»;Encrypt=True
Google API key | key=«AIza{url:35}»
Google OAuth client secret | "client_secret": "«GOCSPX-{url:28}»"
Google service account | "private_key": "-----BEGIN PRIVATE KEY-----\\nMII«{b64:61}»\\n«{b64:64}»\\n-----END PRIVATE KEY-----\\n"
GitHub classic token | git clone with «ghp_{an:36}»
GitHub token of the old format | GITHUB_TOKEN=«{hex:40}»
GitHub token in a remote | https://x-access-token:«ghs_{an:36}»@github.com/a/b.git
GitLab personal token | PRIVATE-TOKEN: «glpat-{url:20}»
GitLab CI job token in curl | curl --header "JOB-TOKEN: «{an:30}»" https://gitlab.example/api
Bitbucket app password | https://someone:«ATBB{an:32}»@bitbucket.org/a/b.git
Slack webhook | https://hooks.slack.com/services/«T{un:10}/B{un:10}/{an:24}»
Discord bot token | client.login("«MT{an:22}.G{an:5}.{url:38}»");
Discord webhook | https://discord.com/api/webhooks/{dg:18}/«{url:68}»
Telegram bot | https://api.telegram.org/bot«{dg:10}:AA{url:33}»/getMe
Twilio in curl | curl -u AC{hex:32}:«{hex:32}» https://api.twilio.com/2010-04-01/Accounts.json
SendGrid key | SENDGRID_API_KEY='«SG.{url:22}.{url:43}»'
Mailgun key | curl --user 'api:«key-{hex:32}»' https://api.mailgun.net/v3/a
Mailchimp key | MAILCHIMP_KEY=«{hex:32}-us12»
Postmark server token | X-Postmark-Server-Token: «{uuid}»
Resend key | new Resend("«re_{an:8}_{an:24}»")
Stripe webhook | endpoint_secret = '«whsec_{an:32}»'
PayPal client secret | PAYPAL_CLIENT_SECRET=«E{url:79}»
Braintree private key | private_key="«{hex:32}»",
Shopify admin token | X-Shopify-Access-Token: «shpat_{hex:32}»
Vercel token | vercel --token «{an:24}» deploy
Fly token | FLY_API_TOKEN="«FlyV1 fm2_{b64:120}»"
Cloudflare R2 secret | secretAccessKey: "«{hex:64}»",
Fastly token | Fastly-Key: «{url:32}»
Linode token | token = "«{hex:64}»"
Supabase access token | npx supabase login --token «sbp_{hex:40}»
Supabase secret key | createClient(url, "«sb_secret_{url:22}_{url:8}»")
PlanetScale password | mysql://user:«pscale_pw_{url:43}»@aws.connect.psdb.cloud/db
Neon connection string | postgresql://neondb_owner:«npg_{an:12}»@ep-cool-a.eu-central-1.aws.neon.tech/neondb?sslmode=require
MongoDB Atlas | mongodb+srv://app:«Spring{dg:4}»@cluster0.ab1cd.mongodb.net/?retryWrites=true
Upstash REST token | UPSTASH_REDIS_REST_TOKEN="«AX{an:50}=»"
Redis configuration | requirepass «foobared{dg:2}»
Elasticsearch password | ELASTIC_PASSWORD=«changeIt{dg:2}»
Opsgenie | Authorization: GenieKey «{uuid}»
SonarQube token | sonar.token=«sqp_{hex:40}»
SonarQube login | sonar.login=«{hex:40}»
PyPI password | [pypi]\nusername = someone\npassword = «correct{dg:2}horse»
RubyGems key | :rubygems_api_key: rubygems_«{hex:48}»
NuGet key | dotnet nuget push a.nupkg --api-key «oy2{ln:43}»
Docker configuration | "auths": {"https://index.docker.io/v1/": {"auth": "«{b64:30}==»"}}
kubeconfig client key | client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{b64:200}»
Kubernetes secret | kind: Secret\ndata:\n  password: «{b64:22}==»
kubeadm join | kubeadm join 10.0.0.1:6443 --token «{ln:6}.{ln:16}» --discovery-token-ca-cert-hash sha256:{hex:64}
Rails secret key base | secret_key_base: «{hex:128}»
Django secret key | SECRET_KEY = 'django-insecure-«{ln:20}(_{ln:8}%{ln:10}»'
Laravel key | APP_KEY=base64:«{b64:43}=»
WordPress database | define( 'DB_PASSWORD', '«Winter{dg:4}»' );
WordPress salt | define('AUTH_KEY', '«{an:12}|{an:14}&{an:14}»');
Spring data source | spring.datasource.password=«s3cret{lo:4}»
Maven settings | <server><id>a</id><username>me</username><password>«Welcome{dg:3}»</password></server>
OpenSSH private key | -----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz«{b64:62}»\n«{b64:70}»\n-----END OPENSSH PRIVATE KEY-----
Encrypted PEM | -----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,«{HEX:32}»\n\n«{b64:64}»\n«{b64:64}»\n-----END RSA PRIVATE KEY-----
PGP private block | -----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\nlQdGBF«{b64:58}»\n«{b64:64}»\n=«{b64:4}»\n-----END PGP PRIVATE KEY BLOCK-----
PuTTY key | Private-Lines: 2\n«{b64:64}»\n«{b64:40}»\nPrivate-MAC: «{hex:40}»
WireGuard | [Interface]\nPrivateKey = «{b64:43}=»
netrc | machine api.example login someone password «hunter{dg:2}»
pgpass | db.example:5432:app:someone:«Winter{dg:4}»
docker compose | environment:\n  MYSQL_ROOT_PASSWORD: «letmein{dg:2}»
Session cookie in a header | Cookie: sessionid=«{ln:32}»; csrftoken=«{an:32}»
Set-Cookie | Set-Cookie: connect.sid=«s%3A{an:32}.{an:43}»; Path=/; HttpOnly
Query parameter | GET /v1/items?access_token=«{hex:40}»&page=2
Environment variable ending in PASS | SMTP_PASS=«Winter{dg:4}»
Environment variable ending in PW | export DB_PW=«{ln:10}»
Password in prose | By the way, the password is «hunter2»
Password in prose, in marks | Log in as admin with the password "«Welcome123»".
SQL identified by | CREATE USER 'app'@'%' IDENTIFIED BY '«Winter{dg:4}»';
SQL alter role | ALTER ROLE app WITH LOGIN PASSWORD '«Winter{dg:4}»';
Wi-Fi | psk="«mywifi{dg:4}»"
`;

// deno-fmt-ignore
const LATER_TABLE = String.raw`
Airtable bare | curl with «pat{an:14}.{hex:64}»
HubSpot private app | «pat-na1-{uuid}» is what the portal gave
Spotify | clientSecret: '«{hex:32}»'
Twitch IRC | PASS «oauth:{ln:30}»
Dropbox | dbx = dropbox.Dropbox("«sl.{url:130}»")
Box developer token | OAuth2(client_id, '', access_token='«{an:32}»')
Cohere | CO_API_KEY=«{an:40}»
ElevenLabs | xi-api-key: «sk_{hex:48}»
Langfuse | LANGFUSE_SECRET_KEY="«sk-lf-{uuid}»"
Weights and Biases | wandb login «{hex:40}»
Fireworks | key «fw_{an:24}»
Voyage | VOYAGE_API_KEY="«pa-{url:43}»"
Firecrawl | FirecrawlApp(api_key='«fc-{hex:32}»')
Segment write key | analytics.load("«{an:32}»")
Honeycomb | X-Honeycomb-Team: «{an:22}»
Ethereum key | PRIVATE_KEY=0x«{hex:64}»
Mnemonic | MNEMONIC="«legal winner thank year wave sausage worth useful legal winner thank yellow»"
LDAP | bindpw: «Ldap{dg:4}x»
ASP.NET settings | <add key="ApiKey" value="«{an:32}»" />
Terraform variable | variable "db_password" { default = "«Terra{dg:4}form»" }
PowerShell | ConvertTo-SecureString "«Power{dg:4}Shell»" -AsPlainText -Force
Windows share | net use Z: \\server\share «Share{dg:4}» /user:me
sudo by a pipe | echo '«Sudo{dg:4}x»' | sudo -S apt update
htpasswd | htpasswd -b /etc/nginx/.htpasswd me «Nginx{dg:4}»
GitHub Actions secret | gh secret set DEPLOY_KEY --body "«{an:40}»"
AWS credentials in a process answer | {"Version":1,"AccessKeyId":"ASIA{un:16}","SecretAccessKey":"«{b64:40}»","SessionToken":"«IQoJb3JpZ2lu{b64:200}»"}
AWS configure by hand | AWS Access Key ID [None]: «AKIA{un:16}»\nAWS Secret Access Key [None]: «{b64:40}»
AWS in Go | credentials.NewStaticCredentialsProvider("«AKIA{un:16}»", "«{b64:40}»", "")
ECR login | aws ecr get-login-password | docker login --username AWS --password «eyJwYXlsb2FkIjoi{b64:300}» 123456789012.dkr.ecr.us-east-1.amazonaws.com
Application Insights API key | x-api-key: «{ln:40}»
Google ADC file | "client_id": "{dg:12}-{ln:32}.apps.googleusercontent.com",\n"client_secret": "«d-{url:22}»",\n"refresh_token": "«1//0{url:98}»"
Google print-access-token | $ gcloud auth print-access-token\n«ya29.a0A{url:200}»
GitHub App installation | {"token":"«ghs_{an:36}»","expires_at":"2026-01-01T00:00:00Z"}
Teams webhook | https://example.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/«{hex:32}»/{uuid}
Cerebras | cerebras = Cerebras(api_key='«csk-{ln:48}»')
Paddle | PADDLE_API_KEY=pdl_live_apikey_«{ln:26}_{an:22}_{an:3}»
Twilio Verify in Node | const client = twilio("AC{hex:32}", "«{hex:32}»");
Vonage private key in JSON | "privateKey": "-----BEGIN PRIVATE KEY-----\\nMIIE«{b64:60}»\\n«{b64:64}»"
Bugsnag | bugsnag.start({ apiKey: '«{hex:32}»' })
Mixpanel secret | curl https://mixpanel.com/api/2.0/export -u «{hex:32}»:
Shopify theme kit | shopify theme push --password «shptka_{hex:32}»
Cloudflare tunnel | cloudflared service install «eyJhIjoi{b64:150}»
Vault unseal | Unseal Key 1: «{b64:43}=»\nInitial Root Token: «hvs.{an:24}»
Argo CD first password | argocd admin initial-password\n«{an:16}»\n\n This password must be only used for first time login.
psql in the environment | PGPASSWORD='«Post{dg:4}gres»' psql -h db -U app
mongosh | mongosh "mongodb://db" -u admin -p «Mongo{dg:4}» --authenticationDatabase admin
Redis CLI | redis-cli -h cache -a «Redis{dg:6}» ping
Elasticsearch reset | Password for the [elastic] user successfully reset.\nNew value: «{url:20}»
Grafana admin | grafana cli admin reset-admin-password «Graf{dg:4}ana»
lftp | lftp -u me,«Ftp{dg:5}pw» ftp.example
smbclient | smbclient //server/share -U 'me%«Samba{dg:4}»'
ldapsearch | ldapsearch -x -D cn=admin,dc=example -w «Ldap{dg:5}» -b dc=example
openssl | openssl enc -aes-256-cbc -k «Enc{dg:5}pass» -in a -out b
Android signing | storePassword "«Andr{dg:4}oid»"\nkeyPassword "«Andr{dg:4}key»"
gpg in batch | gpg --batch --passphrase «gpgpass{dg:4}» -c file
ssh-keygen | ssh-keygen -t ed25519 -N '«keyphrase{dg:3}»' -f id
expect script | send "«Expect{dg:4}»\r"
PHP | $conn = new mysqli("localhost", "root", "«Mysql{dg:4}i»", "app");
Python requests | requests.get(url, auth=("me", "«Reqs{dg:4}»"))
Django settings | 'PASSWORD': '«Django{dg:4}»',
Rust | let api_key = "«{an:32}»";
JSON web key | {"kty":"RSA","n":"{url:342}","e":"AQAB","d":"«{url:342}»"}
Session in a browser | document.cookie = "session=«{an:40}»; path=/"
CSRF in a form | <input type="hidden" name="csrf_token" value="«{an:40}»">
Password field of a form | <input name="password" type="password" value="«Form{dg:4}x»">
Chat, login slash | Login: admin / «Qwert{dg:4}!»
Chat, here is my key | here is my key: «{an:40}»
Environment printed | DB_PASSWORD: '«Prin{dg:4}ted»',\nAPI_SECRET: '«{an:32}»'
systemd | Environment="SECRET_KEY=«{an:50}»"
Dockerfile | ENV SECRET_KEY_BASE «{hex:128}»
Nginx basic file | me:$apr1$«{an:8}§{an:22}»
Shadow line | root:«$6§{an:16}§{an:86}»:19000:0:99999:7:::
Django settings 2 | SECRET_KEY = 'django-insecure-«{an:20}#{an:20}»'
Django database | DATABASES = {"default": {"USER": "app", "PASSWORD": "«tr0ub4dor{dg:2}»"}}
Flask | app.config["SECRET_KEY"] = "«{hex:48}»"
WordPress salt | define('AUTH_KEY', '«{an:30}|{an:33}»');
WordPress database | define( 'DB_PASSWORD', '«{an:14}»' );
Terraform tfvars | admin_password = "«P@ss{an:8}»"
kubeadm join | kubeadm join 10.0.0.1:6443 --token «{ln:6}.{ln:16}» --discovery-token-ca-cert-hash sha256:0f0f
Vault root token | Initial Root Token: «hvs.{an:24}»
Vault kv get | Key         Value\n---         -----\npassword    «{an:18}»
mysql client file | [client]\nuser=app\npassword="«{an:12}»"
Cloudflare wrangler | wrangler secret put KEY\n✔ Enter a secret value: «{an:24}»
DigitalOcean | doctl auth init -t «dop_v1_{hex:64}»
Heroku login | netrc: machine api.heroku.com login a@b.c password «HRKU-{uuid}»
npm rc auth | _auth="«{b64:30}=»"
NuGet | <add key="ClearTextPassword" value="«{an:20}»" />
Maven settings | <server><id>r</id><username>u</username><password>«{an:16}»</password></server>
OpenVPN static | -----BEGIN OpenVPN Static key V1-----\n«{hex:32}»\n«{hex:32}»\n-----END OpenVPN Static key V1-----
Wi-Fi | wpa_passphrase="«{an:12}»"
gpg passphrase | gpg --batch --passphrase «{an:12}» -d f.gpg
age | AGE-SECRET-KEY-«1{un:58}»
JWT secret in code | jwt.sign(payload, "«{an:22}»")
wget | wget --user=me --password='«{an:12}»' https://x
httpie | http -a me:«{an:12}» https://x
MinIO | mc alias set local http://m:9000 minio «{an:16}»
Elastic | elastic:«{an:20}»@localhost:9200
RabbitMQ | rabbitmqctl add_user app «{an:14}»
Grafana Cloud | GRAFANA_TOKEN=«glc_{b64:100}»
Sentry auth | SENTRY_AUTH_TOKEN=«sntrys_{b64:100}_{b64:43}»
OAuth form | grant_type=client_credentials&client_id=a&client_secret=«{an:40}»
OAuth code | client_secret: '«{url:36}»',
Algolia | const client = algoliasearch("A1B2C3D4E5", "«{hex:32}»")
Snowflake | snowsql -a acc -u me --password «{an:12}»
Said in prose, login | log in as root / «{an:10}»
Ruby code | config.api_key = '«{an:24}»'
PHP code | $db_pass = '«{an:12}»';
Cookie jar | #HttpOnly_example.com\tFALSE\t/\tTRUE\t0\tsessionid\t«{ln:32}»
Postman | {"key": "password", "value": "«{an:12}»", "type": "default"}
AWS CLI configure | $ aws configure set aws_secret_access_key «{b64:40}»
AWS secretsmanager output | "SecretString": "{\"username\":\"app\",\"password\":\"«{an:16}»\"}"
Azure storage key list | "keyName": "key1",\n"value": "«{b64:86}==»"
Borg | export BORG_PASSPHRASE='«correct-{an:8}»'
Confluent | confluent api-key create\n| API Key | {un:16} |\n| Secret | «{b64:64}» |
Coolify | SERVICE_PASSWORD_DB=«{an:32}»
cURL data | curl -d '{"username":"a","password":"«{an:12}»"}' https://x/login
Django email | EMAIL_HOST_PASSWORD = '«{lo:4} {lo:4} {lo:4} {lo:4}»'
Elixir config | secret_key_base: "«{b64:64}»"
ESPHome | ota:\n  password: "«{hex:32}»"
Freshdesk | curl -u «{an:20}»:X https://d.freshdesk.com/api
Ghost | GHOST_ADMIN_API_KEY={hex:24}:«{hex:64}»
Gin code | db, err := sql.Open("mysql", "app:«{an:12}»@tcp(db:3306)/app")
GitLab trigger 2 | curl -F token=«glptt-{hex:40}» https://gitlab.com/api
HashiCorp approle | secret_id    «{uuid}»
InfluxDB | influx config create --token «{url:86}==»
IPMI | ipmitool -I lanplus -H h -U root -P «{an:10}» power status
Jenkins initial | Please use the following password to proceed to installation:\n\n«{hex:32}»
JetBrains | perm:«{b64:40}.{b64:30}.{an:30}»
Nextcloud | 'dbpassword' => '«{an:30}»',
Odoo | admin_passwd = «{an:12}»
Oracle | sqlplus app/«{an:12}»@//db:1521/XE
Paddle 2 | PADDLE_API_KEY=«pdl_live_apikey_{ln:26}_{an:22}_{an:3}»
Playwright | await page.fill('#password', '«{an:12}»');
Cypress type | cy.get('[name=password]').type('«{an:12}!»')
Pulumi config | pulumi config set --secret dbPassword «{an:24}»
Selenium | driver.find_element(By.ID, "password").send_keys("«{an:12}»")
Shell read expect | echo "«{an:12}»" | docker login --password-stdin -u me
Spotify 2 | client_id:client_secret = {hex:32}:«{hex:32}»
Strapi | API_TOKEN_SALT=«{b64:22}==»
XML element | <apiKey>«{an:32}»</apiKey>
YAML anchor | db_password: &pw «{an:12}»
Chat 2 | use this key: «{an:32}»
Magic link | https://app.example.com/login?magic=«{url:43}»
Session dump | {"sessionToken":"«{uuid}»"}
Akamai | client_token = akab-{an:16}-{an:16}\nclient_secret = «{b64:43}=»
AMQP python | pika.PlainCredentials('app', '«{an:14}»')
Backup code | Your backup codes: «{dg:4}-{dg:4}», «{dg:4}-{dg:4}»
Bash array | creds=("admin" "«{an:12}»")
Bundle config | bundle config gems.example.com me:«{an:20}»
C code | #define API_KEY "«{an:32}»"
Dropbox 2 | dropbox.Dropbox('«sl.{url:130}»')
Erlang cookie | -setcookie «{up:20}»
etcd | etcdctl --user root:«{an:12}» get k
GraphQL | {"query":"mutation{login(email:\"a@b.c\",password:\"«{an:12}»\"){token}}"}
imap | imap.login("me@x.com", "«{an:14}»")
iron session | password: process.env.X ?? "«{an:40}»",
MQTT | mosquitto_pub -h h -u me -P «{an:12}» -t t
MySQL defaults | mysql_native_password BY '«{an:12}»'
Netdata | api key = «{uuid}»
Objective-C | NSString *password = @"«{an:12}»";
Perl DBI | DBI->connect("dbi:Pg:dbname=a", "app", "«{an:12}»")
Ruby Net HTTP | req.basic_auth 'me', '«{an:12}»'
SNMP | snmpwalk -v3 -u me -A «{an:12}» -X «{an:12}» host
Xcode | xcrun altool --upload-app -u me -p «{lo:4}-{lo:4}-{lo:4}-{lo:4}»
Slack text | the db pass is «{an:10}»
Slack text 2 | creds: admin:«{an:10}»
`;

/** Collected before the rules that find them were written. */
export const DOCUMENTED_KINDS: readonly DocumentedKind[] = readKinds(TABLE);

/**
 * Collected after the rules for the first list were finished, to find gaps in the rules. In the table, `§{`
 * stands for `${`, which would be a substitution here.
 */
export const LATER_KINDS: readonly DocumentedKind[] = readKinds(LATER_TABLE.replaceAll("§{", "${"));

/**
 * More kinds of credentials in code, configuration and the output of programs, collected in two
 * steps after the rules for the earlier lists were finished.
 *
 * @module
 */

import { type DocumentedKind, readKinds } from "./draw.ts";

// deno-fmt-ignore
const TABLE = String.raw`
Airflow | AIRFLOW__CORE__FERNET_KEY: "«{url:43}=»"
Airflow connection | AIRFLOW_CONN_DB=postgres://u:«{an:12}»@h/db
Ansible extra vars | ansible-playbook site.yml -e "db_password=«{an:12}»"
Apache htpasswd create | htpasswd -cb .htpasswd admin «{an:10}»
ArgoCD login | argocd login cd.example.com --username admin --password «{an:16}»
AWS CLI configure | ¤ aws configure set aws_secret_access_key «{b64:40}»
AWS export output | AWS_ACCESS_KEY_ID=ASIA{un:16} AWS_SECRET_ACCESS_KEY=«{b64:40}»
AWS Lambda env | --environment "Variables={STRIPE_KEY=«sk_test_{an:24}»}"
AWS secretsmanager output | "SecretString": "{\"username\":\"app\",\"password\":\"«{an:16}»\"}"
Azure CLI sp | {"appId": "{uuid}", "password": "«{an:3}8Q~{an:34}»", "tenant": "{uuid}"}
Azure storage key list | "keyName": "key1",\n"value": "«{b64:86}==»"
Azure login | az login --service-principal -u app -p «{an:3}8Q~{an:34}» --tenant t
BigQuery | "private_key_id": "{hex:40}", "private_key": "-----BEGIN RSA PRIVATE KEY-----\\n«{b64:64}»\\n-----END RSA PRIVATE KEY-----\\n"
Borg | export BORG_PASSPHRASE='«correct-{an:8}»'
Caddy | basicauth /secret { bob «¤2a¤14¤{an:53}» }
CircleCI | curl -H "Circle-Token: «{hex:40}»" https://circleci.com/api
ClickHouse | clickhouse-client --user default --password «{an:14}»
CockroachDB | postgresql://root:«{an:22}»@free-tier.gcp.cockroachlabs.cloud:26257/defaultdb
Confluent | confluent api-key create\n| API Key | {un:16} |\n| Secret | «{b64:64}» |
Contentful | Authorization: Bearer «CFPAT-{url:43}»
Coolify | SERVICE_PASSWORD_DB=«{an:32}»
cURL data | curl -d '{"username":"a","password":"«{an:12}»"}' https://x/login
cURL form | curl -F password=«{an:12}» https://x/login
cURL urlencoded | curl -d "user=a&password=«{an:12}»" https://x/login
Cypress env | "env": { "CYPRESS_PASSWORD": "«{an:12}»" }
Dart code | const apiSecret = '«{hex:40}»';
Deno deploy | deployctl deploy --token=«ddp_{an:36}»
Discord env | DISCORD_TOKEN=«MT{an:24}.G{an:5}.{url:38}»
Django email | EMAIL_HOST_PASSWORD = '«{lo:4} {lo:4} {lo:4} {lo:4}»'
Doctl config | access-token: «dop_v1_{hex:64}»
dotenv vault | DOTENV_KEY="dotenv://:«key_{hex:64}»@dotenv.org/vault/.env.vault"
Elixir config | secret_key_base: "«{b64:64}»"
ESPHome | ota:\n  password: "«{hex:32}»"
Facebook token | access_token=«EAA{an:120}»
Freshdesk | curl -u «{an:20}»:X https://d.freshdesk.com/api
GCP ADC | "refresh_token": "«1//0g{url:90}»", "client_secret": "«GOCSPX-{url:28}»"
Ghost | GHOST_ADMIN_API_KEY={hex:24}:«{hex:64}»
Gin code | db, err := sql.Open("mysql", "app:«{an:12}»@tcp(db:3306)/app")
GitLab runner | gitlab-runner register --registration-token «GR1348941{url:20}»
GitLab trigger | curl -F token=«glptt-{hex:40}» https://gitlab.com/api
Gmail app password | SMTP_PASS="«{lo:16}»"
Google maps | src="https://maps.googleapis.com/maps/api/js?key=«AIza{url:35}»"
Harbor robot | docker login reg.example.com -u 'robot¤ci' -p «{an:32}»
HashiCorp approle | secret_id    «{uuid}»
Home Assistant | token: «eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{url:80}.{url:43}»
HubSpot | Authorization: Bearer «pat-na1-{uuid}»
InfluxDB | influx config create --token «{url:86}==»
IPMI | ipmitool -I lanplus -H h -U root -P «{an:10}» power status
Jenkins | curl -u admin:«11{hex:32}» https://ci/api/json
Jenkins initial | Please use the following password to proceed to installation:\n\n«{hex:32}»
JetBrains | perm:«{b64:40}.{b64:30}.{an:30}»
Jupyter | http://localhost:8888/tree?token=«{hex:48}»
Kotlin code | val clientSecret = "«{an:30}»"
Kustomize | secretGenerator:\n- name: db\n  literals:\n  - password=«{an:12}»
Laravel mail | MAIL_PASSWORD=«{hex:14}»
LinkedIn | client_secret=«{an:16}»
Loggly | token: «{uuid}»
Lua code | local password = "«{an:12}»"
Magento | 'crypt' => ['key' => '«{hex:32}»']
Mattermost | MM_SQLSETTINGS_DATASOURCE=postgres://mm:«{an:12}»@db/mm
Microsoft Teams | https://x.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/«{hex:32}»/{uuid}
mongosh | mongosh "mongodb://localhost" -u admin -p «{an:12}»
Nextcloud | 'dbpassword' => '«{an:30}»',
ngrok | authtoken: «2{an:26}_{an:21}»
NPM publish | npm config set //registry.npmjs.org/:_authToken «npm_{an:36}»
Odoo | admin_passwd = «{an:12}»
OpenAI in code | client = OpenAI(api_key="«sk-{an:48}»")
Oracle | sqlplus app/«{an:12}»@//db:1521/XE
Packer | "ssh_password": "«{an:10}»"
Paddle | PADDLE_API_KEY=«pdl_live_apikey_{ln:26}_{an:22}_{an:3}»
Playwright | await page.fill('#password', '«{an:12}»');
Cypress type | cy.get('[name=password]').type('«{an:12}!»')
PowerShell | ¤env:DB_PASSWORD = "«{an:12}»"
PowerShell credential | ¤pw = "«{an:12}»"
Proxmox | PVEAPIToken=root@pam!ci=«{uuid}»
Pulumi config | pulumi config set --secret dbPassword «{an:14}»
Python getpass test | os.environ["API_TOKEN"] = "«{an:32}»"
R | Sys.setenv(API_KEY = "«{an:32}»")
RDS | aws rds create-db-instance --master-username admin --master-user-password «{an:14}»
Salesforce | SFDX_AUTH_URL=force://PlatformCLI::«5Aep861{url:60}»@x.my.salesforce.com
Scala | val password = "«{an:12}»"
Selenium | driver.find_element(By.ID, "password").send_keys("«{an:12}»")
Serverless | provider:\n  environment:\n    JWT_SECRET: «{an:24}»
Shell lower | password=«{an:12}»
Shell read expect | echo "«{an:12}»" | docker login --password-stdin -u me
SonarQube | sonar.login=«sqp_{hex:40}»
Spotify | client_id:client_secret = {hex:32}:«{hex:32}»
SSH config password | password: «{an:10}» # ssh
Strapi | API_TOKEN_SALT=«{b64:22}==»
Swift code | let apiKey = "«{an:32}»"
Systemd | Environment="DB_PASSWORD=«{an:12}»"
Tailscale | tailscale up --authkey=«tskey-auth-{an:17}-{an:32}»
Telegraf | token = "«{url:86}==»"
Trello | key={hex:32}&token=«ATTA{hex:72}»
Twitch | oauth:«{ln:30}»
Typesense | --api-key=«{an:32}»
Vagrant | config.ssh.password = "«{an:10}»"
VNC | x11vnc -passwd «{an:8}»
Webpack | new webpack.DefinePlugin({ 'process.env.SECRET_TOKEN': JSON.stringify('«{an:32}»') })
Woocommerce | consumer_secret=«cs_{hex:40}»
XML attribute | <add name="db" connectionString="Server=s;Uid=u;Pwd=«{an:12}»;" />
XML element | <apiKey>«{an:32}»</apiKey>
YAML anchor | db_password: &pw «{an:12}»
Zendesk | curl -u me@x.com/token:«{an:40}» https://x.zendesk.com
Chat 1 | here is my token «{an:32}»
Chat 2 | use this key: «{an:32}»
Chat 3 | password is "«{an:10}»"
Chat 4 | pw: «{an:10}»
Chat 5 | user: admin, pass: «{an:10}»
Log line | 2026-01-01 INFO connecting with token=«{an:32}»
Log JSON | {"level":"info","authorization":"Bearer «{an:40}»"}
Log header dump | > Authorization: Bearer «{url:40}»
Log url | GET /callback?code=«{url:40}»&state=abc
Log reset link | https://app.example.com/reset?token=«{hex:40}»
Magic link | https://app.example.com/login?magic=«{url:43}»
Session dump | {"sessionToken":"«{uuid}»"}
Terraform output | db_password = "«{an:16}»"
kubectl get secret yaml | apiVersion: v1\ndata:\n  token: «{b64:60}==»\nkind: Secret
git credential | protocol=https\nhost=github.com\nusername=me\npassword=«gho_{an:36}»
gh auth token | ¤ gh auth token\n«gho_{an:36}»
gcloud token | ¤ gcloud auth print-access-token\n«ya29.{url:120}»
AccessKey header | AccessKey: «{uuid}-{an:8}»
Adyen | "X-API-Key": "«AQE{an:60}==-{an:40}-{an:20}»"
Aiven | avnadmin:«AVNS_{url:19}»@pg-1.aivencloud.com:13040
Akamai | client_token = akab-{an:16}-{an:16}\nclient_secret = «{b64:43}=»
AMQP python | pika.PlainCredentials('app', '«{an:14}»')
Appium cloud | "browserstack.key": "«{an:20}»"
AppSync | x-api-key: «da2-{ln:26}»
aria2 | aria2c --rpc-secret=«{an:16}»
AWS profile export | [default]\naws_access_key_id=AKIA{un:16}\naws_secret_access_key=«{b64:40}»
Backup code | Your backup codes: «{dg:4}-{dg:4}», «{dg:4}-{dg:4}»
Bash array | creds=("admin" "«{an:12}»")
Bundle config | bundle config gems.example.com me:«{an:20}»
Certbot DNS | dns_cloudflare_api_token = «{url:40}»
Clerk | CLERK_SECRET_KEY=«sk_test_{an:42}»
Cloudinary | cloudinary://{dg:15}:«{url:27}»@demo
composer auth | "http-basic": {"repo.x.com": {"username": "u", "password": "«{hex:40}»"}}
Cron line | 0 3 * * * PGPASSWORD='«{an:12}»' pg_dump app
C code | #define API_KEY "«{an:32}»"
C++ code | const std::string kPassword = "«{an:12}»";
Directus | KEY={uuid}\nSECRET=«{uuid}»
Dropbox | dropbox.Dropbox('«sl.{url:130}»')
Elm flag | { apiKey = "«{an:32}»" }
Erlang cookie | -setcookie «{up:20}»
etcd | etcdctl --user root:«{an:12}» get k
Firebase admin | "private_key":"-----BEGIN PRIVATE KEY-----\\n«{b64:64}»\\n«{b64:40}»\\n-----END PRIVATE KEY-----\\n"
Flutter | final String token = '«{an:40}»';
GraphQL | {"query":"mutation{login(email:\"a@b.c\",password:\"«{an:12}»\"){token}}"}
Heroku config | DATABASE_URL:  postgres://u:«{hex:64}»@ec2-1.compute.amazonaws.com:5432/d
http basic in yaml | basic_auth:\n  username: prom\n  password: «{an:14}»
imap | imap.login("me@x.com", "«{an:14}»")
ini file | [auth]\nsecret=«{an:24}»
Intercom | Authorization: Bearer «dG9r{b64:56}=»
iron session | password: process.env.X ?? "«{an:40}»",
Java properties | jwt.secret=«{b64:43}=»
JS object | const config = { user: "app", password: "«{an:12}»", host: "db" };
JSON minified | {"db":{"host":"h","pass":"«{an:12}»"}}
Kong | key-auth: apikey=«{an:32}»
Kubeconfig token | users:\n- name: me\n  user:\n    token: «{an:6}.{url:60}»
Logtail | new Logtail("«{an:24}»")
MQTT | mosquitto_pub -h h -u me -P «{an:12}» -t t
MySQL defaults | mysql_native_password BY '«{an:12}»'
Netdata | api key = «{uuid}»
node pg | new Pool({ user: 'app', password: '«{an:12}»' })
nodemailer | auth: { user: "me@x.com", pass: "«{an:16}»" }
NocoDB | xc-token: «{url:40}»
npm login output | "token": "«npm_{an:36}»"
Objective-C | NSString *password = @"«{an:12}»";
Paramiko | ssh.connect("h", username="me", password="«{an:12}»")
Perl DBI | DBI->connect("dbi:Pg:dbname=a", "app", "«{an:12}»")
PHP array | 'password' => '«{an:12}»',
Playwright env | process.env.PASSWORD = '«{an:12}»'
Poetry | poetry config pypi-token.pypi «pypi-AgEI{url:140}»
PowerShell param | Connect-X -Password «{an:12}»
Python dict | cfg = {"token": "«{an:32}»"}
Python kwargs | boto3.client("s3", aws_secret_access_key="«{b64:40}»")
Razorpay | key_secret: '«{an:24}»'
Ruby Net HTTP | req.basic_auth 'me', '«{an:12}»'
S3 presigned | X-Amz-Credential=AKIA{un:16}%2F20260101&X-Amz-Signature=«{hex:64}»
SendOwl | api_secret=«{hex:40}»
SNMP | snmpwalk -v3 -u me -A «{an:12}» -X «{an:12}» host
Sops age | key: «AGE-SECRET-KEY-1{un:58}»
SSH askpass | SSH_ASKPASS_PASSWORD=«{an:12}» ssh h
SSL p12 | openssl pkcs12 -export -out a.p12 -passout pass:«{an:12}»
Storybook | CHROMATIC_PROJECT_TOKEN=«chpt_{hex:15}»
Stytch | STYTCH_SECRET=«secret-test-{url:36}»
SVN | svn co --username me --password «{an:12}» https://x
TOML | [database]\nuser = "app"\npassword = "«{an:12}»"
TS class | private readonly apiKey = '«{an:32}»';
Unifi | curl -d '{"username":"u","password":"«{an:12}!»"}' https://unifi/api/login
Uptime | UPTIMEROBOT_KEY=«u{dg:6}-{hex:24}»
VBA | conn.Open "Provider=x;User Id=sa;Password=«{an:12};»"
Vultr | VULTR_API_KEY=«{up:36}»
Weaviate | weaviate.auth.AuthApiKey("«{an:36}»")
wp-cli | wp user create bob b@x.com --user_pass=«{an:12}»
Xcode | xcrun altool --upload-app -u me -p «{lo:4}-{lo:4}-{lo:4}-{lo:4}»
Yarn v1 | "//npm.pkg.github.com/:_authToken" "«ghp_{an:36}»"
Zig | const token = "«{an:40}»";
zsh prompt | % export DB_PW=«{an:12}»
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

export const MORE_PROGRAM_KINDS: readonly DocumentedKind[] = readKinds(TABLE.replaceAll("¤", "$"));

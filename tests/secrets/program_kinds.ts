/**
 * Kinds of credentials in code, configuration and the output of programs. They were collected after the rules
 * for the documented, service and session kinds were finished, to find gaps in the rules.
 *
 * @module
 */

import { type DocumentedKind, readKinds } from "./draw.ts";

// deno-fmt-ignore
const TABLE = String.raw`
Spring datasource | spring.datasource.password=«Sommer{dg:4}!»
Spring yaml | spring:\n  datasource:\n    username: app\n    password: «h7{an:9}»
Rails database.yml | production:\n  adapter: postgresql\n  password: «{an:18}»
Django settings | SECRET_KEY = 'django-insecure-«{an:20}#{an:20}»'
Django database | DATABASES = {"default": {"USER": "app", "PASSWORD": "«tr0ub4dor{dg:2}»"}}
Flask | app.config["SECRET_KEY"] = "«{hex:48}»"
Express session | app.use(session({ secret: "«kb-{an:14}»", resave: false }))
WordPress salt | define('AUTH_KEY', '«{an:30}|{an:33}»');
WordPress database | define( 'DB_PASSWORD', '«{an:14}»' );
Docker compose Postgres | environment:\n  - POSTGRES_PASSWORD=«letmein{dg:3}»
Docker compose MySQL | MYSQL_ROOT_PASSWORD: «r00t{an:8}»
Docker run | docker run -e MONGO_INITDB_ROOT_PASSWORD=«m{an:11}» mongo
Docker build argument | docker build --build-arg NPM_TOKEN=«{uuid}» .
docker inspect | "Env": [\n  "PATH=/usr/bin",\n  "REDIS_PASSWORD=«{an:16}»"\n]
Terraform variable | variable "db_password" {\n  default = "«Hunter{dg:4}x»"\n}
Terraform tfvars | admin_password = "«P@ss{an:8}»"
Terraform state | "password": "«{an:24}»",\n"port": 5432
Terraform Cloud | credentials "app.terraform.io" {\n  token = "«{an:14}.atlasv1.{an:67}»"\n}
Ansible variable | ansible_become_pass: «{an:12}»
Ansible inventory | host1 ansible_user=root ansible_password=«{an:10}»
Ansible vault file | vault_api_token: "«{an:32}»"
Helm set | helm install db bitnami/postgresql --set auth.postgresPassword=«{an:13}»
Helm values | auth:\n  rootPassword: «{an:13}»
Kubernetes stringData | stringData:\n  password: «{an:15}»
Kubernetes data | data:\n  password: «{b64:22}==»
Kubernetes literal | kubectl create secret generic db --from-literal=password=«{an:12}»
Kubernetes service account | token: «eyJhbGciOiJSUzI1NiIsImtpZCI6I{url:20}.eyJ{url:120}.{url:86}»
Kubernetes token in a command | kubectl --token=«{an:6}.{an:16}» get pods
kubeadm join | kubeadm join 10.0.0.1:6443 --token «{ln:6}.{ln:16}» --discovery-token-ca-cert-hash sha256:0f0f
Nomad | X-Nomad-Token: «{uuid}»
Vault unseal key | Unseal Key 1: «{b64:43}=»
Vault root token | Initial Root Token: «hvs.{an:24}»
Vault kv get | Key         Value\n---         -----\npassword    «{an:18}»
psql connection | psql "host=db user=app password=«{an:12}» dbname=a"
psql environment | PGPASSWORD=«{an:11}» psql -h db
mysql option | mysql -uroot -p«{an:10}» app
mysqldump long | mysqldump --user=root --password=«{an:10}» app
mysql client file | [client]\nuser=app\npassword="«{an:12}»"
SQL user | CREATE USER app WITH PASSWORD '«{an:12}»';
SQL alter | ALTER USER 'root'@'localhost' IDENTIFIED BY '«{an:12}»';
SQL role | ALTER ROLE app PASSWORD '«{an:14}»'
pgpass line | db.example.com:5432:app:app:«{an:12}»
redis-cli | redis-cli -h r -a «{an:16}» ping
redis conf | requirepass «{an:20}»
redis url | REDIS_URL=redis://:«{an:16}»@cache:6379/0
mongo url | mongodb+srv://app:«{an:14}»@cluster0.abcde.mongodb.net/app
amqp url | amqp://guest:«{an:9}»@mq:5672//
smtp url | smtp://me%40example.com:«{an:12}»@smtp.example.com:587
JDBC | jdbc:postgresql://db/app?user=app&password=«{an:12}»
SQLAlchemy | create_engine("postgresql+psycopg2://app:«{an:14}»@db/app")
Prisma | DATABASE_URL="postgresql://app:«{an:14}»@db:5432/app?schema=public"
Neon | postgresql://u:«npg_{an:12}»@ep-cool-1.eu-central-1.aws.neon.tech/db
PlanetScale | DATABASE_PASSWORD=«pscale_pw_{url:43}»
Turso | TURSO_AUTH_TOKEN=«eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJ{url:80}.{url:86}»
Upstash | UPSTASH_REDIS_REST_TOKEN="«AX{b64:58}=»"
Supabase service role | SUPABASE_SERVICE_ROLE_KEY=«eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{url:120}.{url:43}»
Supabase new secret | sb_secret: «sb_secret_{url:31}»
Firebase | FIREBASE_TOKEN=«1//0{url:98}»
Cloudflare wrangler | wrangler secret put KEY\n✔ Enter a secret value: «{an:24}»
Fly | FLY_API_TOKEN="FlyV1 «fm2_{b64:120}»"
Vercel | vercel deploy --token «{an:24}»
DigitalOcean | doctl auth init -t «dop_v1_{hex:64}»
OVH | "consumer_key": "«{an:32}»"
Heroku login | netrc: machine api.heroku.com login a@b.c password «HRKU-{uuid}»
npm rc auth | _auth="«{b64:30}=»"
yarn rc | npmAuthToken: «{uuid}»
PyPI | [pypi]\nusername = __token__\npassword = «pypi-AgEIcHlwaS5vcmc{url:120}»
pip index | pip install --index-url https://build:«{an:20}»@pypi.example.com/simple pkg
NuGet | <add key="ClearTextPassword" value="«{an:20}»" />
Maven settings | <server><id>r</id><username>u</username><password>«{an:16}»</password></server>
Gradle | signing.password=«{an:12}»
Artifactory | X-JFrog-Art-Api: «AKC{an:70}»
Android keystore | storePassword=«{an:12}»\nkeyAlias=upload
Fastlane | FASTLANE_PASSWORD=«{an:14}»
App Store Connect | "key": "-----BEGIN PRIVATE KEY-----\\nMIG«{b64:60}»\\n-----END PRIVATE KEY-----"
Ssh key | -----BEGIN OPENSSH PRIVATE KEY-----\n«b3BlbnNzaC1rZXktdjEA{b64:50}»\n«{b64:70}»\n-----END OPENSSH PRIVATE KEY-----
sshpass | sshpass -p '«{an:10}!»' ssh root@host
PuTTY key | Private-Lines: 1\n«{b64:64}»\nPrivate-MAC: «{hex:64}»
WireGuard shared | PresharedKey = «{b64:43}=»
OpenVPN static | -----BEGIN OpenVPN Static key V1-----\n«{hex:32}»\n«{hex:32}»\n-----END OpenVPN Static key V1-----
Wi-Fi | wpa_passphrase="«{an:12}»"
htpasswd | admin:«¤apr1¤{an:8}¤{an:22}»
shadow | root:«¤6¤{an:16}¤{an:86}»:19000:0:99999:7:::
openssl option | openssl enc -aes-256-cbc -pass pass:«{an:14}»
gpg passphrase | gpg --batch --passphrase «{an:12}» -d f.gpg
age | AGE-SECRET-KEY-«1{un:58}»
JWT secret in code | jwt.sign(payload, "«{an:22}»")
Python requests | requests.get(url, auth=("me", "«{an:14}»"))
wget | wget --user=me --password='«{an:12}»' https://x
httpie | http -a me:«{an:12}» https://x
lftp | lftp -u me,«{an:12}» ftp.example.com
ftp url | ftp://me:«{an:12}»@ftp.example.com/f
rclone | [s3]\naccess_key_id = AKIA{un:16}\nsecret_access_key = «{b64:40}»
MinIO | mc alias set local http://m:9000 minio «{an:16}»
Backblaze | B2_APPLICATION_KEY=«K00{an:28}»
Wasabi in code | aws_secret_access_key="«{b64:40}»",
Elastic | elastic:«{an:20}»@localhost:9200
Kibana | elasticsearch.password: "«{an:20}»"
Kafka | sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="«{an:16}»";
RabbitMQ | rabbitmqctl add_user app «{an:14}»
Grafana Cloud | GRAFANA_TOKEN=«glc_{b64:100}»
Sentry auth | SENTRY_AUTH_TOKEN=«sntrys_{b64:100}_{b64:43}»
OAuth form | grant_type=client_credentials&client_id=a&client_secret=«{an:40}»
OAuth code | client_secret: '«{url:36}»',
LDAP | ldapsearch -D cn=admin -w «{an:12}» -b dc=x
LDAP conf | bindpw «{an:12}»
Samba | mount -t cifs //s/x /mnt -o username=me,password=«{an:12}»
Anthropic key | ANTHROPIC_API_KEY=«sk-ant-api03-{url:93}AA»
OpenAI project | OPENAI_API_KEY=«sk-proj-{url:120}»
Hugging Face | hf auth login --token «hf_{an:34}»
Perplexity | Bearer «pplx-{an:48}»
Pinecone | pc = Pinecone(api_key="«pcsk_{an:6}_{an:60}»")
Plaid | "secret": "«{hex:30}»"
Algolia | const client = algoliasearch("A1B2C3D4E5", "«{hex:32}»")
Mapbox secret | MAPBOX_TOKEN=«sk.eyJ{an:80}.{url:22}»
Notion | NOTION_TOKEN=«ntn_{dg:11}{an:35}»
Airtable | AIRTABLE_API_KEY=«pat{an:14}.{hex:64}»
Doppler | DOPPLER_TOKEN=«dp.pt.{an:43}»
1Password | OP_SERVICE_ACCOUNT_TOKEN=«ops_eyJ{b64:200}»
Bitwarden | BW_SESSION="«{b64:86}==»"
Infisical | INFISICAL_TOKEN=«st.{hex:24}.{hex:32}.{hex:32}»
Snowflake | snowsql -a acc -u me --password «{an:12}»
Databricks | DATABRICKS_TOKEN=«dapi{hex:32}-2»
dbt profile | pass: «{an:16}»
Said in prose | The admin password is «Welcome{dg:4}!» until tomorrow.
Said in prose, login | log in as root / «{an:10}»
Said with colon | Login: admin\nPassword: «{an:10}»
German | Das Passwort lautet «Geheim{dg:4}»
Commented | # old password: «{an:10}»
Java code | private static final String PASSWORD = "«{an:12}»";
C# code | var apiKey = "«{an:32}»";
Go code | const dbPass = "«{an:12}»"
Ruby code | config.api_key = '«{an:24}»'
PHP code | $db_pass = '«{an:12}»';
Rust code | let token = "«{an:32}»".to_string();
Shell read | curl -H "X-API-Key: «{an:32}»" https://api.example.com
Shell export without quote | export TOKEN=«{an:32}»
Query string | https://api.example.com/v1?api_key=«{an:32}»&page=2
Query token | wss://stream.example.com/?token=«{an:40}»
Cookie jar | #HttpOnly_example.com\tFALSE\t/\tTRUE\t0\tsessionid\t«{ln:32}»
Set-Cookie | Set-Cookie: session=«{url:60}»; HttpOnly; Path=/
Connect sid | Cookie: connect.sid=«s%3A{url:32}.{an:43}»
CSRF | X-CSRF-Token: «{b64:86}==»
Postman | {"key": "password", "value": "«{an:12}»", "type": "default"}
GitHub Actions | env:\n  DEPLOY_KEY: «{an:32}»
`;

export const PROGRAM_KINDS: readonly DocumentedKind[] = readKinds(TABLE.replaceAll("¤", "$"));

/**
 * Ordinary lines of sessions that only look like they contain a credential.
 *
 * @module
 */

// deno-fmt-ignore
const TABLE = String.raw`
commit {hex:40}
Merge: {hex:7} {hex:7}
HEAD is now at {hex:7} Rotate the token
git revert {hex:12}
sha256:{hex:64}
"integrity": "sha512-{b64:86}==",
resolved "https://registry.npmjs.org/a/-/a-1.0.0.tgz#{hex:40}"
github.com/pkg/errors v0.9.1 h1:{b64:43}=
md5: {hex:32}
etag: W/"{hex:20}"
hash: {hex:8}
"id": "{uuid}",
traceparent: 00-{hex:32}-{hex:16}-01
x-amzn-trace-id: Root=1-{hex:8}-{hex:24}
userId: "{hex:24}"
idempotency_key: {uuid}
toolu_01{an:22}
req_011{an:21}
call_{an:24}
"chatcmpl-{an:29}"
cus_{an:14} paid in_{an:24}
price_1{an:23}
prod_{an:14}
i-{hex:17} is running
arn:aws:iam::{dg:12}:role/deploy-role
arn:aws:secretsmanager:eu-central-1:{dg:12}:secret:prod/db/password-AbC1dE
arn:aws:lambda:eu-west-1:{dg:12}:function:rotate-token:7
arn:aws:kms:us-east-1:{dg:12}:key/{uuid}
arn:aws:s3:::my-bucket-2024/path/key
projects/my-project-123/secrets/db-password/versions/3
https://my-vault.vault.azure.net/secrets/db-password/{hex:32}
service-account@my-project-123.iam.gserviceaccount.com
client_id={dg:12}-{ln:32}.apps.googleusercontent.com
"client_id": "{dg:21}",
GOOGLE_CLOUD_PROJECT=my-project-123456
"private_key_id": "{hex:40}",
"type": "service_account",
"token_uri": "https://oauth2.googleapis.com/token",
"auth_uri": "https://accounts.google.com/o/oauth2/auth",
password: string;
  password: str
password?: string | undefined;
password String
password: z.string().min(8),
passwordHash: text("password_hash").notNull(),
password: Option<String>,
pub password: SecretString,
private readonly password: string,
const password = req.body.password;
const { password } = await request.json();
let password = prompt("Password: ");
password = getpass.getpass()
password = input("Enter password: ")
if (password.length < 8) return "Password must be at least 8 characters";
if password != confirm_password:
if (password === confirmPassword) {
expect(page.getByLabel("Password")).toBeVisible();
<input type="password" name="password" autocomplete="current-password" />
<label for="password">Password</label>
<PasswordInput id="password" placeholder="Enter your password" />
label: "Password",
password: "Password",
password: { type: String, required: true, select: false },
password: faker.internet.password(),
password: process.env.DB_PASSWORD,
password: os.environ["DB_PASSWORD"],
password=os.getenv("DB_PASSWORD")
password: env("DB_PASSWORD", "")
password: config.get('db.password'),
password: §{DB_PASSWORD}
password = var.db_password
password = data.aws_secretsmanager_secret_version.db.secret_string
password: {{ .Values.db.password }}
password: {{ vault_db_password }}
password: !Ref DBPassword
password: <your password>
password=<password>
password: ********
password: "••••••••"
password: [redacted: password]
password: REDACTED
password: null
password: true
password: ""
password: required
DB_PASSWORD=
DB_PASSWORD=$DB_PASSWORD
DB_PASSWORD=changeme
DB_PASSWORD=your_password_here
DB_PASSWORD: §{{ secrets.DB_PASSWORD }}
- DB_PASSWORD=§{DB_PASSWORD:?missing}
POSTGRES_PASSWORD_FILE=/run/secrets/db_password
password_file: /etc/app/password
password_reset_token_expires_at: timestamp
passwordResetUrl: "https://a.example/reset"
password-policy: minimum-length-12
hash_password(password, salt)
bcrypt.compare(password, user.passwordHash)
def verify_password(plain_password: str, hashed_password: str) -> bool:
func (u *User) SetPassword(password string) error {
SELECT id, password FROM users WHERE email = $1
ALTER TABLE users ADD COLUMN password VARCHAR(255) NOT NULL;
UPDATE users SET password = ? WHERE id = ?
The password is stored as a hash.
the password is wrong, try again
Your password is too short
Forgot password? Reset it here.
password is not set
password is validated in auth.ts:45
the token is expired
The token is refreshed every 15 minutes
the secret is mounted at /etc/secret
The API key is read from the environment variable API_KEY.
token: string
token?: string;
token := lexer.NextToken()
token = tokens[i]
const token = await getToken();
const token = jwt.sign({ id: user.id }, process.env.JWT_SECRET);
token = request.headers.get("Authorization")
token = self.tokenizer.encode(text)
tokens: 128000
max_tokens=200000
input_tokens: 1234, output_tokens: 5678
"cache_read_input_tokens":123456
"prompt_tokens": 1234567,
total_tokens = 1_234_567
tokenCount: 1234567890
token_type: bearer
"token_type": "Bearer",
tokenizer: cl100k_base
eos_token: "</s>"
pad_token_id: 50256
next_token: eyJ0b2tlbiI6MX0
nextPageToken: "CAUQAA"
tokenPath: ~/.config/app/token.json
TOKEN_FILE=/var/run/secrets/token
TOKEN_URL=https://auth.example/oauth/token
const TOKEN_KEY = "auth_token";
localStorage.getItem("access_token")
localStorage.setItem("token", token);
cookies().get("session-token")?.value
Authorization: Bearer §{token}
Authorization: Bearer $TOKEN
Authorization: Bearer <token>
Authorization: Bearer YOUR_TOKEN
"Authorization": f"Bearer {token}"
headers: { Authorization: "Bearer " + token }
Authorization: Basic authentication is not supported
Cookie: <your cookie>
set-cookie: theme=dark; Path=/
cookie: { httpOnly: true, secure: true }
secretName: my-app-tls
secretKeyRef:
secret: my-tls-secret
secret: false
secrets: inherit
secrets:
  GITHUB_TOKEN: §{{ secrets.GITHUB_TOKEN }}
secret_id = aws_secretsmanager_secret.db.id
kubectl get secret my-secret -o yaml
const secret = new TextEncoder().encode(process.env.JWT_SECRET);
api_key = os.environ.get("OPENAI_API_KEY")
apiKey: process.env.OPENAI_API_KEY,
apiKey: "your-api-key",
apiKey: "test",
API_KEY=xxx
API_KEY=...
OPENAI_API_KEY=sk-...
ANTHROPIC_API_KEY=sk-mock
api-key: required
x-api-key header is missing
key: "value"
key={item.id}
cache-key: node-modules-{hex:64}
key: §{{ runner.os }}-node-{hex:40}
hashKey: "{hex:32}"
partition_key = "user_id"
primary_key: true
publicKey: "{b64:43}="
public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b64:43}"
ssh-rsa AAAAB3NzaC1yc2E{b64:200} me@laptop
foreign_key="users.id"
keyId: {hex:16}
"kid": "{hex:40}"
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
NODE_AUTH_TOKEN: not set
registry=https://registry.npmjs.org/
git remote add origin git@github.com:owner/repo.git
https://github.com/owner/repo/commit/{hex:40}
https://example.com/callback?code=$CODE&state=$STATE
https://localhost:3000/reset?token=TOKEN
postgres://localhost:5432/app
postgres://user:password@localhost:5432/app
http://127.0.0.1:8080/@fs/src/main.ts
redis://cache:6379/0
ssh -p 2222 me@host
docker run -p 8080:80 -u 1000:1000 app
curl -u user https://a.example
mysql -u root -p app
chunk-{un:8}.js
/_next/static/chunks/{hex:16}.js
.css-{ln:7}
data:image/png;base64,{b64:200}
#{HEX:6}
0x{hex:8}
compass: north, bypass: true, passive: 12345678
pass: 12, fail: 0
tests passed: 1234, pass=1234 fail=0
--- PASS: TestFetchPackV1Drains (0.00s)
keyboard: us, monkey: 42, author: someone
cred_count=12
pwd: /home/me/project
PWD=/home/me/project
cwd: /work/app-2024
pwd=$(pwd)
machine learning with a login and a password
ENV NODE_ENV production
ENV PATH /usr/local/bin:$PATH
ENV SECRET_KEY_FILE /run/secrets/key
ENV API_KEY_URL https://keys.example/v1
ARG TOKEN_TTL_SECONDS
ENV MONKEY_PATCH_ENABLED true
set -x KEYMAP vi_insert_mode
set -gx KEYBOARD_LAYOUT us_international
setenv SSH_KEYFILE $HOME/.ssh/id_ed25519
send "yes\r"
send -- "exit\r"
    send "Hello, world"
conn.send "ping1234"
  confirmPassword "must match the password"
  label :newPassword "New password"
New value: {dg:3}
New value: enabled_by_default
Old value: {hex:8}, New value: {hex:8}
const conn = new mysqli($host, $user, $password, $database);
new PDO("mysql:host=localhost;dbname=app", "root", "password")
psycopg2.connect(dsn, connection_factory=Factory)
requests.get(url, auth=("user", "pass"))
requests.get(url, auth=(username, password))
HTTPBasicAuth("username", "password")
document.cookie = "theme=dark; path=/"
"d": "M10 10h80v80H10zM20 20c5 5 10 10 15 10"
{"kty":"RSA","kid":"{uuid}","use":"sig","n":"{url:86}","e":"AQAB"}
{"kty":"EC","crv":"P-256","x":"{url:43}","y":"{url:43}"}
git config core.hooksPath .githooks/pre-commit2024
cat .git/hooks/pre-commit
import { useAuth } from "@/hooks/useAuth2";
https://example.com/hooks/guide
https://reactjs.org/docs/hooks/reference.html
https://hooks.zapier.com/hooks/catch/
src/hooks/catch/12345/index.ts
the key is {an:8}
the key is configuration_of_the_whole_application
My token usage is 150000 of 200000
API key: not set
API key: see https://platform.example.com/account/api-keys
your key: use the dashboard to create one at settings/developers
the secret is managed by terraform-aws-secretsmanager-module
Login: admin / dashboard
login: user/profile
credentials: ./config/credentials
Login: src/pages/Login.tsx
curl -u $USER:$TOKEN https://a.example
curl -u "§{API_KEY}:" https://a.example
curl -u user: https://a.example
mongosh "mongodb://localhost:27017/app" --port 27017
mongodump -p $MONGO_PASSWORD
ldapsearch -x -w "$BIND_PW" -b dc=example
openssl req -new -key server.key -out server.csr
openssl enc -k $PASS -in a
keytool -list -keystore a.jks -storepass $STOREPASS
ssh-keygen -t ed25519 -N "" -f id
ssh-keygen -R host.example
smbclient -L //server -U user
lftp -u user sftp://host
7z x -pPASSWORD a.7z
grafana cli plugins install grafana-piechart-panel
cloudflared tunnel run my-tunnel
cloudflared tunnel --url http://localhost:8080
$1$2
echo "$1$2$3"
awk '{print $1, $2}'
git log --format='%h$6$'
s.replace(/(\d+)/, "$1$2$3")
price is $2$ per unit
password_hash($password, PASSWORD_BCRYPT)
bcrypt.hashSync(password, 10) // $2b$10$...
if (hash.startsWith("$2b$") || hash.startsWith("$argon2id$")) return true;
twilio(process.env.TWILIO_SID, process.env.TWILIO_TOKEN)
credentials.NewStaticCredentialsProvider(id, secret, "")
new BasicAWSCredentials(accessKey, secretKey)
Unseal Key (will be hidden):
Unseal Progress 1/3
AWS Secret Access Key [None]: 
AWS Secret Access Key [****************ABCD]: 
secret access key: stored in {uuid}
webhook url: https://example.webhook.office.com/webhookb2/...
IncomingWebhook/ThrottlePolicy
`;

/** In the templates, `§{` stands for `${`, which would be a substitution here. */
export const ORDINARY_LINES: readonly string[] = TABLE.split("\n")
  .filter((line) => line !== "")
  .map((line) => line.replaceAll("§{", "${"));

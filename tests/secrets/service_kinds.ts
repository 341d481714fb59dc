/**
 * Kinds of credentials for other services, collected after the rules for `documented_kinds.ts` were
 * finished. The number of misses shows how well the rules generalize.
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
Cohere | CO_API_KEY=«{an:40}»
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
Cloudinary | CLOUDINARY_URL=cloudinary://{dg:15}:«{url:27}»@demo
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
RabbitMQ | amqp://app:«Rabbit{dg:4}»@mq.example:5672/vhost
LDAP | bindpw: «Ldap{dg:4}x»
SMTP address | smtps://me%40example.com:«{an:16}»@smtp.example:465
Kafka | sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="«Kafka{dg:4}»";
ASP.NET settings | <add key="ApiKey" value="«{an:32}»" />
Tomcat users | <user username="admin" password="«Tomcat{dg:4}»" roles="manager-gui"/>
Terraform variable | variable "db_password" { default = "«Terra{dg:4}form»" }
Ansible variable | ansible_become_pass: «Become{dg:4}»
PowerShell | ConvertTo-SecureString "«Power{dg:4}Shell»" -AsPlainText -Force
Windows share | net use Z: \\server\share «Share{dg:4}» /user:me
sudo by a pipe | echo '«Sudo{dg:4}x»' | sudo -S apt update
htpasswd | htpasswd -b /etc/nginx/.htpasswd me «Nginx{dg:4}»
GitHub Actions secret | gh secret set DEPLOY_KEY --body "«{an:40}»"
kubectl literal | kubectl create secret generic db --from-literal=password=«Kube{dg:4}»
`;

export const SERVICE_KINDS: readonly DocumentedKind[] = readKinds(TABLE);

import { z } from 'zod';
import { dashboardPaths } from './contract/pages.ts';
import { isMailAddress, replyCodeLength, withReplyCode } from './contract/schemas/mail-address.ts';
import { mainVariables } from './main-variables.ts';
import { isOrigin, tlsModeOf, withVerifiedMode } from './shared/urls.ts';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** A standard name of OpenTelemetry. */
export type SamplerName = (typeof samplers)[number];

export type LogLevel = (typeof levels)[number];

function integer(minimum: number, maximum: number, fallback: number) {
  return wholeNumber(minimum, maximum).default(fallback);
}

function wholeNumber(minimum: number, maximum: number) {
  const expected = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, { error: expected, abort: true })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, { error: expected });
}

function url(protocols: readonly string[], example: string) {
  return z
    .string()
    .refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), {
      error: `must be a URL such as ${example}`,
    })
    .optional();
}

const hexKey = /^[0-9a-f]{64}$/i;
/** 32 bytes take 43 characters of base64, and a padding that may be left out. */
const base64Key = /^[\w+/-]{43}=?$/;
const isEncryptionKey = (value: string) => hexKey.test(value) || base64Key.test(value);

/** Decodes a key of BACKOFFICE_ENCRYPTION_KEY. */
export function decodeEncryptionKey(value: string): Buffer {
  // Node's base64 decoder takes the alphabet for URLs too.
  return Buffer.from(value, hexKey.test(value) ? 'hex' : 'base64');
}

/** Accepts what paths can be appended to. */
function isBaseUrl(value: string): boolean {
  const parsed = URL.parse(value);
  const isWeb = parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
  return isWeb && parsed.search === '' && parsed.hash === '' && parsed.username === '';
}

/** What the paths of the service itself begin with. */
const ownPaths = [
  'api',
  'assets',
  'contact',
  'healthz',
  'metrics',
  'readyz',
  ...dashboardPaths.map((path) => path.slice(1)),
];

/** Reports whether a value is a path whose characters need no escaping in a header, a cookie or a page. */
export const isPlainPath = (value: string) => /^(\/[\w~-][\w.~-]*)+$/.test(value);

/** Reports whether a request that begins with the path, and one without it, can be told apart. */
export const isBasePath = (value: string) =>
  isPlainPath(value) && !ownPaths.includes(value.split('/')[1] ?? '');

/** Parses `address` or `Name <address>`. */
function parseSender(value: string): { name: string | undefined; address: string } {
  const [, quoted = '', address = value] = /^([^<>\p{C}]*)<([^<>]*)>$/u.exec(value.trim()) ?? [];
  const name = quoted.trim().replace(/^"(.*)"$/, '$1');
  return { name: name === '' ? undefined : name, address: address.trim() };
}

/** Counts code points, as the service does for every password. */
const lengthOf = (password: string) => [...password].length;

const postgresUrl = url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database')
  .refine((value) => value === undefined || tlsModeOf(value) !== undefined, {
    error: 'has an unknown sslmode: use verify-full, no-verify or disable',
  })
  .transform((value) => value && withVerifiedMode(value));

/** The environment variables that Backoffice reads. */
export const environment = z.object({
  PORT: integer(0, 65_535, 3000).describe('port of the API; 0 picks a free port'),
  HOST: z.string().default('127.0.0.1').describe('address that the API listens on'),
  DATABASE_URL: postgresUrl.describe(mainVariables.DATABASE_URL),
  DATABASE_OWNER_URL: postgresUrl.describe(
    'the same database as the role that owns its schema, for migrations and `restore`; ' +
      'see docs/operations.md, "Two roles"',
  ),
  DATABASE_POOL_URL: postgresUrl.describe(
    'the same database through a pooler such as PgBouncer, for requests; see docs/operations.md, "Behind a pooler"',
  ),
  DATABASE_READ_URL: postgresUrl.describe('read replica for lists and charts'),
  BACKOFFICE_DATA: z
    .string()
    .optional()
    .describe(
      "data directory; by default the platform's directory for user data, or /var/lib/backoffice for root",
    ),
  BACKOFFICE_CONFIG: z
    .string()
    .optional()
    .describe(
      "directory of contexts.json and keys.json, which commands keep for each user; by default the platform's directory " +
        'for configuration',
    ),
  BACKOFFICE_ADMIN_EMAIL: z
    .string()
    .includes('@', { error: 'must be an e-mail address' })
    .default('admin@localhost')
    .describe('e-mail of the first superadmin, which `up` creates if there is no admin'),
  BACKOFFICE_ADMIN_PASSWORD: z
    .string()
    .refine((password) => lengthOf(password) >= 6, { error: 'must have at least 6 characters' })
    .refine((password) => lengthOf(password) <= 1024, { error: 'must have at most 1,024 characters' })
    .optional()
    .describe('password of the first superadmin; if unset, one is generated and shown once'),
  BACKOFFICE_STRICT_ROLES: z
    .enum(['0', '1'], { error: 'must be 0 or 1' })
    .default('0')
    .describe('1 enables stricter role rules; see docs/operations.md, "Sign-in"'),
  BACKOFFICE_PASSWORD_MIN_LENGTH: integer(6, 128, 12).describe(
    'characters that a new password must have if the roles are strict; otherwise 6, as the API contract says',
  ),
  BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: z
    .enum(['0', '1'], { error: 'must be 0 or 1' })
    .default('0')
    .describe('1 allows webhooks to private addresses; see docs/operations.md, "Webhooks"'),
  BACKOFFICE_CORS_ORIGINS: z
    .string()
    .transform((value) => value.split(',').map((origin) => origin.trim()))
    .refine((origins) => origins.every(isOrigin), {
      error:
        'must be one or more origins such as https://app.example.com, without a path, separated by commas',
    })
    .optional()
    .describe(
      'origins whose pages may call the API, separated by commas; see docs/operations.md, "Pages on another origin"',
    ),
  BACKOFFICE_MCP_ALLOW: z
    .string()
    .transform((value) => value.split(',').map((id) => id.trim()))
    .refine((ids) => ids.every((id) => /^\w+\.\w+$/.test(id)), {
      error: 'must be one or more names of operations such as issues.update, separated by commas',
    })
    .optional()
    .describe(
      'changes that agents may make at /api/mcp, such as issues.update, separated by commas; see docs/operations.md, "Agents"',
    ),
  BACKOFFICE_DRAIN_SECONDS: integer(0, 300, 5).describe(
    'seconds after SIGTERM in which connections are still accepted, so that proxies notice the stop',
  ),
  SESSION_SECRET: z
    .string()
    .transform((value) => value.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32), {
      error: 'must be one or more secrets of at least 32 characters, separated by commas, newest first',
    })
    .optional()
    .describe(
      'secrets that sign the session cookies: at least 32 characters each, separated by commas, newest first; ' +
        '`serve` requires it, `up` generates one and keeps it',
    ),
  BACKOFFICE_ENCRYPTION_KEY: z
    .string()
    .transform((value) => value.split(',').map((key) => key.trim()))
    .refine((keys) => keys.every(isEncryptionKey), {
      error: 'must be one or more keys of 32 bytes, as base64 or hex, separated by commas, newest first',
    })
    .optional()
    .describe(
      'keys that encrypt stored secrets: 32 bytes each as base64 or hex, separated by commas, newest first; ' +
        'the embedded database has its own in the data directory',
    ),
  SESSION_IDLE_MINUTES: integer(1, 1440, 30).describe('minutes without a request until a session ends'),
  SESSION_HOURS: integer(1, 720, 12).describe('hours until a session ends in any case'),
  METRICS_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe('port of `/metrics` for Prometheus; unset, there are no metrics; 0 picks a free port'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('address of that port, which has no sign-in'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:'], 'http://127.0.0.1:4318').describe(
    'OpenTelemetry collector that gets traces; unset, there are none; see docs/operations.md, "Traces"',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(['http:', 'https:'], 'http://127.0.0.1:4318/v1/traces').describe(
    'whole URL for traces, instead of the collector',
  ),
  OTEL_SERVICE_NAME: z.string().optional().describe('name of the service in traces; by default `backoffice`'),
  OTEL_SDK_DISABLED: z
    .string()
    .regex(/^(true|false)$/i, { error: 'must be true or false' })
    .optional()
    .describe('`true` turns traces off'),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, { error: `must be one of ${samplers.join(', ')}` })
    .default('parentbased_always_on')
    .describe(`which requests are traced: ${samplers.join(', ')}`),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0?\.\d+|0|1|1\.0+|0\.\d+)$/, { error: 'must be a number from 0 to 1', abort: true })
    .transform(Number)
    .default(1)
    .describe('which part of them, for the samplers with `traceidratio`'),
  OTEL_BSP_SCHEDULE_DELAY: integer(1, 600_000, 5_000).describe('milliseconds after which spans are sent'),
  OTEL_BSP_MAX_QUEUE_SIZE: integer(1, 1_000_000, 2_048).describe(
    'spans that may wait to be sent; others are dropped',
  ),
  TRUST_PROXY: integer(0, 10, 0).describe('number of trusted proxies in front of the service'),
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com').describe(
    'mail server for invitations, password resets and notices; smtps: uses TLS from the start',
  ),
  IMAP_URL: url(['imap:', 'imaps:'], 'imaps://user:password@mail.example.com/INBOX').describe(
    'mailbox whose mails become conversations; imaps: uses TLS from the start; see docs/operations.md, "Mail"',
  ),
  BACKOFFICE_SECURITY_CONTACT: url(['mailto:', 'https:'], 'mailto:security@example.com').describe(
    'where to report a vulnerability, which `/.well-known/security.txt` says',
  ),
  BACKOFFICE_PUBLIC_URL: z
    .string()
    .refine(isBaseUrl, { error: 'must be a URL such as https://backoffice.example.com' })
    .transform((value) => value.replace(/\/+$/, ''))
    .optional()
    .describe('URL at which people reach the service, for links in mails'),
  BACKOFFICE_BASE_PATH: z
    .string()
    .transform((value) => value.replace(/\/+$/, ''))
    .refine((value) => value === '' || isBasePath(value), {
      error: 'must be a path such as /backoffice, and not begin like a path of the service, such as /api',
    })
    .optional()
    .describe(
      'path under which a proxy serves the service, such as /backoffice; by default that of BACKOFFICE_PUBLIC_URL; ' +
        'see docs/operations.md, "Under a path"',
    ),
  BACKOFFICE_MAIL_FROM: z
    .string()
    .transform(parseSender)
    .refine((sender) => isMailAddress(sender.address), {
      error:
        'must be an e-mail address such as backoffice@example.com or Backoffice <backoffice@example.com>',
    })
    .optional()
    .describe(
      'sender of mails; by default backoffice@ the host of BACKOFFICE_PUBLIC_URL, with the name of the setting site_name',
    ),
  BACKOFFICE_MAIL_REPLY_TO: z
    .string()
    .trim()
    .refine((address) => isMailAddress(withReplyCode(address, 'a'.repeat(replyCodeLength))), {
      error: `must be an e-mail address such as support@example.com, with at most ${64 - 1 - replyCodeLength} characters before the @`,
    })
    .optional()
    .describe(
      'mailbox that takes the answers of visitors: replies ask for them at support+code@example.com; unset, a reply says how else to answer',
    ),
  BACKOFFICE_SERVER: url(['http:', 'https:'], 'https://backoffice.example.com').describe(
    mainVariables.BACKOFFICE_SERVER,
  ),
  BACKOFFICE_TOKEN: z
    .string()
    .startsWith('bo_', { error: 'must be an API token, bo_…' })
    .optional()
    .describe(mainVariables.BACKOFFICE_TOKEN),
  BACKOFFICE_CONTEXT: z.string().optional().describe('context that commands use, like `--context`'),
  BACKOFFICE_PAGER: z
    .string()
    .optional()
    .describe('pager for long tables on a terminal; by default that of PAGER, or less; cat for none'),
  LOG_LEVEL: z
    .enum(levels, { error: `must be one of ${levels.join(', ')}` })
    .default('info')
    .describe(`log level: ${levels.join(', ')}; on a terminal, requests are logged only if it is set`),
});

/** An environment variable, for help and documentation. */
export interface Variable {
  readonly name: string;
  readonly description: string;
  /** The default value, if there is one. */
  readonly fallback: string | undefined;
}

/** Returns every environment variable that Backoffice reads. */
export function environmentVariables(): Variable[] {
  return Object.entries(environment.shape).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    fallback: schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined,
  }));
}

import { z } from 'zod';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof levels)[number];

/** A whole number of a range, written in digits. */
function integer(minimum: number, maximum: number, fallback: number) {
  const expected = `takes a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, { error: expected, abort: true })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, { error: expected })
    .default(fallback);
}

function url(protocols: readonly string[], example: string) {
  return z
    .string()
    .refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), {
      error: `takes a URL such as ${example}`,
    })
    .optional();
}

/** In code points, as the service counts those of every password. */
const lengthOf = (password: string) => [...password].length;

const postgresUrl = url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database');

/** Every variable that the service reads, what it takes and what it is for. */
export const environment = z.object({
  PORT: integer(0, 65_535, 3000).describe('the port of the API; 0 for any that is free'),
  HOST: z.string().default('127.0.0.1').describe('the address that the API listens on'),
  DATABASE_URL: postgresUrl.describe(
    'the Postgres (15 to 18) to work on; without it, an embedded one in the data directory',
  ),
  DATABASE_READ_URL: postgresUrl.describe(
    'a replica that issues, their statistics and trend, conversations, links and scraping runs are read from',
  ),
  BACKOFFICE_DATA: z
    .string()
    .optional()
    .describe(
      "the data directory; by default the platform's place for a user's data, /var/lib/backoffice for root",
    ),
  BACKOFFICE_ADMIN_EMAIL: z
    .string()
    .includes('@', { error: 'takes an e-mail address' })
    .default('admin@localhost')
    .describe('the first superadmin, which `up` makes where there is no admin'),
  BACKOFFICE_ADMIN_PASSWORD: z
    .string()
    .refine((password) => lengthOf(password) >= 6, { error: 'takes at least 6 characters' })
    .refine((password) => lengthOf(password) <= 1024, { error: 'takes at most 1,024 characters' })
    .optional()
    .describe("the first superadmin's password; without it, one is made up and shown once"),
  BACKOFFICE_STRICT_ROLES: z
    .enum(['0', '1'], { error: 'takes 0 or 1' })
    .default('0')
    .describe('1 refuses what a security review would: docs/operations.md, "Sign-in"'),
  BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: z
    .enum(['0', '1'], { error: 'takes 0 or 1' })
    .default('0')
    .describe('1 lets webhooks lead to private addresses: docs/operations.md, "Webhooks"'),
  SESSION_SECRET: z
    .string()
    .transform((value) => value.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32), {
      error: 'takes one or more secrets of at least 32 characters, separated by commas, the newest first',
    })
    .optional()
    .describe(
      'signs the session cookies: secrets of 32 characters and more, separated by commas, the newest first; ' +
        '`serve` needs it, `up` makes one and keeps it',
    ),
  SESSION_IDLE_MINUTES: integer(1, 1440, 30).describe('how long a session lives without a request'),
  SESSION_HOURS: integer(1, 720, 12).describe('how long a session lives at most'),
  TRUST_PROXY: integer(0, 10, 0).describe('how many proxies in front of the service are believed'),
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com').describe(
    'the server that takes mail, which `doctor` checks; smtps: speaks TLS from the start',
  ),
  BACKOFFICE_SERVER: url(['http:', 'https:'], 'https://backoffice.example.com').describe(
    'a server that commands work through, as `--server`',
  ),
  BACKOFFICE_TOKEN: z
    .string()
    .startsWith('bo_', { error: 'takes an API token, bo_…' })
    .optional()
    .describe('the API token for that server'),
  LOG_LEVEL: z
    .enum(levels, { error: `takes one of ${levels.join(', ')}` })
    .default('info')
    .describe(`how much the service logs: ${levels.join(', ')}`),
});

/** A variable of the environment, for help and documentation. */
export interface Variable {
  readonly name: string;
  readonly description: string;
  /** What counts where it is absent; undefined where nothing does. */
  readonly fallback: string | undefined;
}

/** Every variable that is read. */
export function environmentVariables(): Variable[] {
  return Object.entries(environment.shape).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    fallback: schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined,
  }));
}

import { join } from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';

/** A setting of the environment that is not as it must be. The message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

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

const postgresUrl = url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database');

const environment = z.object({
  PORT: integer(0, 65_535, 3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: postgresUrl,
  DATABASE_READ_URL: postgresUrl,
  BACKOFFICE_DATA: z.string().optional(),
  BACKOFFICE_ADMIN_EMAIL: z.string().includes('@', { error: 'takes an e-mail address' }).optional(),
  BACKOFFICE_ADMIN_PASSWORD: z.string().min(6, { error: 'takes at least 6 characters' }).max(1024).optional(),
  BACKOFFICE_STRICT_ROLES: z.enum(['0', '1'], { error: 'takes 0 or 1' }).default('0'),
  SESSION_SECRET: z
    .string()
    .transform((value) => value.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32), {
      error: 'takes one or more secrets of at least 32 characters, separated by commas, the newest first',
    })
    .optional(),
  SESSION_IDLE_MINUTES: integer(1, 1440, 30),
  SESSION_HOURS: integer(1, 720, 12),
  TRUST_PROXY: integer(0, 10, 0),
  LOG_LEVEL: z.enum(levels, { error: `takes one of ${levels.join(', ')}` }).default('info'),
});

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Undefined: the embedded Postgres of the data directory. */
  readonly databaseUrl: string | undefined;
  readonly databaseReadUrl: string | undefined;
  readonly dataDirectory: string;
  readonly firstAdmin: { readonly email: string; readonly password: string | undefined };
  readonly strictRoles: boolean;
  /** Newest first; undefined where none is given. */
  readonly sessionSecrets: readonly string[] | undefined;
  readonly sessionIdleSeconds: number;
  readonly sessionSeconds: number;
  /** How many proxies in front of the service are trusted to tell the client's address and protocol. */
  readonly trustProxy: number;
  readonly logLevel: (typeof levels)[number];
}

/**
 * Reads the configuration from the environment; an empty variable counts as absent.
 *
 * @throws ConfigError that names the variable and what it takes
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = environment.safeParse(given);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new ConfigError(`${String(issue?.path[0])} ${issue?.message}.`);
  }
  const values = result.data;
  return {
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    dataDirectory: values.BACKOFFICE_DATA ?? defaultDataDirectory(),
    firstAdmin: {
      email: values.BACKOFFICE_ADMIN_EMAIL ?? 'admin@localhost',
      password: values.BACKOFFICE_ADMIN_PASSWORD,
    },
    strictRoles: values.BACKOFFICE_STRICT_ROLES === '1',
    sessionSecrets: values.SESSION_SECRET,
    sessionIdleSeconds: values.SESSION_IDLE_MINUTES * 60,
    sessionSeconds: values.SESSION_HOURS * 3600,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
  };
}

/** By the platform's convention for a user's data; where a system service keeps it for root. */
function defaultDataDirectory(): string {
  return process.getuid?.() === 0
    ? join('/var/lib', 'backoffice')
    : envPaths('backoffice', { suffix: '' }).data;
}

import { join } from 'node:path';
import envPaths from 'env-paths';
import type { z } from 'zod';
import { environment, type LogLevel } from './environment.ts';

/** A setting of the environment that is not as it must be. The message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Undefined: the embedded Postgres of the data directory. */
  readonly databaseUrl: string | undefined;
  readonly databaseReadUrl: string | undefined;
  readonly dataDirectory: string;
  readonly firstAdmin: { readonly email: string; readonly password: string | undefined };
  readonly strictRoles: boolean;
  readonly allowPrivateWebhooks: boolean;
  /** Newest first; undefined where none is given. */
  readonly sessionSecrets: readonly string[] | undefined;
  readonly sessionIdleSeconds: number;
  readonly sessionSeconds: number;
  /** How many proxies in front of the service are trusted to tell the client's address and protocol. */
  readonly trustProxy: number;
  readonly smtpUrl: string | undefined;
  /** The server that commands talk to; undefined: they work on the database themselves. */
  readonly server: string | undefined;
  readonly serverToken: string | undefined;
  /** Other keys for the dashboard, where there is such a file. */
  readonly keysFile: string;
  readonly logLevel: LogLevel;
}

/**
 * Reads the configuration from the environment; an empty variable counts as absent.
 *
 * @throws ConfigError that names the variable and what it takes
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const result = parse(env);
  if (!result.success) throw new ConfigError(sentences(result.error)[0]);
  const values = result.data;
  return {
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    dataDirectory: values.BACKOFFICE_DATA ?? defaultDataDirectory(),
    firstAdmin: {
      email: values.BACKOFFICE_ADMIN_EMAIL,
      password: values.BACKOFFICE_ADMIN_PASSWORD,
    },
    strictRoles: values.BACKOFFICE_STRICT_ROLES === '1',
    allowPrivateWebhooks: values.BACKOFFICE_WEBHOOK_ALLOW_PRIVATE === '1',
    sessionSecrets: values.SESSION_SECRET,
    sessionIdleSeconds: values.SESSION_IDLE_MINUTES * 60,
    sessionSeconds: values.SESSION_HOURS * 3600,
    trustProxy: values.TRUST_PROXY,
    smtpUrl: values.SMTP_URL,
    server: values.BACKOFFICE_SERVER,
    serverToken: values.BACKOFFICE_TOKEN,
    keysFile: join(envPaths('backoffice', { suffix: '' }).config, 'keys.json'),
    logLevel: values.LOG_LEVEL,
  };
}

/** What is wrong with the environment, a sentence for each variable; none where `readConfig` succeeds. */
export function configProblems(env: NodeJS.ProcessEnv = process.env): string[] {
  const result = parse(env);
  return result.success ? [] : sentences(result.error);
}

/** The variables of ours by their names' beginning that there are none of: slips of the pen. */
export function unknownVariables(env: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(env).filter(
    (name) => name.startsWith('BACKOFFICE_') && !Object.hasOwn(environment.shape, name),
  );
}

function parse(env: NodeJS.ProcessEnv) {
  return environment.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
}

function sentences(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`);
}

/** By the platform's convention for a user's data; where a system service keeps it for root. */
function defaultDataDirectory(): string {
  return process.getuid?.() === 0
    ? join('/var/lib', 'backoffice')
    : envPaths('backoffice', { suffix: '' }).data;
}

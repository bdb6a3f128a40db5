import { join } from 'node:path';
import envPaths from 'env-paths';
import type { z } from 'zod';
import {
  decodeEncryptionKey,
  environment,
  isBasePath,
  type LogLevel,
  type SamplerName,
} from './environment.ts';
import { readSecretFiles, secretVariables } from './secret-files.ts';
import { ExpectedError } from './shared/errors.ts';

/** An environment variable has an invalid value. The message is one line that names the variable. */
export class ConfigError extends ExpectedError {
  override readonly name = 'ConfigError';
}

/** What of OpenTelemetry's variables the libraries do not read themselves. */
export interface TracingConfig {
  readonly sampler: SamplerName;
  readonly sampleRatio: number;
  readonly batch: { readonly scheduledDelayMillis: number; readonly maxQueueSize: number };
}

export interface Config {
  readonly port: number;
  readonly host: string;
  /** If undefined, the embedded Postgres in the data directory is used. */
  readonly databaseUrl: string | undefined;
  /** The same database as the role that owns the schema. If undefined, the role of `databaseUrl` does everything. */
  readonly databaseOwnerUrl: string | undefined;
  /** The same database through a pooler that shares connections between transactions. */
  readonly databasePoolUrl: string | undefined;
  readonly databaseReadUrl: string | undefined;
  readonly dataDirectory: string;
  readonly firstAdmin: { readonly email: string; readonly password: string | undefined };
  readonly strictRoles: boolean;
  /** How many characters a new password must have with strict roles. */
  readonly passwordMinLength: number;
  readonly allowPrivateWebhooks: boolean;
  /** The origins whose pages may call the API. */
  readonly corsOrigins: readonly string[];
  /** The ids of the operations that agents may run although they change data. */
  readonly mcpAllow: readonly string[];
  /** How long connections are still accepted after SIGTERM. */
  readonly drainMs: number;
  /** Newest first. */
  readonly sessionSecrets: readonly string[] | undefined;
  /** The keys of the environment that encrypt stored secrets, newest first. */
  readonly encryptionKeys: readonly Buffer[];
  readonly sessionIdleSeconds: number;
  readonly sessionMaxAgeSeconds: number;
  /** How many proxies in front of the service are trusted for the client's address and protocol. */
  readonly trustProxy: number;
  /** Undefined is no metrics. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Undefined is no traces. */
  readonly tracing: TracingConfig | undefined;
  readonly smtpUrl: string | undefined;
  /** The mailbox whose mails become conversations. */
  readonly imapUrl: string | undefined;
  /** Where to report a vulnerability: a `mailto:` or `https:` URL. */
  readonly securityContact: string | undefined;
  /** The path before those of the service, as clients see it. The empty string is none. */
  readonly basePath: string;
  /** Where people reach the service, with the base path and without a slash at the end. */
  readonly publicUrl: string;
  /** Whether the public URL is the operator's, not a guess. */
  readonly isPublicUrlSet: boolean;
  /** The sender of mails. */
  readonly mailFrom: { readonly name: string | undefined; readonly address: string };
  /** The mailbox that takes the answers to replies. Undefined if there is none. */
  readonly mailReplyTo: string | undefined;
  /** Whether a variable names the database or the data directory, so that commands use it and not the context in use. */
  readonly namesDatabase: boolean;
  /** The server that commands use. If undefined, they use a context, or the database directly. */
  readonly server: string | undefined;
  readonly serverToken: string | undefined;
  /** The name of the context that commands use. */
  readonly context: string | undefined;
  /** The servers that this user has signed in to. It need not exist. */
  readonly contextsFile: string;
  /** The file with custom keys for the dashboard. It need not exist. */
  readonly keysFile: string;
  /** The file with what a person has chosen in the dashboard. It need not exist. */
  readonly preferencesFile: string;
  readonly logLevel: LogLevel;
  /** Whether the level is the operator's, not the default. */
  readonly isLogLevelSet: boolean;
}

/**
 * Reads the configuration from the environment, and from the files that it names. An empty variable counts as unset.
 *
 * @throws ConfigError
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { values, problems } = parse(env);
  if (values === undefined) throw new ConfigError(problems[0]);
  for (const name of ['DATABASE_OWNER_URL', 'DATABASE_POOL_URL'] as const) {
    if (values[name] !== undefined && values.DATABASE_URL === undefined) {
      throw new ConfigError(`${name} needs DATABASE_URL, ${meaningOfDatabaseUrl[name]}.`);
    }
  }
  const basePath = values.BACKOFFICE_BASE_PATH ?? basePathOf(values.BACKOFFICE_PUBLIC_URL);
  const configDirectory = values.BACKOFFICE_CONFIG ?? envPaths('backoffice', { suffix: '' }).config;
  const publicUrl = withBasePath(values.BACKOFFICE_PUBLIC_URL ?? `http://localhost:${values.PORT}`, basePath);
  return {
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL,
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    databasePoolUrl: values.DATABASE_POOL_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    dataDirectory: values.BACKOFFICE_DATA ?? defaultDataDirectory(),
    firstAdmin: {
      email: values.BACKOFFICE_ADMIN_EMAIL,
      password: values.BACKOFFICE_ADMIN_PASSWORD,
    },
    strictRoles: values.BACKOFFICE_STRICT_ROLES === '1',
    passwordMinLength: values.BACKOFFICE_PASSWORD_MIN_LENGTH,
    allowPrivateWebhooks: values.BACKOFFICE_WEBHOOK_ALLOW_PRIVATE === '1',
    corsOrigins: values.BACKOFFICE_CORS_ORIGINS ?? [],
    mcpAllow: values.BACKOFFICE_MCP_ALLOW ?? [],
    drainMs: values.BACKOFFICE_DRAIN_SECONDS * 1_000,
    sessionSecrets: values.SESSION_SECRET,
    encryptionKeys: (values.BACKOFFICE_ENCRYPTION_KEY ?? []).map(decodeEncryptionKey),
    sessionIdleSeconds: values.SESSION_IDLE_MINUTES * 60,
    sessionMaxAgeSeconds: values.SESSION_HOURS * 3600,
    trustProxy: values.TRUST_PROXY,
    metrics:
      values.METRICS_PORT === undefined
        ? undefined
        : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    tracing: tracingOf(values),
    smtpUrl: values.SMTP_URL,
    imapUrl: values.IMAP_URL,
    securityContact: values.BACKOFFICE_SECURITY_CONTACT,
    basePath,
    publicUrl,
    isPublicUrlSet: values.BACKOFFICE_PUBLIC_URL !== undefined,
    mailFrom: values.BACKOFFICE_MAIL_FROM ?? defaultSender(publicUrl),
    mailReplyTo: values.BACKOFFICE_MAIL_REPLY_TO,
    namesDatabase: values.DATABASE_URL !== undefined || values.BACKOFFICE_DATA !== undefined,
    server: values.BACKOFFICE_SERVER,
    serverToken: values.BACKOFFICE_TOKEN,
    context: values.BACKOFFICE_CONTEXT,
    contextsFile: join(configDirectory, 'contexts.json'),
    keysFile: join(configDirectory, 'keys.json'),
    preferencesFile: join(configDirectory, 'preferences.json'),
    logLevel: values.LOG_LEVEL,
    isLogLevelSet: (env.LOG_LEVEL ?? '') !== '',
  };
}

/** Returns the path of the public URL if requests can have it, and otherwise none. */
function basePathOf(publicUrl: string | undefined): string {
  const path = publicUrl === undefined ? '' : new URL(publicUrl).pathname;
  return isBasePath(path) ? path : '';
}

/** @throws ConfigError */
function withBasePath(publicUrl: string, basePath: string): string {
  const { pathname } = new URL(publicUrl);
  if (basePath === '' || pathname === basePath) return publicUrl;
  if (pathname === '/') return publicUrl + basePath;
  throw new ConfigError('BACKOFFICE_PUBLIC_URL must have no path, or that of BACKOFFICE_BASE_PATH.');
}

const meaningOfDatabaseUrl = {
  DATABASE_OWNER_URL: 'the database as the role that the service runs as',
  DATABASE_POOL_URL: 'the address of the database itself',
};

function tracingOf(values: z.output<typeof environment>): TracingConfig | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || values.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  return {
    sampler: values.OTEL_TRACES_SAMPLER,
    sampleRatio: values.OTEL_TRACES_SAMPLER_ARG,
    batch: {
      scheduledDelayMillis: values.OTEL_BSP_SCHEDULE_DELAY,
      maxQueueSize: values.OTEL_BSP_MAX_QUEUE_SIZE,
    },
  };
}

/** An address has brackets where the host of a mail address has none. */
function defaultSender(publicUrl: string): Config['mailFrom'] {
  const { hostname } = new URL(publicUrl);
  const isName = /^[a-z\d-]+(\.[a-z\d-]+)*$/i.test(hostname) && !/^[\d.]+$/.test(hostname);
  return { name: undefined, address: `backoffice@${isName ? hostname : 'localhost'}` };
}

/** Returns one sentence for each invalid variable. */
export function configProblems(env: NodeJS.ProcessEnv = process.env): string[] {
  return [...parse(env).problems];
}

/** Returns unknown BACKOFFICE_* variables, probably typos. */
export function unknownVariables(env: NodeJS.ProcessEnv = process.env): string[] {
  const files = secretVariables.map((name) => `${name}_FILE`);
  return Object.keys(env).filter(
    (name) =>
      name.startsWith('BACKOFFICE_') && !Object.hasOwn(environment.shape, name) && !files.includes(name),
  );
}

interface Parsed {
  /** Undefined if there are problems. */
  readonly values: z.output<typeof environment> | undefined;
  readonly problems: readonly string[];
}

function parse(source: NodeJS.ProcessEnv): Parsed {
  const { env, problems } = readSecretFiles(source);
  const set = Object.entries(env).filter(([, value]) => value !== '');
  const result = environment.safeParse(Object.fromEntries(set));
  if (!result.success) return { values: undefined, problems: [...problems, ...sentences(result.error)] };
  return { values: problems.length === 0 ? result.data : undefined, problems };
}

function sentences(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`);
}

/** Returns the platform's directory for user data, or for root that of a system service. */
function defaultDataDirectory(): string {
  return process.getuid?.() === 0
    ? join('/var/lib', 'backoffice')
    : envPaths('backoffice', { suffix: '' }).data;
}

/** Reports whether errors are shown with their stacks: DEBUG is 1, true, or names this program as others do. */
export function isDebugging(env: NodeJS.ProcessEnv = process.env): boolean {
  return (env.DEBUG ?? '').split(',').some((word) => ['1', 'true', '*', 'backoffice'].includes(word.trim()));
}

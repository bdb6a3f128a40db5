import type { Command } from 'commander';
import { type Config, ConfigError } from '../../src/config.ts';
import { BackofficeError } from '../../src/contract/errors.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { describeDatabaseError } from '../../src/db/connection/errors.ts';
import { keptSecret } from '../../src/db/embedded/secrets.ts';
import { migrateUp } from '../../src/db/migrate/migrate.ts';
import { SchemaRightsError } from '../../src/db/roles/schema-owner.ts';
import { selectGeneratedPasswords } from '../../src/db/tables/accounts/passwords.ts';
import { ensureFirstAdmin, type FirstAdmin } from '../../src/services/first-admin.ts';
import { createBackoff, wait } from '../../src/shared/waiting.ts';
import { readLocalConfig, schemaAccessOf } from '../access/database.ts';
import { refusePoolers } from '../access/poolers.ts';
import { contractRoles, untrustedProxy } from '../doctor/finding.ts';
import { print, remark, stopSignal } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';
import { type Serving, startServing, untilStopped } from './serving.ts';

/** Starts everything, and serves until a signal to stop. */
export async function up(command: Command): Promise<void> {
  const config = await readLocalConfig(command);
  const stop = stopSignal();
  await using resources = new AsyncDisposableStack();
  const serving = await startServing(
    resources,
    config,
    stop,
    // Kept in the data directory, so that sessions survive a restart.
    async () => config.sessionSecrets ?? [await keptSecret(config.dataDirectory, 'session-secret')],
  );
  // The API listens already: a port that is taken shows first, and health checks are answered during the preparation.
  await prepare(serving, config, stop);
  await untilStopped(stop, serving.logger);
}

/** Updates the schema and creates the first admin as soon as the database is reachable, then prints the addresses. */
async function prepare(serving: Serving, config: Config, stop: AbortSignal): Promise<void> {
  const { firstAdmin, strictRoles, basePath } = config;
  const { database, services, server, metricsUrl } = serving;
  const applied = await whenReachable(async () => {
    // A pooler may have shown only now.
    await refusePoolers(config);
    return await migrateUp({ ...schemaAccessOf(database), log: remark });
  }, stop);
  if (applied === undefined) return;
  if (applied.length > 0) remark(`Applied ${counted(applied.length, 'migration')}.`);
  const admin = await whenReachable(() => createFirstAdmin(serving, firstAdmin), stop);
  if (admin === undefined) return;

  const proxyProblem = untrustedProxy(config);
  const reminder = admin === null ? await generatedPasswordReminder(services.databases.primary) : undefined;
  const lines = [
    '',
    `  Backoffice API   ${server.url}${basePath}/api/admin`,
    `  Documentation    ${server.url}${basePath}/api/docs`,
    metricsUrl && `  Metrics          ${metricsUrl}`,
    strictRoles ? undefined : `  Roles            ${contractRoles}`,
    proxyProblem && `  Proxy            ${proxyProblem}`,
    '',
    '  Press Ctrl-C to stop.',
    '',
    // What a new user needs is last, where it stays in sight.
    `  Web dashboard    ${server.url}${basePath}/`,
    admin && `  First admin      ${admin.email}`,
    admin?.generatedPassword && `  Password         ${admin.generatedPassword}  (shown only once)`,
    reminder && `  Reminder         ${reminder}`,
    '',
  ];
  print(lines.filter((line) => typeof line === 'string').join('\n'));
}

async function createFirstAdmin(
  { services, logger }: Serving,
  wanted: Config['firstAdmin'],
): Promise<FirstAdmin | null> {
  try {
    return await ensureFirstAdmin(services, wanted, logger);
  } catch (error) {
    // With strict roles, a weak password is refused.
    if (error instanceof BackofficeError && error.param === 'password')
      throw new ConfigError(`BACKOFFICE_ADMIN_PASSWORD: ${error.message}`);
    throw error;
  }
}

async function generatedPasswordReminder(db: Database): Promise<string | undefined> {
  const [email] = await selectGeneratedPasswords(db);
  return email && `${email} still has its generated password: \`backoffice admins reset-password ${email}\``;
}

/**
 * Retries with growing delays while the database is unreachable, or waits for migrations that its owner must apply. Returns
 * undefined after the signal to stop.
 */
async function whenReachable<T>(attempt: () => Promise<T>, stop: AbortSignal): Promise<T | undefined> {
  const backoff = createBackoff({ firstMs: 250, maxMs: 5_000 });
  while (!stop.aborted) {
    try {
      return await attempt();
    } catch (error) {
      const problem = error instanceof SchemaRightsError ? error.message : describeDatabaseError(error);
      if (problem === undefined) throw error;
      const delayMs = backoff.next();
      remark(`${problem} Retrying in ${delayMs / 1_000} s.`);
      await wait(delayMs, stop);
    }
  }
  return undefined;
}

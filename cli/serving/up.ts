import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Config } from '../../src/config.ts';
import { describeDatabaseError } from '../../src/db/connection/database-errors.ts';
import { migrateUp } from '../../src/db/migrate/index.ts';
import { ensureFirstAdmin } from '../../src/services/first-admin.ts';
import { readLocalConfig } from '../access/database.ts';
import { stopSignal } from '../stop-signal.ts';
import { print, remark } from '../terminal.ts';
import { type Serving, startServing, untilStopped } from './serving.ts';
import { sessionSecrets } from './session-secret.ts';

/** Brings everything up, and serves until it is told to stop. */
export async function up(command: Command): Promise<void> {
  const config = await readLocalConfig(command);
  const stop = stopSignal();
  await using resources = new AsyncDisposableStack();
  const serving = await startServing(
    resources,
    config,
    async () => config.sessionSecrets ?? (await sessionSecrets(config.dataDirectory)),
  );
  // The API listens by now: a port that is taken shows first, and health checks are answered while this goes on.
  await prepare(serving, config.firstAdmin, stop);
  await untilStopped(stop, serving.logger);
}

/** Brings the schema and the first admin up, as soon as the database can be reached, and says where everything is. */
async function prepare(serving: Serving, firstAdmin: Config['firstAdmin'], stop: AbortSignal): Promise<void> {
  const { databaseUrl, services, server } = serving;
  const applied = await whenReachable(() => migrateUp({ databaseUrl }), stop);
  if (applied === undefined) return;
  if (applied.length > 0) remark(`Applied ${applied.length} migrations.`);
  const admin = await whenReachable(() => ensureFirstAdmin(services, firstAdmin), stop);
  if (admin === undefined) return;

  print('');
  print(`  Backoffice API   ${server.url}/api/admin`);
  print(`  Documentation    ${server.url}/api/docs`);
  if (admin !== null) {
    print(`  First admin      ${admin.email}`);
    if (admin.generatedPassword !== undefined)
      print(`  Password         ${admin.generatedPassword}  (shown only now)`);
  }
  print('');
  print('  Press Ctrl-C to stop.');
  print('');
}

/** Tries again, with growing pauses, while the database cannot be reached; undefined when it is time to stop. */
async function whenReachable<T>(attempt: () => Promise<T>, stop: AbortSignal): Promise<T | undefined> {
  for (let pause = 250; !stop.aborted; pause = Math.min(pause * 2, 5_000)) {
    try {
      return await attempt();
    } catch (error) {
      const problem = describeDatabaseError(error);
      if (problem === undefined) throw error;
      remark(`${problem} Trying again in ${pause / 1000} s.`);
      await delay(pause, undefined, { signal: stop }).catch(() => {});
    }
  }
  return undefined;
}

import { stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type OsUser, runProgram } from './run-program.ts';

// Postgres's own account as Linux and macOS name it, then the account that owns nothing.
const candidates = ['postgres', '_postgres', 'nobody'];

/**
 * Finds the account that Postgres runs as: undefined means ourselves. Only root needs another one, because
 * Postgres refuses to run as root.
 *
 * A cluster that exists already belongs to whoever made it, so root runs it as its owner.
 */
export async function findOsUser(home: string): Promise<OsUser | undefined> {
  const owner = await stat(home).catch(() => undefined);
  const ourselves = process.getuid?.();
  if (ourselves !== 0) {
    if (owner && owner.uid !== ourselves) {
      throw new EmbeddedPostgresError(
        `${home} belongs to another user: run this command as that user, or set BACKOFFICE_DATA to a folder of your own.`,
      );
    }
    return undefined;
  }
  if (owner && owner.uid !== 0) return { name: `with uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  for (const name of candidates) {
    const user = await lookUp(name);
    if (user) return user;
  }
  throw new EmbeddedPostgresError(
    'Postgres refuses to run as root and there is no user postgres or nobody: create one, or set DATABASE_URL.',
  );
}

async function lookUp(name: string): Promise<OsUser | undefined> {
  const [uid, gid] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { name, uid: Number(uid.output), gid: Number(gid.output) };
}

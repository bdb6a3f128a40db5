import { stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type OsUser, runProgram } from './run-program.ts';

// The account of Postgres on Linux and on macOS, then the account that owns nothing.
const candidates = ['postgres', '_postgres', 'nobody'];

/**
 * Finds the account that Postgres runs as. Undefined means the current user: only root needs another account, because
 * Postgres refuses to run as root. Root runs an existing cluster as its owner.
 */
export async function findOsUser(home: string): Promise<OsUser | undefined> {
  const owner = await stat(home).catch(() => undefined);
  const currentUid = process.getuid?.();
  if (currentUid !== 0) {
    if (owner && owner.uid !== currentUid) {
      throw new EmbeddedPostgresError(
        `${home} belongs to another user. Run this command as that user, or set BACKOFFICE_DATA to another directory.`,
      );
    }
    return undefined;
  }
  if (owner && owner.uid !== 0) return { name: `with uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  for (const name of candidates) {
    const user = await findUserByName(name);
    if (user) return user;
  }
  throw new EmbeddedPostgresError(
    'Postgres cannot run as root, and there is no user postgres or nobody. Create one, or set DATABASE_URL.',
  );
}

async function findUserByName(name: string): Promise<OsUser | undefined> {
  const [uid, gid] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { name, uid: Number(uid.output), gid: Number(gid.output) };
}

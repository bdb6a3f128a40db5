import { noEncryptionKey } from '../../contract/errors.ts';
import type { Databases } from '../../db/replica/databases.ts';
import {
  countSecrets,
  purposeOf,
  replaceSecrets,
  type SealedColumn,
  type StoredSecret,
  sealedColumns,
  selectSecrets,
} from '../../db/tables/sealed-columns.ts';
import type { Actor } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';
import { refuse } from '../call/refuse.ts';
import { keyIdOf, type SecretBox } from './secret-box.ts';

/** Secrets per transaction: a batch of the longest settings fits into memory. */
const batchSize = 100;

/** Not an operation of the registry, because no request runs it. */
const rotation = { id: 'secrets.rotate', changes: ['secrets.encrypted'] } as const;

/**
 * Encrypts all secrets with the newest key, in batches, also those that SQL has written in clear text.
 * Returns how many were encrypted, and how many are left: their key is not listed, they are damaged, or it
 * was stopped. An interrupted rotation continues where it stopped.
 */
export async function rotateSecrets(
  { databases: { primary }, secretBox }: { readonly databases: Databases; readonly secretBox: SecretBox },
  actor: Actor,
  { stop, onProgress }: { stop?: AbortSignal; onProgress?: (done: number) => void } = {},
) {
  const [newest, ...older] = secretBox.keyIds;
  if (newest === undefined) refuse(noEncryptionKey);
  const change = changesOf(primary, actor, rotation);
  let rotated = 0;
  for (const column of sealedColumns) {
    let after: string | null = null;
    while (stop?.aborted !== true) {
      const range = { after, limit: batchSize };
      const found: readonly StoredSecret[] = await selectSecrets(primary, column, ['', ...older], range);
      after = found.at(-1)?.id ?? null;
      const resealed = found.flatMap((secret) => reseal(secretBox, column, secret));
      const replaced = await change(async (tx, record) => {
        await column.lock?.(tx);
        const secrets = await replaceSecrets(tx, column, resealed);
        if (secrets > 0) record({ event: 'secrets.encrypted', id: null, after: { key: newest, secrets } });
        return secrets;
      });
      rotated += replaced;
      if (replaced > 0) onProgress?.(rotated);
      if (found.length < batchSize) break;
    }
  }
  const counts = await countSecrets(primary);
  const left = counts.filter(({ key_id }) => key_id !== newest);
  return { rotated, left: left.reduce((sum, { count }) => sum + count, 0) };
}

/** Returns the secret sealed with the newest key, or nothing if it cannot be read. */
function reseal(secretBox: SecretBox, { purpose }: SealedColumn, secret: StoredSecret) {
  const boundTo = purposeOf(purpose, secret.id);
  try {
    const text = keyIdOf(secret.text) === undefined ? secret.text : secretBox.open(secret.text, boundTo);
    return [{ ...secret, sealed: secretBox.seal(text, boundTo) }];
  } catch {
    return [];
  }
}

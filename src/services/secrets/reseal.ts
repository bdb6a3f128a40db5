import { BackofficeError, noEncryptionKey } from '../../contract/errors.ts';
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
import { keyIdOf, type SecretBox } from './secret-box.ts';

/** Secrets per transaction: a batch of the longest settings fits into memory. */
const batchSize = 100;

/** Not an operation of the registry, because no request runs it. */
const rotation = { id: 'secrets.rotate', changes: ['secrets.encrypted'] } as const;

interface SecretServices {
  readonly databases: Databases;
  readonly secretBox: SecretBox;
}

/**
 * Encrypts all secrets with the newest key, in batches, also those in clear text: SQL has written them. Secrets that are
 * encrypted with it already stay as they are, so an interrupted rotation continues where it stopped.
 *
 * @param onProgress - called after each batch with the number of secrets encrypted so far
 * @returns how many were encrypted, and how many are left: their key is not listed, they are damaged, or it was stopped
 * @throws BackofficeError `not_configured` without keys
 */
export async function rotateSecrets(
  services: SecretServices,
  actor: Actor,
  { stop, onProgress }: { stop?: AbortSignal; onProgress?: (done: number) => void } = {},
) {
  const { databases, secretBox } = services;
  const [newest, ...older] = secretBox.keyIds;
  if (newest === undefined) throw new BackofficeError(noEncryptionKey);
  let rotated = 0;
  for (const column of sealedColumns) {
    for await (const replaced of resealColumn(services, column, ['', ...older], actor, stop)) {
      rotated += replaced;
      onProgress?.(rotated);
    }
  }
  const counts = await countSecrets(databases.primary);
  const left = counts.filter(({ key_id }) => key_id !== newest);
  return { rotated, left: left.reduce((sum, { count }) => sum + count, 0) };
}

/** Encrypts the secrets of a column that have one of the keys, and yields after each batch how many those were. */
async function* resealColumn(
  { databases, secretBox }: SecretServices,
  column: SealedColumn,
  keyIds: readonly string[],
  actor: Actor,
  stop: AbortSignal | undefined,
): AsyncGenerator<number> {
  const change = changesOf(databases.primary, actor, rotation);
  let after: string | null = null;
  while (stop?.aborted !== true) {
    const found: readonly StoredSecret[] = await selectSecrets(databases.primary, column, keyIds, {
      after,
      limit: batchSize,
    });
    after = found.at(-1)?.id ?? null;
    const resealed = found.flatMap((secret) => reseal(secretBox, column, secret));
    if (resealed.length === 0 && found.length < batchSize) return;
    const replaced = await change(async (tx, record) => {
      await column.lock?.(tx);
      const secrets = await replaceSecrets(tx, column, resealed);
      if (secrets > 0) {
        record({ event: 'secrets.encrypted', id: null, after: { key: secretBox.keyId ?? null, secrets } });
      }
      return secrets;
    });
    if (replaced > 0) yield replaced;
    if (found.length < batchSize) return;
  }
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

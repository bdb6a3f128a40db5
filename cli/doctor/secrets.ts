import type { Database } from '../../src/db/connection/database.ts';
import { countSecrets } from '../../src/db/tables/sealed-columns.ts';
import { createSecretBox } from '../../src/services/secrets/secret-box.ts';
import { counted } from '../output/number.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Checks that every stored secret can be decrypted, and shows how many secrets each key holds. */
export async function checkSecrets(db: Database, keys: readonly Buffer[]): Promise<Finding> {
  const check = 'secrets';
  const { keyId: newest, keyIds } = createSecretBox(keys);
  const counts = await countSecrets(db);
  const all = counts.map(({ key_id, count }) =>
    key_id === '' ? `${count} in clear text` : `${count} with the key ${key_id}`,
  );
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const detail = total === 0 ? 'none stored' : `${counted(total, 'secret')}: ${all.join(', ')}`;

  const missing = counts.flatMap(({ key_id }) => (key_id === '' || keyIds.includes(key_id) ? [] : [key_id]));
  if (missing.length > 0) {
    const names = `${missing.length === 1 ? 'the key' : 'the keys'} ${missing.join(', ')}`;
    return failed(
      check,
      `${detail}; BACKOFFICE_ENCRYPTION_KEY does not list ${names}`,
      `Add ${names} to BACKOFFICE_ENCRYPTION_KEY. Without it, set these secrets again; \`backoffice settings list\` shows ` +
        'which settings are secret.',
    );
  }
  if (counts.some(({ key_id }) => key_id === '')) {
    const advice =
      newest === undefined
        ? 'Set BACKOFFICE_ENCRYPTION_KEY (`openssl rand -base64 32` generates a key), then run `backoffice secrets rotate`.'
        : 'Run `backoffice secrets rotate`, which encrypts them.';
    return failed(check, `${detail}, which are not used`, advice);
  }
  if (counts.some(({ key_id }) => key_id !== newest)) {
    return warning(check, detail, 'Run `backoffice secrets rotate`, then remove the older keys.');
  }
  return ok(check, detail);
}

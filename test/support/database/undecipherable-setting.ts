import { withClient } from './client.ts';

/** Stores a secret setting whose key is lost. Returns the sentence that names it. */
export async function storeUndecipherableSetting(databaseUrl: string, key: string): Promise<string> {
  const text = `insert into settings (setting_key, setting_value, is_secret) values ($1, 'sealed.v1.deadbeef.AAAA', true)`;
  await withClient(databaseUrl, (client) => client.query(text, [key]));
  return `The setting ${key} is encrypted with the key deadbeef. Add that key to BACKOFFICE_ENCRYPTION_KEY, or write the setting again.`;
}

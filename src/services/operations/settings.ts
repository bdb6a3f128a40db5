import { BackofficeError } from '../../contract/errors.ts';
import { maximumSettingsBytes, type Setting, settingErrors } from '../../contract/operations/settings.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import {
  deleteSettingRow,
  selectSettings,
  selectSettingsBytes,
  upsertSettings,
} from '../../db/tables/settings.ts';
import { readScraping, readTokenUsage } from '../analytics/analytics.ts';
import { decidesOnAlerts, updateTokenAlerts } from '../analytics/token-alerts.ts';
import type { Context } from '../call/context.ts';
import { checkStrictSettings } from '../sign-in/strict-roles.ts';

export async function showSettings(
  { db, actor }: Context,
  { section }: ParsedInputOf<'settings.show'>,
): Promise<OutputOf<'settings.show'>> {
  const settings = await selectSettings(db);
  return {
    settings,
    profile: profileOf(actor.admin),
    ...(section === undefined || section === 'token-usage' ? await readTokenUsage(db, settings) : {}),
    ...(section === undefined || section === 'scraping' ? await readScraping(db, settings) : {}),
  };
}

function profileOf(admin: Context['actor']['admin']): OutputOf<'settings.show'>['profile'] {
  if (admin === null) return null;
  const { id, email, username, role, created_at: createdAt } = admin;
  return { id, email, username, role, createdAt };
}

const bytesOf = (settings: readonly Setting[]) =>
  settings.reduce((sum, { key, value }) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);

/** What the records tell of a setting: never its value, which may be a secret. */
const present = { is_set: true };

export async function updateSettings(
  { change, actor, strictRoles }: Context,
  settings: ParsedInputOf<'settings.update'>,
): Promise<OutputOf<'settings.update'>> {
  if (strictRoles) {
    checkStrictSettings(
      actor.role,
      settings.map(({ key }) => key),
    );
  }
  const isTooMuch = await change(async (tx, touch) => {
    const others = await selectSettingsBytes(tx, { without: settings.map(({ key }) => key) });
    if (others + bytesOf(settings) > maximumSettingsBytes) return true;
    for (const { key, is_new } of await upsertSettings(tx, settings)) {
      touch({ event: 'setting.updated', id: key, before: is_new ? undefined : present, after: present });
    }
    if (settings.some(({ key }) => decidesOnAlerts(key))) await updateTokenAlerts(tx, touch);
    return false;
  });
  if (isTooMuch) throw new BackofficeError(settingErrors.tooMuch);
  return { success: true };
}

export async function deleteSetting(
  { change, actor, strictRoles }: Context,
  { key }: ParsedInputOf<'settings.delete'>,
): Promise<OutputOf<'settings.delete'>> {
  if (strictRoles) checkStrictSettings(actor.role, [key]);
  await change(async (tx, touch) => {
    if (!(await deleteSettingRow(tx, key))) return;
    touch({ event: 'setting.deleted', id: key, before: present });
    if (decidesOnAlerts(key)) await updateTokenAlerts(tx, touch);
  });
  return { success: true };
}

import { maxSettingsBytes, settingErrors } from '../../contract/operations/settings.ts';
import type { OutputOf } from '../../contract/registry.ts';
import type { Setting } from '../../contract/schemas/settings-change.ts';
import {
  deleteSettingRow,
  lockSettings,
  selectSettings,
  selectSettingsBytes,
  upsertSetting,
  upsertSettings,
} from '../../db/tables/settings.ts';
import { affectsTokenAlerts, updateTokenAlerts } from '../analytics/token-alerts.ts';
import type { Actor } from '../call/actor.ts';
import type { ChangeOne } from '../call/change-one.ts';
import { checkExpectedNew, checkExpectedSettings } from '../call/expected-settings.ts';
import { refuse } from '../call/refuse.ts';
import { checkStrictSettings } from '../sign-in/strict-roles.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';
import type { HandlersOf } from './handler-types.ts';

/** What is recorded of a setting: never its value, which may be a secret. */
const recordedSetting = { is_set: true } as const;
const changedSetting = { event: 'setting.updated', before: recordedSetting, after: recordedSetting } as const;

export const settingHandlers = {
  'settings.show': async ({ db, actor, analytics }, { section }) => {
    const profile = profileOf(actor);
    const shows = (name: string) => section === undefined || section === name;
    const shown = { tokenUsage: shows('token-usage'), scraping: shows('scraping') };
    if (!shown.tokenUsage && !shown.scraping) return { settings: await selectSettings(db), profile };
    const { settings, fields } = await analytics.read(db, shown);
    const start = JSON.stringify({ settings, profile }).slice(0, -1);
    return new StreamedJson(async (write) => void (await write(`${start}${fields}}`)));
  },

  'settings.update': async ({ change, changeOne, actor, strictRoles }, { settings, expected }) => {
    const keys = settings.map(({ key }) => key);
    if (strictRoles) checkStrictSettings(actor.role, keys);
    const [single, ...others] = settings;
    if (
      single !== undefined &&
      others.length === 0 &&
      expected === undefined &&
      !affectsTokenAlerts(single.key)
    ) {
      const isWritten = await changeOne(changedSetting, (db, record) =>
        upsertSetting(db, single, maxSettingsBytes, record),
      );
      return isWritten ? { success: true } : refuse(settingErrors.tooMuch);
    }
    await change(async (tx, touch) => {
      await lockSettings(tx, { exclusive: expected !== undefined });
      if (expected !== undefined) await checkExpectedSettings(tx, expected);
      const otherBytes = await selectSettingsBytes(tx, { without: keys });
      if (otherBytes + bytesOf(settings) > maxSettingsBytes) refuse(settingErrors.tooMuch);
      const written = await upsertSettings(tx, settings);
      if (expected !== undefined) checkExpectedNew(expected, written);
      for (const { key, is_new } of written) {
        const before = is_new ? undefined : recordedSetting;
        touch({ event: 'setting.updated', id: key, before, after: recordedSetting });
      }
      if (keys.some(affectsTokenAlerts)) await updateTokenAlerts(tx, touch);
    });
    return { success: true };
  },

  'settings.delete': async ({ change, changeOne, actor, strictRoles }, { key }) => {
    if (strictRoles) checkStrictSettings(actor.role, [key]);
    const deleteIn = (one: ChangeOne) =>
      one({ event: 'setting.deleted', before: recordedSetting }, (db, record) =>
        deleteSettingRow(db, key, record),
      );
    if (affectsTokenAlerts(key)) {
      await change(async (tx, touch, changeOneIn) => {
        if (await deleteIn(changeOneIn)) await updateTokenAlerts(tx, touch);
      });
    } else await deleteIn(changeOne);
    return { success: true };
  },
} satisfies HandlersOf<'settings'>;

function profileOf({ admin }: Actor): OutputOf<'settings.show'>['profile'] {
  if (admin === null) return null;
  const { id, email, username, role, created_at: createdAt } = admin;
  return { id, email, username, role, createdAt };
}

function bytesOf(settings: readonly Setting[]): number {
  return settings.reduce((sum, { key, value }) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
}

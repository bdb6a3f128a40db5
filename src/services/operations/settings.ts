import { invalid } from '../../contract/errors.ts';
import { wrongTimeZone } from '../../contract/known-settings/known-settings.ts';
import { usageKeys } from '../../contract/known-settings/token-settings.ts';
import { maxSettingsBytes, settingErrors } from '../../contract/operations/settings.ts';
import type { OutputOf } from '../../contract/registry.ts';
import { maxEventIds } from '../../contract/schemas/changes/changes.ts';
import type { Setting, SettingsChange } from '../../contract/schemas/changes/settings-change.ts';
import type { Database } from '../../db/connection/database.ts';
import { purposeOf } from '../../db/tables/sealed-columns.ts';
import {
  deleteSettingRows,
  lockSettingRows,
  lockSettings,
  type StoredSetting,
  selectReadableSettings,
  selectSettingDetails,
  selectSettingsBytes,
  upsertSettings,
  type WrittenSetting,
} from '../../db/tables/settings.ts';
import { isUsableTimeZone } from '../analytics/calendar.ts';
import { readAnalyticsOfMonth } from '../analytics/sections.ts';
import { updateTokenAlerts } from '../analytics/token-alerts.ts';
import type { Actor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';
import { checkExpectedNew, checkExpectedSettings } from '../call/expected.ts';
import { refuse } from '../call/refuse.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';
import type { HandlersOf } from './handler-types.ts';

/** Returns what is recorded of a setting: its value only if it is not secret, and in the audit trail only. */
const recordedSetting = (value: string | null) =>
  ({ is_set: true, ...(value === null ? {} : { value }) }) as const;

export const settingHandlers = {
  'settings.show': async ({ db, actor, memos }, { section, month, include }) => {
    const more = { profile: profileOf(actor), ...(include ? { details: await readDetails(db) } : {}) };
    const shows = (name: string) => section === undefined || section === name;
    const shown = { tokenUsage: shows('token-usage'), scraping: shows('scraping') };
    if (!shown.tokenUsage && !shown.scraping) {
      return { settings: await selectReadableSettings(db), ...more };
    }
    const { settings, fields } =
      month === undefined
        ? await memos.analytics.read(db, shown)
        : await readAnalyticsOfMonth(db, shown, month);
    const start = JSON.stringify({ settings, ...more }).slice(0, -1);
    return new StreamedJson(`${start}${fields}}`);
  },

  'settings.update': async (context, { settings: updates, encrypt, remove, expected, timeZone }) => {
    const { change, actor, secretBox } = context;
    const keys = [...updates.map(({ key }) => key), ...encrypt, ...remove];
    await change(async (tx, record) => {
      if (timeZone !== undefined) await checkTimeZone(tx, timeZone);
      await lockSettings(tx, { exclusive: expected !== undefined || encrypt.length + remove.length > 0 });
      if (expected !== undefined) await checkExpectedSettings(tx, expected);
      const settings = [...updates, ...(await readToEncrypt(tx, encrypt))];
      const otherBytes = await selectSettingsBytes(tx, { without: keys });
      if (otherBytes + bytesOf(settings) > maxSettingsBytes) refuse(settingErrors.tooMuch);
      const written = await writeSettings(tx, secretBox, settings, actor.name);
      if (expected !== undefined) checkExpectedNew(expected, written);
      recordSettings(record, written);
      if (remove.length > 0) {
        recordDeleted(record, await deleteSettingRows(tx, remove));
      }
      if (keys.some((key) => usageKeys.includes(key))) await updateTokenAlerts(tx, record);
    });
  },

  'settings.delete': ({ change }, { key }) =>
    change(async (tx, record) => {
      const removed = await deleteSettingRows(tx, [key]);
      if (removed.length === 0) return;
      recordDeleted(record, removed);
      if (usageKeys.includes(key)) await updateTokenAlerts(tx, record);
    }),
} satisfies HandlersOf<'settings'>;

/** Refuses a time zone that Node knows, such as EAT, and the database does not. An empty text counts as absent. */
async function checkTimeZone(tx: Database, { name, param }: NonNullable<SettingsChange['timeZone']>) {
  if (name !== '' && !(await isUsableTimeZone(tx, name))) refuse({ ...invalid(wrongTimeZone), param });
}

/** Records one setting as itself, and a batch as one change: a record of each key would delay the writes of others. */
function recordSettings(record: RecordChange, written: readonly WrittenSetting[]): void {
  const [first, ...others] = written;
  if (first === undefined) return;
  if (others.length === 0) {
    const before = first.is_new ? undefined : recordedSetting(first.before);
    record({ event: 'setting.updated', id: first.key, before, after: recordedSetting(first.after) });
    return;
  }
  const keys = written.map(({ key }) => key).sort();
  const after = { keys: keys.slice(0, maxEventIds), count: keys.length, ...valuesOf(written, 'after') };
  record({ event: 'settings.updated', id: null, before: valuesOf(written, 'before'), after });
}

/** Returns the values of the settings that changed, by key, without those that are secret or were not set. */
function valuesOf(settings: readonly WrittenSetting[], which: 'before' | 'after') {
  const values = settings.flatMap((setting) => {
    const { key, before, after, [which]: value } = setting;
    return value === null || before === after ? [] : [[key, value] as const];
  });
  return values.length === 0 ? undefined : { values: Object.fromEntries(values) };
}

function recordDeleted(record: RecordChange, removed: Awaited<ReturnType<typeof deleteSettingRows>>): void {
  for (const { key, before } of removed)
    record({ event: 'setting.deleted', id: key, before: recordedSetting(before) });
}

/** Returns settings with the values that they have, as secrets. Those that are secret already stay as they are. */
async function readToEncrypt(tx: Database, keys: readonly string[]): Promise<readonly Setting[]> {
  if (keys.length === 0) return [];
  const current = await lockSettingRows(tx, keys);
  return current.flatMap(({ key, value, is_secret }) => (is_secret ? [] : [{ key, value, secret: true }]));
}

/** Writes settings. Those that are secret already stay so, unless the caller says otherwise. */
async function writeSettings(
  tx: Database,
  secretBox: SecretBox,
  settings: readonly Setting[],
  author: string,
) {
  const reveal = settings.every(({ secret }) => secret === false);
  const stored = settings.map((setting) => toStoredSetting(secretBox, setting));
  const written = [...(await upsertSettings(tx, stored, { author, reveal }))];
  // What was left is locked now: somebody else changed it meanwhile, or it is secret.
  const changed = unwritten(stored, written);
  if (changed.length > 0) written.push(...(await upsertSettings(tx, changed, { author, reveal })));
  const secrets = unwritten(settings, written).map((setting) =>
    toStoredSetting(secretBox, { ...setting, secret: true }),
  );
  if (secrets.length > 0) written.push(...(await upsertSettings(tx, secrets, { author })));
  return written;
}

type Keyed = { readonly key: string };

function unwritten<Row extends Keyed>(rows: readonly Row[], written: readonly Keyed[]): Row[] {
  const keys = new Set(written.map(({ key }) => key));
  return rows.filter(({ key }) => !keys.has(key));
}

/** Returns a setting as it is stored: sealed if it is secret, which needs a key. */
function toStoredSetting(secretBox: SecretBox, { key, value, secret = false }: Setting): StoredSetting {
  return secret
    ? { key, value: secretBox.seal(value, purposeOf('setting', key)), is_secret: true }
    : { key, value, is_secret: false };
}

async function readDetails(db: Database): Promise<NonNullable<OutputOf<'settings.show'>['details']>> {
  const rows = await selectSettingDetails(db);
  return Object.fromEntries(rows.map(({ key, ...details }) => [key, details]));
}

function profileOf({ admin }: Actor): OutputOf<'settings.show'>['profile'] {
  if (admin === null) return null;
  const { id, email, username, role, created_at: createdAt } = admin;
  return { id, email, username, role, createdAt };
}

function bytesOf(settings: readonly Setting[]): number {
  return settings.reduce((sum, { key, value }) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
}

import { deleteOldChanges, deleteOldHistory } from '../../db/changes/old-changes.ts';
import { deleteOldEvents } from '../../db/outbox/events.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import { serviceActor } from '../call/actor.ts';
import { purgeAudit } from './audit-purge.ts';

/** The days that the settings of retention have if they are missing or not a number of days. */
export const defaultRetentionDays = { events_retention_days: 7, history_retention_days: 365 } as const;

type RetentionKey = keyof typeof defaultRetentionDays;

/** Rows deleted per statement. */
const batchSize = 5_000;

/**
 * Deletes the events and audit records that are older than the settings `events_retention_days` and
 * `audit_retention_days` allow.
 */
export async function purgeTrail({ databases }: { readonly databases: Databases }): Promise<void> {
  const days = await readRetentionDays(databases, 'events_retention_days');
  while ((await deleteOldEvents(databases.primary, days, batchSize)) > 0);
  await purgeAudit({ databases }, serviceActor);
}

/**
 * Deletes the history of issues and conversations that is older than the setting `history_retention_days` allows, and the
 * changes that can no longer be undone for that reason.
 */
export async function purgeHistory({ databases }: { readonly databases: Databases }): Promise<void> {
  const days = await readRetentionDays(databases, 'history_retention_days');
  for (const table of ['issue_history', 'conversation_history'] as const) {
    while ((await deleteOldHistory(databases.primary, table, days, batchSize)) > 0);
  }
  while ((await deleteOldChanges(databases.primary, days, batchSize)) > 0);
}

async function readRetentionDays({ primary }: Databases, key: RetentionKey): Promise<number> {
  const { [key]: value = '' } = await selectSettings(primary, [key]);
  return parseRetentionDays(value) ?? defaultRetentionDays[key];
}

/** Parses a setting of retention, from 1 to 9999 days. Returns undefined for any other value. */
export function parseRetentionDays(value: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(value) ? Number(value) : undefined;
}

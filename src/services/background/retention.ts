import type { Databases } from '../../db/connection/connect.ts';
import { deleteOldEvents } from '../../db/outbox/events.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import { serviceActor } from '../call/actor.ts';
import { purgeAudit } from './audit-purge.ts';

const retentionKey = 'events_retention_days';
/** Used if the setting is missing or not a number of days. */
export const defaultEventRetentionDays = 7;
/** Events deleted per statement. */
const batchSize = 5_000;

/**
 * Deletes the events and audit records that are older than the settings `events_retention_days` (7 by default) and
 * `audit_retention_days` allow.
 */
export async function purgeTrail({ databases }: { readonly databases: Databases }): Promise<void> {
  const { [retentionKey]: value = '' } = await selectSettings(databases.primary, [retentionKey]);
  const days = parseEventRetentionDays(value) ?? defaultEventRetentionDays;
  while ((await deleteOldEvents(databases.primary, days, batchSize)) > 0);
  await purgeAudit({ databases }, serviceActor);
}

/** Parses the setting `events_retention_days`, from 1 to 9999. Returns undefined for any other value. */
export function parseEventRetentionDays(value: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(value) ? Number(value) : undefined;
}

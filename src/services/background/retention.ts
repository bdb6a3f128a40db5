import { deleteOldEvents } from '../../db/tables/events.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import { theService } from '../call/actor.ts';
import type { Services } from '../call/context.ts';
import { purgeAudit } from './audit-purge.ts';

const retentionKey = 'events_retention_days';
/** Where the setting says no number of days. */
export const defaultEventDays = 7;
/** Events in one statement. */
const batchSize = 5_000;

/**
 * Removes the events and the audit records that are older than the settings `events_retention_days` (7 by default) and
 * `audit_retention_days` say.
 */
export async function purgeTrail({ databases }: Pick<Services, 'databases'>): Promise<void> {
  const { [retentionKey]: value = '' } = await selectSettings(databases.primary, [retentionKey]);
  const days = readEventDays(value) ?? defaultEventDays;
  while ((await deleteOldEvents(databases.primary, days, batchSize)) > 0);
  await purgeAudit({ databases }, theService);
}

/** The days that the setting `events_retention_days` says, from 1 to 9999; undefined where it says something else. */
export function readEventDays(value: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(value) ? Number(value) : undefined;
}

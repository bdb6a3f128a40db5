import { deleteOldChanges, deleteOldHistory } from '../../db/changes/changes.ts';
import { deleteOldEvents } from '../../db/outbox/events.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { deleteExpiredAuditRecords, selectAuditRetention } from '../../db/tables/audit.ts';
import { lockOldConversations } from '../../db/tables/conversations/conversations.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import { serviceActor } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';
import { eraseConversations } from '../visitors/visitors.ts';

/** The days that the settings of retention have if they are missing or not a number of days. */
export const defaultRetentionDays = { events_retention_days: 7, history_retention_days: 365 } as const;

/** Rows deleted per transaction: large enough to be fast, small enough not to block other changes for long. */
const batchSize = 5_000;

/**
 * Deletes the events and audit records that are older than the settings `events_retention_days` and
 * `audit_retention_days` allow.
 */
export async function purgeTrail({ databases }: { readonly databases: Databases }): Promise<void> {
  const days = await readRetentionDays(databases, 'events_retention_days');
  while ((await deleteOldEvents(databases.primary, days, batchSize)) > 0);
  await purgeAudit(databases);
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

async function readRetentionDays({ primary }: Databases, key: keyof typeof defaultRetentionDays) {
  const { [key]: value = '' } = await selectSettings(primary, [key]);
  return parseRetentionDays(value) ?? defaultRetentionDays[key];
}

/** Parses a setting of retention, from 1 to 9999 days. Returns undefined for any other value. */
export function parseRetentionDays(value: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(value) ? Number(value) : undefined;
}

/** Not an operation of the registry, because no request runs it. */
const auditPurge = { id: 'audit.purge', changes: ['audit.purged'] } as const;

/**
 * Deletes the audit records that are older than the setting `audit_retention_days` (at least 30), in batches, each of
 * which is recorded too. Without the setting, deletes none.
 */
async function purgeAudit({ primary }: Databases): Promise<void> {
  const change = changesOf(primary, serviceActor, auditPurge);
  for (;;) {
    const deleted = await change(async (tx, record) => {
      const records = await deleteExpiredAuditRecords(tx, batchSize);
      const before = await selectAuditRetention(tx);
      if (records > 0) record({ event: 'audit.purged', id: null, after: { records, before } });
      return records;
    });
    if (deleted < batchSize) return;
  }
}

/** Conversations per transaction: each may have many messages. */
const conversationsAtOnce = 200;

/** Not an operation of the registry, because no request runs it. */
const conversationPurge = {
  id: 'conversations.purge',
  changes: ['link.deleted', 'conversation.deleted'],
} as const;

/**
 * Deletes the resolved and closed conversations that nobody has touched for as many days as the setting
 * `conversation_retention_days` says, in batches. Without the setting, deletes none.
 */
export async function purgeConversations(
  { databases }: { readonly databases: Databases },
  batchSize = conversationsAtOnce,
): Promise<void> {
  const change = changesOf(databases.primary, serviceActor, conversationPurge);
  for (;;) {
    const { conversation_retention_days: value = '' } = await selectSettings(databases.primary, [
      'conversation_retention_days',
    ]);
    const days = parseRetentionDays(value);
    if (days === undefined) return;
    const deleted = await change(async (tx, record) => {
      const old = await lockOldConversations(tx, days, batchSize);
      await eraseConversations(tx, record, old);
      return old.length;
    });
    if (deleted < batchSize) return;
  }
}

import { knownSettings } from '../../src/contract/known-settings/known-settings.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { selectAuditRetention } from '../../src/db/tables/audit.ts';
import { selectSettings } from '../../src/db/tables/settings.ts';
import { defaultRetentionDays, parseRetentionDays } from '../../src/services/background/retention.ts';
import { counted } from '../output/number.ts';
import { type Finding, ok, warning } from './finding.ts';

/** The database keeps audit records at least this long, even if the setting is lower. */
const minAuditDays = 30;

const retentionKeys = knownSettings.filter(({ protects }) => protects === 'retention').map(({ key }) => key);

/** Checks the settings for how long conversations, events, history and audit records are kept. */
export async function checkRetention(db: Database): Promise<Finding> {
  const check = 'retention';
  const settings = await selectSettings(db, retentionKeys);
  const { audit_retention_days: auditDays = '' } = settings;
  const isAuditKept = (await selectAuditRetention(db)) === null;

  const problems: string[] = [];
  if (auditDays !== '' && isAuditKept)
    problems.push('audit_retention_days is not a number of days: all audit records are kept.');
  if (!isAuditKept && Number(auditDays) < minAuditDays)
    problems.push(`audit_retention_days is ${auditDays}, below the minimum: ${minAuditDays} is used.`);
  const days = Object.entries(defaultRetentionDays).map(([key, fallback]) => {
    const value = settings[key] ?? '';
    const parsed = parseRetentionDays(value);
    if (value !== '' && parsed === undefined)
      problems.push(`${key} is not a number of days from 1: ${fallback} is used.`);
    return counted(parsed ?? fallback, 'day');
  });

  const { conversation_retention_days: conversationDays = '' } = settings;
  const isPurged = parseRetentionDays(conversationDays) !== undefined;
  if (conversationDays !== '' && !isPurged)
    problems.push('conversation_retention_days is not a number of days from 1: all conversations are kept.');

  if (problems.length === 0) {
    const [events, history] = days;
    const records = isAuditKept
      ? 'all audit records'
      : `audit records for ${counted(Number(auditDays), 'day')}`;
    const conversations = isPurged
      ? `closed conversations for ${counted(Number(conversationDays), 'day')}, `
      : '';
    return ok(check, `keeps ${conversations}events for ${events}, history for ${history}, and ${records}`);
  }
  const advice =
    'Run `backoffice settings set` with a number of days, such as `backoffice settings set audit_retention_days 365`.';
  return warning(check, problems.join(' '), advice);
}

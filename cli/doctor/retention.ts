import { retentionKeys } from '../../src/contract/operations/settings.ts';
import type { Database } from '../../src/db/connection/pool.ts';
import { selectAuditRetention } from '../../src/db/tables/audit.ts';
import { selectSettings } from '../../src/db/tables/settings.ts';
import {
  defaultEventRetentionDays,
  parseEventRetentionDays,
} from '../../src/services/background/retention.ts';
import { counted } from '../output/number.ts';
import { type Finding, ok, warning } from './finding.ts';

/** The database keeps an audit record for so long at least, whatever the setting says. */
const leastAuditDays = 30;

/** Do the settings say for how long the events and the audit trail are kept, and is it so? */
export async function checkRetention(db: Database): Promise<Finding> {
  const check = 'retention';
  const { audit_retention_days: auditDays = '', events_retention_days: eventDays = '' } =
    await selectSettings(db, retentionKeys);
  const isAuditKept = (await selectAuditRetention(db)) === null;

  const problems: string[] = [];
  if (auditDays !== '' && isAuditKept)
    problems.push(`audit_retention_days is no number of days: every audit record is kept.`);
  if (!isAuditKept && Number(auditDays) < leastAuditDays)
    problems.push(`audit_retention_days is ${auditDays}, and counts as ${leastAuditDays}.`);
  if (eventDays !== '' && parseEventRetentionDays(eventDays) === undefined)
    problems.push(`events_retention_days is no number of days from 1: ${defaultEventRetentionDays} is used.`);

  if (problems.length === 0) {
    const events = counted(parseEventRetentionDays(eventDays) ?? defaultEventRetentionDays, 'day');
    const records = isAuditKept
      ? 'every audit record'
      : `audit records for ${counted(Number(auditDays), 'day')}`;
    return ok(check, `keeps events for ${events}, and ${records}`);
  }
  const mend = `Run backoffice settings set audit_retention_days 365, or as many as are meant; events_retention_days likewise.`;
  return warning(check, problems.join(' '), mend);
}

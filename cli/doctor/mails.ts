import type { Database } from '../../src/db/connection/database.ts';
import { countWaitingMails } from '../../src/db/job-queue/jobs.ts';
import { countFailedMails } from '../../src/db/tables/failed-mails.ts';
import { counted } from '../output/number.ts';
import { type Finding, ok, warning } from './finding.ts';

const check = 'mails';
const advice = 'Check SMTP_URL and the log of the service. What was in the mails is not sent again.';

/** Checks that the mails of the queue are sent. */
export async function checkMails(db: Database): Promise<Finding> {
  const waiting = await countWaitingMails(db);
  const failed = await countFailedMails(db);
  const problems = [
    ...(failed.count === 0
      ? []
      : [`${counted(failed.count, 'mail')} given up in the last week (${failed.error})`]),
    ...(waiting.retried === 0
      ? []
      : [`${counted(waiting.retried, 'mail')} failed and will be tried again (${waiting.last_error})`]),
  ];
  if (problems.length > 0) return warning(check, problems.join('; '), advice);
  return ok(check, waiting.count === 0 ? 'none waiting' : `${waiting.count} waiting`);
}

import type { Database } from '../../db/connection/database.ts';
import { countRows } from '../../db/lists/read-list.ts';
import { auditList, selectAuditAfter } from '../../db/tables/audit.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { answerList, answerNewest, findShort } from '../streaming/list-answer.ts';
import type { HandlersOf } from './handler-types.ts';

/** Records in a page after an id, unless the request has a limit. */
const defaultPageSize = 1_000;

/** Records that one request verifies: about half a second. */
const verifiedAtOnce = 10_000;

export const auditHandlers = {
  'audit.list': async (context, { limit, count, ...filter }) => {
    // The caller's own last change is in the list.
    await context.publisher.catchUp();
    if (filter.after === undefined) {
      return answerList(context, 'audit.list', auditList(filter), { limit, count });
    }
    const read = async (db: Database) => ({
      totals: count ? await countRows(db, auditList(filter)) : {},
      ...(await selectAuditAfter(db, filter, limit ?? defaultPageSize)),
    });
    return answerNewest(context, 'audit', () => findShort(context, filter.q, read), auditList(filter).tables);
  },

  'audit.verify': async ({ db, publisher }, { from, expect }) => {
    // Else the records of the last changes are not there yet.
    await publisher.catchUp();
    return await verifyAudit(db, { from, expected: expect, maxRecords: verifiedAtOnce });
  },
} satisfies HandlersOf<'audit'>;

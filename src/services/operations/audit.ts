import { countRows } from '../../db/lists/read-list.ts';
import { selectVersion } from '../../db/lists/table-versions.ts';
import { auditList, selectAuditAfter } from '../../db/tables/audit.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { answerList, endOfList, findShort, nextPage } from '../streaming/list-answer.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';
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
    return new StreamedJson(
      async (write, { onNext }) => {
        const { totals, rows, next } = await findShort(context, filter.q, async (db) => ({
          totals: count ? await countRows(db, auditList(filter)) : {},
          ...(await selectAuditAfter(db, filter, limit ?? defaultPageSize)),
        }));
        onNext?.(nextPage(next));
        await write(`{"audit":[${rows.join(',')}${endOfList(next, totals)}`);
      },
      { read: () => selectVersion(context.db, auditList(filter).tables), comesWithAnswer: false },
    );
  },

  'audit.verify': async ({ db, publisher }, { from, expect }) => {
    // Else the records of the last changes are not there yet.
    await publisher.catchUp();
    const found = await verifyAudit(db, { from, expected: expect, maxRecords: verifiedAtOnce });
    return { ...found, last: { ...found.last } };
  },
} satisfies HandlersOf<'audit'>;

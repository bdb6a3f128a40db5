import { toCursor } from '../../contract/schemas/lists.ts';
import { auditList, selectAuditAfter } from '../../db/tables/audit.ts';
import { answerList } from '../streaming/list-answer.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';
import type { HandlersOf } from './handler-types.ts';

/** Records in a page after an id, unless the request has a limit. */
const defaultPageSize = 1_000;

export const auditHandlers = {
  'audit.list': async (context, { limit, ...filter }) => {
    if (filter.after === undefined) return answerList(context, 'audit.list', auditList(filter), limit);
    return new StreamedJson(async (write) => {
      const { rows, next } = await selectAuditAfter(context.db, filter, limit ?? defaultPageSize);
      const cursor = next === null ? null : toCursor(next);
      await write(`{"audit":[${rows.join(',')}],"nextCursor":${JSON.stringify(cursor)}}`);
    });
  },
} satisfies HandlersOf<'audit'>;

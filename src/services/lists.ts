import { toCursor } from '../contract/lists.ts';
import { type ListQuery, selectJsonPage, streamJsonList } from '../db/json.ts';
import type { Database } from '../db/pool.ts';
import { StreamedJson } from './streamed-json.ts';

/** The answer of a list: the whole of it as `{"<name>":[…]}`, or with a limit one page and where the next begins. */
export function answerList(
  db: Database,
  name: string,
  query: ListQuery,
  limit: number | undefined,
): StreamedJson {
  return new StreamedJson(async (write) => {
    if (limit === undefined) return await streamJsonList(db, name, query, write);
    const { rows, next } = await selectJsonPage(db, query, limit);
    const cursor = next === null ? null : toCursor(next);
    await write(`{${JSON.stringify(name)}:[${rows.join(',')}],"nextCursor":${JSON.stringify(cursor)}}`);
  });
}

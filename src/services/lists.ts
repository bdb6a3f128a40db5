import { toCursor } from '../contract/lists.ts';
import { type ListQuery, selectJsonPage, streamJsonList } from '../db/json.ts';
import type { Context } from './context.ts';
import { StreamedJson } from './streamed-json.ts';

/** The answer of a list: the whole of it as `{"<name>":[…]}`, or with a limit one page and where the next begins. */
export function answerList(
  { db, longLists }: Pick<Context, 'db' | 'longLists'>,
  name: string,
  query: ListQuery,
  limit: number | undefined,
): StreamedJson {
  return new StreamedJson(async (write) => {
    if (limit === undefined) return await streamJsonList(db, name, query, write, longLists);
    const { rows, next } = await selectJsonPage(db, query, limit);
    const cursor = next === null ? null : toCursor(next);
    await write(`{${JSON.stringify(name)}:[${rows.join(',')}],"nextCursor":${JSON.stringify(cursor)}}`);
  });
}

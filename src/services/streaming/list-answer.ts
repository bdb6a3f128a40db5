import { type ListId, rowsField } from '../../contract/registry.ts';
import { type Position, toCursor } from '../../contract/schemas/lists.ts';
import type { ListQuery } from '../../db/lists/list-query.ts';
import { readList } from '../../db/lists/read-list.ts';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Context } from '../call/context.ts';
import { JsonPieces } from './json-pieces.ts';
import { StreamedJson } from './streamed-json.ts';

/** Answers a list: all of it as `{"<rows>":[…]}`, or with a limit one page and the cursor of the next. */
export function answerList(
  { db, listQueue, actor, signal, log }: Pick<Context, 'db' | 'listQueue' | 'actor' | 'signal' | 'log'>,
  id: ListId,
  query: ListQuery,
  limit: number | undefined,
): StreamedJson {
  const name = rowsField(id);
  return new StreamedJson(async (write, disconnect) => {
    const pieces = new JsonPieces(write);
    const take: TakeRows = (rows) => pieces.rows(rows);
    const disconnectSlow = () => {
      log.warn({ list: name }, 'slow list reader disconnected because others are waiting');
      disconnect();
    };
    pieces.open(`{${JSON.stringify(name)}:[`);
    const next = await readList(db, query, limit, take, (work) =>
      listQueue.run({ actor, signal, disconnect: disconnectSlow }, work),
    );
    await pieces.close(limit === undefined ? ']}' : endOfPage(next));
  });
}

/** Returns the text after the rows of a page: the cursor of the next one. */
export function endOfPage(next: Position | null): string {
  return `],"nextCursor":${JSON.stringify(next === null ? null : toCursor(next))}}`;
}

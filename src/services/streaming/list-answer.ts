import { type ListId, rowsField } from '../../contract/registry.ts';
import { type Position, toCursor } from '../../contract/schemas/lists.ts';
import type { Database } from '../../db/connection/pool.ts';
import type { ListQuery } from '../../db/lists/list-query.ts';
import { readList } from '../../db/lists/read-list.ts';
import type { TakeRows } from '../../shared/streaming.ts';
import type { Actor } from '../call/actor.ts';
import type { Log } from '../call/log.ts';
import { JsonPieces } from './json-pieces.ts';
import type { ListQueue } from './list-queue.ts';
import { StreamedJson } from './streamed-json.ts';

/** What a list needs of its call. */
interface ListCall {
  readonly db: Database;
  readonly listQueue: ListQueue;
  readonly actor: Actor;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Answers a list: all of it as `{"<rows>":[…]}`, or with a limit one page and the cursor of the next. */
export function answerList(
  { db, listQueue, actor, signal, log }: ListCall,
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

import { type Position, toCursor } from '../contract/lists.ts';
import type { ListQuery, Take } from '../db/json.ts';
import { readJsonRows } from '../db/json-rows.ts';
import type { Context } from './context.ts';
import { JsonPieces } from './json-pieces.ts';
import { StreamedJson } from './streamed-json.ts';

/** The answer of a list: the whole of it as `{"<name>":[…]}`, or with a limit one page and where the next begins. */
export function answerList(
  { db, longLists, actor, signal, log }: Pick<Context, 'db' | 'longLists' | 'actor' | 'signal' | 'log'>,
  name: string,
  query: ListQuery,
  limit: number | undefined,
): StreamedJson {
  async function read(take: Take, leave: () => void): Promise<Position | null> {
    const cutOff = () => {
      log.warn({ list: name }, 'a slow reader of a list is cut off, because others wait');
      leave();
    };
    return await readJsonRows(db, query, limit, take, (work) =>
      longLists.run({ actor, signal, cutOff }, work),
    );
  }
  return limit === undefined ? answer(name, read, () => ']}') : answer(name, read, endOfPage);
}

/** The answer of one page: its rows, and where the next begins. */
export function answerPage(
  name: string,
  select: () => Promise<{ rows: readonly string[]; next: Position | null }>,
): StreamedJson {
  async function read(take: Take): Promise<Position | null> {
    const { rows, next } = await select();
    await take(rows);
    return next;
  }
  return answer(name, read, endOfPage);
}

function answer(
  name: string,
  read: (take: Take, cutOff: () => void) => Promise<Position | null>,
  end: (next: Position | null) => string,
): StreamedJson {
  return new StreamedJson(async (write, cutOff) => {
    const pieces = new JsonPieces(write);
    pieces.open(`{${JSON.stringify(name)}:[`);
    const next = await read((rows) => pieces.rows(rows), cutOff);
    await pieces.close(end(next));
  });
}

/** What follows the rows of a page. */
export function endOfPage(next: Position | null): string {
  return `],"nextCursor":${JSON.stringify(next === null ? null : toCursor(next))}}`;
}

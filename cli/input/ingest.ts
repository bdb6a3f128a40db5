import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { maxRequestBytes } from '../access/access.ts';
import { UsageError } from '../errors.ts';
import { counted, grouped } from '../output/number.ts';
import { createProgress } from '../output/progress.ts';
import { remark } from '../terminal.ts';
import { notUtf8 } from './standard-input.ts';

export interface Ingestion<Item, Counts> {
  /** A path, or - for standard input. */
  readonly file: string;
  /** The schema of each line. */
  readonly schema: z.ZodType<unknown, Item>;
  readonly maxItemsPerRequest: number;
  /** Sends the items of some lines. Returns counts of what was recorded. */
  send(items: readonly Item[]): Promise<Counts>;
}

/**
 * Sends JSON lines, one item each, in as few requests as possible. It stops at the first invalid line, after recording all
 * lines before it. Known items are skipped, so the same file may be sent again.
 *
 * @returns the sum of the counts of all requests
 * @throws UsageError for an invalid line, with its number and the reason
 */
export async function ingest<Item, Counts extends Readonly<Record<string, number>>>(
  { file, schema, maxItemsPerRequest, send }: Ingestion<Item, Counts>,
  none: Counts,
): Promise<Counts> {
  const progress = createProgress();
  let counts: Record<string, number> = { ...none };
  let done = 0;
  let batch: Item[] = [];
  let bytes = 0;

  const flush = async (upTo: number) => {
    if (batch.length > 0) {
      const more = await send(batch);
      counts = Object.fromEntries(
        Object.entries(counts).map(([name, count]) => [name, count + (more[name] ?? 0)]),
      );
    }
    [batch, bytes, done] = [[], 0, upTo];
    progress.show({ what: 'lines', done });
  };

  progress.show({ what: 'lines', done });
  let line = 0;
  try {
    for await (const text of linesOf(file)) {
      const size = Buffer.byteLength(text) + 1;
      if (batch.length === maxItemsPerRequest || bytes + size > maxRequestBytes) await flush(line);
      line += 1;
      if (text.trim() === '') continue;
      const { item, wrong } = parse(schema, text);
      if (wrong !== undefined) {
        await flush(line - 1);
        throw new UsageError(`Line ${grouped(line)}: ${wrong}`);
      }
      batch.push(item as Item);
      bytes += size;
    }
    await flush(line);
  } catch (error) {
    progress.end();
    if (done > 0) {
      remark(`Recorded ${counted(done, 'line')}. Send the whole file again. Known items are skipped.`);
    }
    throw error;
  }
  progress.end();
  return counts as Counts;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  if (file === '-' && process.stdin.isTTY === true) {
    throw new UsageError('No input. Name a file of JSON lines, or pipe them to standard input.');
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const piece of file === '-' ? process.stdin : createReadStream(file)) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    rest += decoder.decode();
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw notUtf8(file === '-' ? 'Standard input' : file);
    if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) throw error;
    throw new UsageError(`Cannot read ${file} (${error.code}).`);
  }
  if (rest !== '') yield rest;
}

function parse<Item>(
  schema: z.ZodType<unknown, Item>,
  text: string,
): { item?: Item; wrong?: string | undefined } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { wrong: `Not valid JSON: ${(error as Error).message}.` };
  }
  const result = schema.safeParse(value);
  return result.success ? { item: value as Item } : { wrong: result.error.issues[0]?.message.trim() };
}

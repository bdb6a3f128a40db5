import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { BackofficeError } from '../../src/contract/errors.ts';
import { cleanInput } from '../../src/services/call/validate.ts';
import { errorCode } from '../../src/shared/errors.ts';
import { maxRequestBytes } from '../access/access.ts';
import { UsageError } from '../errors.ts';
import { createProgress } from '../output/progress.ts';
import { remark } from '../terminal/terminal.ts';
import { counted, grouped } from '../terminal/text.ts';
import { notUtf8 } from './standard-input.ts';

export interface Ingestion<Item, Counts> {
  /** A path, or - for standard input. */
  readonly file: string;
  /** The schema of each line. */
  readonly schema: z.ZodType<unknown, Item>;
  readonly maxItemsPerRequest: number;
  /** What the items of a request are called, which its errors start with. */
  readonly name: string;
  /** Sends the items of some lines. Returns counts of what was recorded. */
  send(items: readonly Item[]): Promise<Counts>;
}

interface Line<Item> {
  readonly number: number;
  readonly item: Item;
}

/**
 * Sends JSON lines, one item each, in as few requests as possible. It stops at the first invalid line, after recording all
 * lines before it. Known items are skipped, so the same file may be sent again.
 *
 * @returns the sum of the counts of all requests
 * @throws UsageError for an invalid line, with its number and the reason
 */
export async function ingest<Item, Counts extends Readonly<Record<string, number>>>(
  { file, schema, maxItemsPerRequest, name, send }: Ingestion<Item, Counts>,
  none: Counts,
): Promise<Counts> {
  const progress = createProgress();
  let counts: Record<string, number> = { ...none };
  let done = 0;
  let batch: Line<Item>[] = [];
  let bytes = 0;

  const record = async (lines: readonly Line<Item>[]): Promise<void> => {
    const [first] = lines;
    if (first === undefined) return;
    let more: Counts;
    try {
      more = await send(lines.map(({ item }) => item));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (lines.length === 1) throw wrongLine(first.number, error.message.replace(`${name}[0].`, ''), error);
      // The service refuses a batch as a whole, and not every error names the item.
      const middle = Math.ceil(lines.length / 2);
      await record(lines.slice(0, middle));
      return await record(lines.slice(middle));
    }
    counts = Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, count + (more[name] ?? 0)]),
    );
    done = lines.at(-1)?.number ?? done;
  };
  const flush = async (upTo: number) => {
    await record(batch);
    batch = [];
    bytes = 0;
    done = upTo;
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
        throw wrongLine(line, wrong);
      }
      batch.push({ number: line, item: item as Item });
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

const isRefusal = (error: unknown): error is BackofficeError =>
  error instanceof BackofficeError && ['invalid', 'too_large'].includes(error.code);

const wrongLine = (number: number, reason: string, cause?: unknown) =>
  new UsageError(`Line ${grouped(number)}: ${reason}`, { cause });

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
    const code = errorCode(error);
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw notUtf8(file === '-' ? 'Standard input' : file);
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`Cannot read ${file} (${code}).`);
  }
  if (rest !== '') yield rest;
}

function parse<Item>(
  schema: z.ZodType<unknown, Item>,
  text: string,
): { item?: Item; wrong?: string | undefined } {
  let value: unknown;
  try {
    // As the service does it. JSON that is nested much deeper than it takes could not even be sent.
    value = cleanInput(JSON.parse(text));
  } catch (error) {
    if (error instanceof BackofficeError) return { wrong: error.message };
    return { wrong: `Not valid JSON: ${(error as Error).message}.` };
  }
  const result = schema.safeParse(value);
  return result.success ? { item: value as Item } : { wrong: result.error.issues[0]?.message.trim() };
}

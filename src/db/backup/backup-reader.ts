import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import type { z } from 'zod';
import { BackupError, endOfRows, footer } from './format.ts';

/** Longer than the longest line of JSON: the columns of a table, or all sequences. */
const maxLineBytes = 1_048_576;
const beginning = 'at its beginning';
const lineEnd = 0x0a;
const end = Buffer.from(`${endOfRows}\n`);
const endAfterRow = Buffer.from(`\n${endOfRows}\n`);

/** Reads the lines and rows of a backup in their order, and keeps only what it has not returned yet in memory. */
export class BackupReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #input: Readable;
  readonly #hash = createHash('sha256');
  readonly #gunzip: Gunzip;
  #rest: Buffer = Buffer.alloc(0);
  /** What was read last, for errors. */
  #place = beginning;

  constructor(input: Readable) {
    this.#input = input;
    this.#gunzip = createGunzip({ chunkSize: 262_144 });
    input.once('error', (error) => this.#gunzip.destroy(error));
    // The read that waits fails.
    this.#gunzip.on('error', () => {});
    this.#chunks = input.pipe(this.#gunzip)[Symbol.asyncIterator]();
  }

  /**
   * Reads a line of JSON.
   *
   * @throws BackupError if it is not what the schema describes
   */
  async line<T>(schema: z.ZodType<T>): Promise<T> {
    const line = await this.#takeLine();
    this.#hash.update(line);
    return this.#parse(line, schema);
  }

  /** Says what is read from now on, such as `in the table issues`: an error names it. */
  enter(place: string): void {
    this.#place = place;
  }

  /** Returns the error for a backup that is not as it was written. */
  damaged(reason: string, cause?: unknown): BackupError {
    return new BackupError(`The backup is damaged ${this.#place}: ${reason} Nothing was restored.`, {
      cause,
    });
  }

  /** Reads the rows of a table up to the line that ends them, as they are. */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      // The rest always begins with a line.
      if (this.#startsWith(end)) {
        this.#take(end.length);
        return;
      }
      const found = this.#rest.indexOf(endAfterRow);
      const length = found === -1 ? this.#rest.lastIndexOf(lineEnd) + 1 : found + 1;
      if (length > 0) yield this.#take(length);
      else await this.#more();
    }
  }

  /** @throws BackupError if the file is not complete, or another than was written */
  async checkEnd(): Promise<void> {
    const expected = this.#hash.digest('hex');
    this.enter('at its end');
    const { sha256 } = this.#parse(await this.#takeLine(), footer);
    const { done } = await this.#next();
    if (this.#rest.length > 0 || done !== true) throw this.damaged('there is more than was written.');
    if (sha256 !== expected)
      throw this.damaged('its checksum does not match. Some row is not as it was written.');
  }

  /** Ends the read that waits, with an error. */
  close(): void {
    this.#input.destroy();
    this.#gunzip.destroy(new Error('The backup was closed.'));
  }

  /** A line may not be there in full yet. */
  #startsWith(start: Buffer): boolean {
    return this.#rest.subarray(0, start.length).equals(start);
  }

  /** Takes bytes from the front, as part of what is hashed. */
  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    this.#hash.update(taken);
    return taken;
  }

  async #takeLine(): Promise<Buffer> {
    let length = this.#rest.indexOf(lineEnd) + 1;
    while (length === 0) {
      if (this.#rest.length > maxLineBytes) throw this.damaged('a line is too long.');
      await this.#more();
      length = this.#rest.indexOf(lineEnd) + 1;
    }
    const line = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return line;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#next();
    if (done === true) throw this.#endsEarly();
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
  }

  async #next(): Promise<IteratorResult<Buffer, unknown>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // Errors of the compression; those of the file keep their own text.
      if (code === 'Z_DATA_ERROR') {
        // The first bytes of any other file are no compressed text.
        if (this.#isAtBeginning()) throw notBackup(error);
        throw this.damaged(`byte ${this.#gunzip.bytesWritten} of the file cannot be decompressed.`, error);
      }
      if (code === 'Z_BUF_ERROR') throw this.#endsEarly();
      throw error;
    }
  }

  #isAtBeginning(): boolean {
    return this.#place === beginning;
  }

  #endsEarly(): BackupError {
    return this.damaged(`the file ends after ${this.#gunzip.bytesWritten} bytes, which is too early.`);
  }

  #parse<T>(line: Buffer, schema: z.ZodType<T>): T {
    try {
      return schema.parse(JSON.parse(line.toString('utf8')));
    } catch (error) {
      throw this.#isAtBeginning() ? notBackup(error) : this.damaged('a line is not what was written.', error);
    }
  }
}

const notBackup = (cause: unknown) =>
  new BackupError('The file is not a backup, or it is damaged at its beginning. Nothing was restored.', {
    cause,
  });

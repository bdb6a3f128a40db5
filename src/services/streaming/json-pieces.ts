import type { WriteText } from '../../shared/streaming.ts';

/** Characters. What is shorter is one piece, which is sent with its length; what is long never is a single string. */
const pieceLength = 1024 * 1024;

/** Writes a JSON text with arrays of many rows in it, in pieces of about 1 MB. */
export class JsonPieces {
  readonly #write: WriteText;
  #piece = '';
  #separator = '';

  constructor(write: WriteText) {
    this.#write = write;
  }

  /** Adds what goes up to the rows of an array, its bracket included. */
  open(text: string): void {
    this.#piece += text;
    this.#separator = '';
  }

  /** Adds rows to the array. Resolves when there is room for more, with false when nobody listens any more. */
  async rows(rows: readonly string[]): Promise<boolean> {
    for (const row of rows) {
      this.#piece += this.#separator + row;
      this.#separator = ',';
      if (this.#piece.length < pieceLength) continue;
      const piece = this.#piece;
      this.#piece = '';
      if (!(await this.#write(piece))) return false;
    }
    return true;
  }

  /** Adds what follows the rows, and writes what is left. */
  async close(text: string): Promise<void> {
    await this.#write(this.#piece + text);
  }
}

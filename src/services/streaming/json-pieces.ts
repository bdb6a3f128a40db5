import type { WriteText } from '../../shared/streaming.ts';

/** A shorter answer is one piece and is sent with its length. A longer one is never a single string. */
const firstPieceCharacters = 1024 * 1024;

/** The pieces that follow are smaller: many lists are written at once, and each has some pieces in memory. */
const laterPieceCharacters = 128 * 1024;

/** Writes a text that is in memory. A long one is encoded piece by piece, as its reader takes it. */
export async function writeInPieces(write: WriteText, text: string): Promise<void> {
  let start = 0;
  let length = firstPieceCharacters;
  while (text.length - start > length) {
    // Both halves of a surrogate pair belong to one piece.
    const end = start + length + (isLowSurrogate(text, start + length) ? 1 : 0);
    if (!(await write(text.slice(start, end)))) return;
    start = end;
    length = laterPieceCharacters;
  }
  await write(text.slice(start));
}

function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}

/** Writes JSON text that has arrays of many rows, in pieces of about 128 KB, of which the first is longer. */
export class JsonPieces {
  readonly #write: WriteText;
  #piece = '';
  #separator = '';
  #pieceCharacters = firstPieceCharacters;

  constructor(write: WriteText) {
    this.#write = write;
  }

  /** Adds the text up to the rows of an array, including its opening bracket. */
  open(text: string): void {
    this.#piece += text;
    this.#separator = '';
  }

  /** Adds rows to the array. Resolves when there is room for more, with false when the reader has left. */
  async rows(rows: readonly string[]): Promise<boolean> {
    for (const row of rows) {
      this.#piece += this.#separator + row;
      this.#separator = ',';
      if (this.#piece.length < this.#pieceCharacters) continue;
      const piece = this.#piece;
      this.#piece = '';
      this.#pieceCharacters = laterPieceCharacters;
      if (!(await this.#write(piece))) return false;
    }
    return true;
  }

  /** Adds the text after the rows and writes the rest. */
  async close(text: string): Promise<void> {
    await this.#write(this.#piece + text);
  }
}

import type { WriteText } from '../../shared/streaming.ts';

/** What the door of a call does while an answer is produced, if it does anything. */
export interface Delivery {
  /** Disconnects a reader that is so slow that others wait for it; `write` then resolves with false. */
  readonly disconnect?: () => void;
  /** Learns, before the first piece of a page, which parameters lead to the next one. */
  readonly onNext?: (next: NextPage | null) => void;
  /** Learns, before the first piece, which version the answer has, if its version comes with it. */
  readonly onVersion?: (version: string) => void;
  /** Stops the clock of the call's deadline while the call waits for its turn. The returned function restarts it. */
  readonly pauseDeadline?: PauseDeadline;
}

export type PauseDeadline = () => () => void;

/** The parameters that differ in the request of the next page. */
export type NextPage = Readonly<Record<string, string>>;

/** The version of an answer. */
export interface Version {
  /** Returns a text that changes with every change of the answer, without producing the answer. */
  readonly read: () => Promise<string>;
  /** Whether `produce` tells the version too, because the statement that reads the answer reads it. */
  readonly comesWithAnswer: boolean;
}

/** Writes an answer. */
export type Produce = (write: WriteText, delivery: Delivery) => Promise<void>;

/** An answer that is JSON text, whole or in pieces. The tests check it against its schema, not `execute`. */
export class StreamedJson {
  /** Writes the text piece by piece. Each piece waits until the reader has room. */
  readonly produce: (write: WriteText, delivery?: Delivery) => Promise<void>;
  readonly version: Version | undefined;
  /** The text, if it is there already. */
  readonly whole: string | undefined;

  constructor(produce: Produce | string, version?: Version) {
    this.whole = typeof produce === 'string' ? produce : undefined;
    this.produce = async (write, delivery = {}) =>
      typeof produce === 'string' ? void (await write(produce)) : await produce(write, delivery);
    this.version = version;
  }

  async text(): Promise<string> {
    const pieces: string[] = [];
    await this.produce(async (piece) => pieces.push(piece) > 0);
    return pieces.join('');
  }
}

/** A shorter answer is one piece and is sent with its length. A longer one is never a single string. */
const firstPieceCharacters = 1024 * 1024;

/** The pieces that follow are smaller: many lists are written at once, and each has some pieces in memory. */
const laterPieceCharacters = 128 * 1024;

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

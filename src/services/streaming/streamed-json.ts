import type { WriteText } from '../../shared/streaming.ts';

type Produce = (write: WriteText, disconnect: () => void) => Promise<void>;

/**
 * An answer that is JSON text, whole or in pieces: lists and aggregates, which would cost too much as objects. The
 * tests check it against the operation's schema; `execute` does not.
 */
export class StreamedJson {
  readonly #produce: Produce;

  constructor(produce: Produce) {
    this.#produce = produce;
  }

  /**
   * Writes the text piece by piece. Each piece waits until the reader has room.
   *
   * @param disconnect - disconnects a reader that is so slow that others wait for it; `write` then resolves with false
   */
  async produce(write: WriteText, disconnect: () => void = () => {}): Promise<void> {
    await this.#produce(write, disconnect);
  }

  /** Returns the whole text. */
  async text(): Promise<string> {
    const pieces: string[] = [];
    await this.produce(async (piece) => pieces.push(piece) > 0);
    return pieces.join('');
  }
}

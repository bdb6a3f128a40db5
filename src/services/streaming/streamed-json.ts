import type { WriteText } from '../../shared/streaming.ts';

/**
 * An answer that is JSON text already, or becomes it piece by piece: the lists and aggregates that would cost too
 * much as objects. The tests hold its shape to the operation's schema, as `execute` does for every other answer.
 */
export class StreamedJson {
  readonly #produce: (write: WriteText, cutOff: () => void) => Promise<void>;

  constructor(produce: (write: WriteText, cutOff: () => void) => Promise<void>) {
    this.#produce = produce;
  }

  /**
   * Writes the text, piece by piece; each piece waits until the reader has room.
   *
   * @param cutOff - leaves a reader that takes so long that others wait for it; nobody listens from then on
   */
  async produce(write: WriteText, cutOff: () => void = () => {}): Promise<void> {
    await this.#produce(write, cutOff);
  }

  /** The whole text, for a reader that wants it in one piece. */
  async text(): Promise<string> {
    const pieces: string[] = [];
    await this.produce(async (piece) => pieces.push(piece) > 0);
    return pieces.join('');
  }
}

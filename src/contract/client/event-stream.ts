import { ExpectedError } from '../../shared/errors.ts';
import { within } from '../../shared/waiting.ts';

/** A block of an event stream. Absent fields are undefined. */
export interface StreamBlock {
  readonly id: string | undefined;
  readonly data: string | undefined;
  /** Milliseconds to wait before reconnecting. */
  readonly retry: number | undefined;
}

/** The server sent nothing, not even a heartbeat, for too long. */
export class SilentStreamError extends ExpectedError {
  override readonly name = 'SilentStreamError';
  override readonly message = 'The server stopped sending. The connection seems dead.';
}

/**
 * Reads an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) block by block.
 *
 * @param silenceMs - how long no byte may arrive before the connection counts as dead
 * @throws SilentStreamError
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<StreamBlock, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read(), () => new SilentStreamError());
      if (done) return;
      const blocks = (text + value).split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) yield parseBlock(block);
    }
  } finally {
    // Not awaited: on a dead connection it would never settle.
    reader.cancel().catch(() => {});
  }
}

function parseBlock(block: string): StreamBlock {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    const before = name === 'data' ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const retry = Number(fields.get('retry') ?? Number.NaN);
  return { id: fields.get('id'), data: fields.get('data'), retry: Number.isNaN(retry) ? undefined : retry };
}

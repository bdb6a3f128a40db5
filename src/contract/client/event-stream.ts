/** A block of an event stream; a field that it does not have is undefined. */
export interface StreamBlock {
  readonly id: string | undefined;
  readonly data: string | undefined;
  /** Milliseconds after which to connect again. */
  readonly retry: number | undefined;
}

/** Nothing came for longer than the heartbeats of a live connection are apart. */
export class SilentStreamError extends Error {
  override readonly name = 'SilentStreamError';
  override readonly message = 'The connection has fallen silent.';
}

/**
 * Reads an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html), block by block.
 *
 * @param silence - milliseconds without a byte after which the connection counts as dead
 * @throws SilentStreamError
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  silence: number,
): AsyncGenerator<StreamBlock, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await within(silence, reader.read());
      if (done) return;
      const blocks = (text + value).split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) yield toFrame(block);
    }
  } finally {
    // Not waited for: where the connection is dead, nothing would come of it.
    reader.cancel().catch(() => {});
  }
}

function toFrame(block: string): StreamBlock {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    const before = name === 'data' ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const retry = Number(fields.get('retry') ?? Number.NaN);
  return { id: fields.get('id'), data: fields.get('data'), retry: Number.isNaN(retry) ? undefined : retry };
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new SilentStreamError()), milliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

import { ExpectedError } from '../../shared/errors.ts';
import { createBackoff, wait, within } from '../../shared/waiting.ts';
import type { EventType } from '../event-types.ts';
import type { EventOrGap } from '../events/envelope.ts';
import { type Client, ResponseError } from './typed-client.ts';

export interface FollowOptions {
  readonly types?: readonly EventType[] | undefined;
  /** Only events after this id, starting with past ones; 0 for all that are kept. Without it, only new events. */
  readonly after?: number | undefined;
  readonly signal: AbortSignal;
  /** Called once each connection is established. No event after that is missed. */
  readonly onConnect?: () => void;
  /** Called when an established connection is lost. Reconnecting is automatic. */
  readonly onLost?: (error: unknown) => void;
}

/** Three heartbeats. */
const silenceMs = 45_000;
const minRetryDelayMs = 1_000;
const maxRetryDelayMs = 30_000;

/** Follows the events and reconnects. Throws if the first connection fails, or a later one is refused. */
export function followEvents(
  client: Pick<Client, 'request'>,
  options: FollowOptions,
): AsyncGenerator<EventOrGap, void> {
  const types = options.types?.join(',');
  const open = (after: number | undefined, signal: AbortSignal) =>
    client.request('events.follow', { types, after }, signal);
  return follow(open, isFinal, options);
}

/** Reports whether the same request would fail again. */
function isFinal(error: unknown): boolean {
  return error instanceof ResponseError && error.status < 500 && error.status !== 429;
}

/**
 * Follows the events. Whenever the connection is lost, resumes at the last position, with growing delays. Rejects if the
 * first connection fails, or if a later error is final: it would occur again.
 */
export async function* follow(
  open: (after: number | undefined, signal: AbortSignal) => Promise<Response>,
  isFinal: (error: unknown) => boolean,
  { after, signal, onConnect, onLost }: FollowOptions,
): AsyncGenerator<EventOrGap, void> {
  let position = after;
  const backoff = createBackoff({ firstMs: minRetryDelayMs, maxMs: maxRetryDelayMs });
  let hasOpened = false;
  /** Ends an attempt that a server has accepted and never answers. */
  const openInTime = async (position: number | undefined) => {
    const attempt = new AbortController();
    const opened = open(position, AbortSignal.any([signal, attempt.signal]));
    return await within(silenceMs, opened, () => {
      const error = new SilentStreamError();
      attempt.abort(error);
      return error;
    });
  };
  while (!signal.aborted) {
    let isEstablished = false;
    try {
      const { body } = await openInTime(position);
      if (body === null) throw new Error('The server answered without a stream.');
      hasOpened = true;
      for await (const { id, data, retry } of readEventStream(body, silenceMs)) {
        if (retry !== undefined) backoff.setFirstMs(retry);
        if (id !== undefined) position = Number(id);
        // The server sends its position at once. Without it, a reconnect would start at a later "now" and miss events.
        if (!isEstablished && id !== undefined) {
          isEstablished = true;
          backoff.reset();
          onConnect?.();
        }
        if (data !== undefined) yield JSON.parse(data);
      }
      if (isEstablished) onLost?.(new Error('The server ended the stream.'));
    } catch (error) {
      if (signal.aborted) return;
      if (!hasOpened || isFinal(error)) throw error;
      if (isEstablished) onLost?.(error);
    }
    await wait(backoff.next(), signal);
  }
}

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
 * @throws SilentStreamError if no byte arrives for so long
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

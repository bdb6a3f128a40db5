import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BackofficeError } from '../../contract/errors.ts';
import type { EventFeed, FeedBatch, StreamMessage } from '../../services/events/feed.ts';
import { statusOf } from './problem.ts';
import { writeWithin } from './send.ts';

/** Returns the delay before a client reconnects. It is random, so that not all clients reconnect at once after a restart. */
const reconnectDelayMs = () => 1_000 + Math.floor(Math.random() * 2_000);

/**
 * Sends server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) until the feed ends or the
 * client leaves. At most one batch waits in the socket.
 */
export async function sendEvents(res: ServerResponse, feed: EventFeed): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  if (res.destroyed || res.req.method === 'HEAD') gone.abort();
  openStream(res);
  res.write(retryIn(reconnectDelayMs()));
  for await (const batch of feed.follow(gone.signal)) {
    if (!(await writeWithin(feed.stallTimeoutMs, res, textOf(batch)))) return;
  }
  res.end(retryIn(reconnectDelayMs()));
}

/** The `Retry-After` of errors that have none. */
const defaultRetrySeconds = 5;

/**
 * Reports whether a request comes from an `EventSource` and its error passes. An `EventSource` reconnects after a stream
 * that has ended, and never again after a response that is not a stream.
 */
export function canWait({ method, headers }: IncomingMessage, { code }: BackofficeError): boolean {
  return method === 'GET' && statusOf[code] >= 500 && headers.accept?.includes('text/event-stream') === true;
}

/** Answers with a stream that ends at once, so that an `EventSource` connects again later, after the same event. */
export function answerLater(
  res: ServerResponse,
  { message, retryAfter = defaultRetrySeconds }: BackofficeError,
): void {
  if (res.headersSent) return void res.destroy();
  openStream(res);
  res.end(`: ${message}\n${retryIn(retryAfter * 1_000 + reconnectDelayMs())}`);
}

function openStream(res: ServerResponse): void {
  res.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Without this, nginx buffers events until a page is full.
    'X-Accel-Buffering': 'no',
    // Close the connection after the stream, so that a stopping server has no idle connection to wait for.
    Connection: 'close',
  });
}

function retryIn(delayMs: number): string {
  return `retry: ${delayMs}\n\n`;
}

/**
 * Formats a batch. It ends with the id that the client resumes after, unless the last message has that id. So a client
 * skips the events that it may not receive, and can resume before its first event. An id without data is no event.
 */
function textOf({ messages, position }: FeedBatch): string {
  const heartbeat = messages.at(-1)?.id === position ? '' : `: alive\nid: ${position}\n\n`;
  return messages.map(frameOf).join('') + heartbeat;
}

function frameOf({ id, type, json }: StreamMessage): string {
  return `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
}

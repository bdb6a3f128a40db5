import type { ServerResponse } from 'node:http';
import type { EventFeed, FeedBatch, StreamMessage } from '../services/events/feed.ts';
import { writeInTime } from './responses.ts';

/** Milliseconds after which a client connects again: each its own, so that not all come at once after a restart. */
const retryAfter = () => 1_000 + Math.floor(Math.random() * 2_000);

/**
 * Answers with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) for as long as the
 * feed goes on and the client takes them. What waits in the socket is one portion at most.
 */
export async function sendEvents(res: ServerResponse, feed: EventFeed): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  if (res.destroyed) gone.abort();
  res.writeHead(200, {
    'Content-Type': 'text/event-stream',
    // Nginx would hold events back until it has a page of them.
    'X-Accel-Buffering': 'no',
    // A connection that has served a stream serves nothing else: when the server stops, none is left to wait for.
    Connection: 'close',
  });
  res.write(`retry: ${retryAfter()}\n\n`);
  for await (const portion of feed.follow(gone.signal)) {
    if (!(await writeInTime(res, textOf(portion), feed.stall))) return;
  }
  res.end();
}

/**
 * The last line moves the id that a client resumes after: over events that it is not told, and where there are none,
 * so that it also resumes from a stream that never told it one. An id without data is no event.
 */
function textOf({ messages: told, position }: FeedBatch): string {
  const place = told.at(-1)?.id === position ? '' : `: alive\nid: ${position}\n\n`;
  return told.map(frameOf).join('') + place;
}

function frameOf({ id, type, json }: StreamMessage): string {
  return `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
}

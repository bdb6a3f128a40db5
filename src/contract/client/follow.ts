import type { EventOrGap } from '../operations/events.ts';
import type { EventType } from '../vocabulary.ts';
import { readEventStream } from './event-stream.ts';

export interface FollowOptions {
  /** Only events of these types. */
  readonly types?: readonly EventType[] | undefined;
  /** Events after this id, those of the past first; 0 for all that are kept. Without it, from now on. */
  readonly after?: number | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told when the connection stands, at first and after each loss: what happens from then on is not missed. */
  readonly onConnect?: () => void;
  /** Told when a connection that stood is lost; it is tried again. */
  readonly onLost?: (error: unknown) => void;
}

/** Milliseconds: three heartbeats. */
const silence = 45_000;
const longestPause = 30_000;

/**
 * Follows the events, and goes on where it was after each loss of the connection, with growing pauses between the
 * tries. Rejects when the first connection cannot be made, and when a later one is refused for good.
 *
 * @param open - asks for the stream after an id
 * @param isFinal - whether an error of `open` would come again
 */
export async function* follow(
  open: (after: number | undefined) => Promise<Response>,
  isFinal: (error: unknown) => boolean,
  { after, signal, onConnect, onLost }: FollowOptions,
): AsyncGenerator<EventOrGap, void> {
  let position = after;
  let retry = 1_000;
  let tries = 0;
  let connected = false;
  while (!signal.aborted) {
    let stands = false;
    try {
      const { body } = await open(position);
      if (body === null) throw new Error('The service has answered without a stream.');
      connected = true;
      for await (const frame of readEventStream(body, silence)) {
        retry = frame.retry ?? retry;
        if (frame.id !== undefined) position = Number(frame.id);
        // The service says at once where it begins. Lost before that, "from now on" would begin anew, later.
        if (!stands && frame.id !== undefined) {
          stands = true;
          tries = 0;
          onConnect?.();
        }
        if (frame.data !== undefined) yield JSON.parse(frame.data);
      }
      if (stands) onLost?.(new Error('The service has ended the stream.'));
    } catch (error) {
      if (signal.aborted) return;
      if (!connected || isFinal(error)) throw error;
      if (stands) onLost?.(error);
    }
    await pause(Math.min(retry * 2 ** tries++, longestPause), signal);
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}

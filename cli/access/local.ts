import { userInfo } from 'node:os';
import type { FollowOptions } from '../../src/contract/client/follow.ts';
import type { EventOrGap } from '../../src/contract/events/envelope.ts';
import { type InputOf, type OperationId, operationOf } from '../../src/contract/registry.ts';
import type { Door } from '../../src/contract/vocabulary.ts';
import { localOperator } from '../../src/services/call/actor.ts';
import { Pending } from '../../src/services/call/validate.ts';
import { noDeadline } from '../../src/services/context.ts';
import type { EventFeed } from '../../src/services/events/feed.ts';
import { execute } from '../../src/services/execute.ts';
import type { OpenServices } from '../../src/services/open.ts';
import { StreamedJson } from '../../src/services/streaming/streamed-json.ts';
import { LateError } from '../errors.ts';
import type { Access } from './access.ts';
import { quietLog } from './database.ts';

/** Returns the name of the operating system's user, who runs the commands. */
export function operatorName(): string {
  return userInfo().username;
}

/**
 * Runs operations in this process, as the local operator.
 *
 * @param timeoutMs - the time limit of a request, if it has one
 */
export function localAccess(services: OpenServices, door: Door = 'cli', timeoutMs?: number): Access {
  async function run<Id extends OperationId>(
    id: Id,
    input?: InputOf<Id>,
    signal = noDeadline,
    idempotencyKey?: string,
  ): Promise<unknown> {
    const call = {
      authenticate: async () => localOperator(operatorName(), door),
      // As a server would receive it: without undefined fields.
      readInput: async () => JSON.parse(JSON.stringify(input ?? {})),
      strict: true,
      session: noSession,
      address: '',
      signal,
      log: quietLog,
      idempotencyKey,
    };
    return await execute(operationOf(id), call, services);
  }
  return {
    call: (id, input, idempotencyKey) =>
      inTime(timeoutMs, async ({ signal }) => {
        const output = await run(id, input, signal, idempotencyKey);
        if (output instanceof StreamedJson) return JSON.parse(await output.text());
        return (output instanceof Pending ? output.answer : output) as never;
      }),
    stream: (id, input, write) =>
      inTime(timeoutMs, async ({ signal, start, stop }) => {
        const output = await run(id, input, signal);
        if (!(output instanceof StreamedJson)) return await write(JSON.stringify(output));
        await output.produce(async (text) => {
          if (signal.aborted) return false;
          // The reader of the output may be slow, such as a person in a pager.
          stop();
          await write(text);
          start();
          return true;
        });
      }),
    async *follow({ types, after, ...options }) {
      const feed = await run('events.follow', { types: types?.join(','), after });
      yield* readFeed(feed as EventFeed, options);
    },
  };
}

/** The clock of a request. */
interface Clock {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  start(): void;
  stop(): void;
}

/** Runs work with a running clock. Rejects if the time is over first. */
async function inTime<T>(timeoutMs: number | undefined, work: (clock: Clock) => Promise<T>): Promise<T> {
  if (timeoutMs === undefined) return await work({ signal: noDeadline, start() {}, stop() {} });
  const end = new AbortController();
  const late = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  const start = () => {
    timer = setTimeout(() => {
      const error = new LateError('The database', timeoutMs);
      end.abort(error);
      late.reject(error);
    }, timeoutMs);
  };
  start();
  try {
    return await Promise.race([work({ signal: end.signal, start, stop }), late.promise]);
  } finally {
    stop();
  }
}

/** Yields the events of a feed. The feed reconnects to its database automatically. */
async function* readFeed(
  feed: EventFeed,
  { signal, onConnect, onLost }: FollowOptions,
): AsyncGenerator<EventOrGap> {
  let connected = false;
  for await (const { messages, live } of feed.follow(signal)) {
    if (live && !connected) onConnect?.();
    if (!live && connected) onLost?.(new Error('The database is unavailable.'));
    connected = live;
    for (const { json } of messages) yield JSON.parse(json);
  }
}

const noSession = {
  device: '',
  start: async () => {
    throw new Error('A command has no sign-in session.');
  },
  forget: () => {},
};

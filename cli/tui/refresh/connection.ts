import { createBackoff } from '../../../src/shared/waiting.ts';

export interface Connection {
  readonly state: 'up' | 'lost';
  /** What has happened, in a few words: by default, the connection is lost. */
  readonly what?: string | undefined;
  /** Why it is lost, in one sentence. */
  readonly reason: string;
  /** When the next retry is due. */
  readonly retryAt: number;
  /** Changes arrive as events. Otherwise the dashboard polls for them. */
  readonly live: boolean;
}

export interface ConnectionOptions {
  readonly clock: () => number;
  readonly onChange: (change: Partial<Connection>) => void;
  /** Makes any call that needs the connection. The call reports its result to the watch. */
  readonly retry: () => void;
}

export interface ConnectionWatch {
  /** Reports a call that reached the service. */
  succeeded(): void;
  /** Reports a call that did not reach the service, or that it answers to nobody. */
  failed(reason: string, what?: string): void;
  stop(): void;
}

/** Tracks whether calls reach the service. While they do not, retries with growing delays. */
export function watchConnection({ clock, onChange, retry }: ConnectionOptions): ConnectionWatch {
  const backoff = createBackoff({ firstMs: 1_000, maxMs: 10_000 });
  let timer: NodeJS.Timeout | undefined;
  let isLost = false;
  let isStopped = false;
  return {
    succeeded() {
      if (!isLost) return;
      clearTimeout(timer);
      timer = undefined;
      backoff.reset();
      isLost = false;
      onChange({ state: 'up', reason: '' });
    },
    failed(reason, what) {
      if (isStopped || timer !== undefined) return;
      const delayMs = backoff.next();
      isLost = true;
      timer = setTimeout(() => {
        timer = undefined;
        retry();
      }, delayMs);
      onChange({ state: 'lost', what, reason, retryAt: clock() + delayMs });
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

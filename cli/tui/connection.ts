export interface Connection {
  readonly state: 'up' | 'lost';
  /** Why it is lost, in a sentence. */
  readonly reason: string;
  /** When the next try is due. */
  readonly retryAt: number;
  /** Changes are told as they happen; otherwise they are looked for now and then. */
  readonly live: boolean;
}

export interface ConnectionOptions {
  readonly clock: () => number;
  readonly put: (change: Partial<Connection>) => void;
  /** Tries again, by whatever needs the connection; it tells how that went. */
  readonly retry: () => void;
}

/** What calls tell it of, and what ends it. */
export interface ConnectionWatch {
  works(): void;
  failed(reason: string): void;
  stop(): void;
}

const firstPause = 1_000;
const longestPause = 10_000;

/** Minds whether calls reach the service, and while they do not, has it tried again with growing pauses. */
export function watchConnection({ clock, put, retry }: ConnectionOptions): ConnectionWatch {
  let timer: NodeJS.Timeout | undefined;
  let tries = 0;
  let isLost = false;
  let isStopped = false;
  return {
    works() {
      if (!isLost) return;
      clearTimeout(timer);
      timer = undefined;
      tries = 0;
      isLost = false;
      put({ state: 'up', reason: '' });
    },
    failed(reason) {
      if (isStopped || timer !== undefined) return;
      const pause = Math.min(longestPause, firstPause * 2 ** tries);
      tries += 1;
      isLost = true;
      timer = setTimeout(() => {
        timer = undefined;
        retry();
      }, pause);
      put({ state: 'lost', reason, retryAt: clock() + pause });
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

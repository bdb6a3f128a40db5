import type { App, AppState } from './app.ts';
import type { Store } from './store.ts';

/** How long a message stays that reports no failure. */
const messageMs = 5_000;

/** The message in the footer. */
export interface Messages {
  readonly show: App['showMessage'];
  /** Removes a failure, which stays until the user does something. */
  hideFailure(): void;
  /** Ends the time of the message that is shown. */
  stop(): void;
}

export function createMessages(store: Store<AppState>): Messages {
  let timer: NodeJS.Timeout | undefined;
  return {
    show(text, tone = 'done') {
      clearTimeout(timer);
      store.set({ message: { text, tone } });
      if (tone !== 'failed') timer = setTimeout(() => store.set({ message: null }), messageMs);
    },
    hideFailure() {
      if (store.get().message?.tone === 'failed') store.set({ message: null });
    },
    stop: () => clearTimeout(timer),
  };
}

/** The process that started this one and shares its terminal (`bin/launcher/terminal-guard.js`), if there is one. */
export interface Launcher {
  /** Tells it that the terminal is in use, so that it restores it if this process is killed. */
  take(): void;
  /** Tells it that the terminal is as it was before. */
  leave(): void;
  /** Reports whether it answered. A process of somebody else that started this one would not. */
  isThere(): boolean;
  /** Stops the job of the shell. Resolves when the shell has continued it. */
  stopJob(): Promise<void>;
}

/** @param onGone - runs if the launcher dies, after which the shell has the terminal */
export function findLauncher(onGone: () => void): Launcher {
  let isGuarded = false;
  let resume = () => {};
  const receive = (message: unknown) => {
    if (message === 'guarded') {
      isGuarded = true;
      process.once('disconnect', gone);
    } else if (message === 'continued') resume();
  };
  const gone = () => {
    resume();
    onGone();
  };
  return {
    take() {
      if (process.send === undefined) return;
      process.on('message', receive);
      process.send('taken');
    },
    leave() {
      process.off('message', receive);
      process.off('disconnect', gone);
      if (process.connected) process.send?.('left');
    },
    isThere: () => isGuarded,
    async stopJob() {
      const { promise, resolve } = Promise.withResolvers<void>();
      resume = resolve;
      process.send?.('stop');
      await promise;
    },
  };
}

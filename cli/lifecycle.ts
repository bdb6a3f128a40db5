/** Resolves at the first signal to stop. A second one ends the process at once, as if nothing listened. */
export function untilStopped(): Promise<NodeJS.Signals> {
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      for (const each of signals) process.removeListener(each, stop);
      resolve(signal);
    };
    for (const each of signals) process.on(each, stop);
  });
}

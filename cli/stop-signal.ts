/** Milliseconds in which a signal that comes again is the same: npm passes on the Ctrl-C that the terminal sent too. */
const sameSignal = 1_000;

/** Aborts at the first signal to stop, with its name as the reason. A later one ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const stop = (signal: NodeJS.Signals) => {
    if (!controller.signal.aborted) {
      first = Date.now();
      controller.abort(signal);
    } else if (Date.now() - first > sameSignal) {
      process.removeListener(signal, stop);
      process.kill(process.pid, signal);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return controller.signal;
}

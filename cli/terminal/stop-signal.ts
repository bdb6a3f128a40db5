/** Within this time a second signal counts as the same, because npm also forwards the Ctrl-C that the terminal sends. */
const repeatedSignalMs = 1_000;

/** Returns a signal that aborts on the first SIGINT, SIGTERM or SIGHUP, with its name. A later one ends the process. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  const stop = (signal: NodeJS.Signals) => {
    if (!controller.signal.aborted) {
      firstAt = performance.now();
      controller.abort(signal);
    } else if (performance.now() - firstAt > repeatedSignalMs) {
      process.removeListener(signal, stop);
      process.kill(process.pid, signal);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return controller.signal;
}

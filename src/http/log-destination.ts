import { pino } from 'pino';

/** Above this, lines are dropped: a disk that is full, or a reader that has stopped, must not take all memory. */
const maxWaitingBytes = 4 * 1024 * 1024;

export type LogDestination = ReturnType<typeof pino.destination>;

/**
 * Opens standard error for the log. If it cannot be written, such as on a full disk, the lines wait and the service goes
 * on.
 *
 * @param onLost - called with the number of lines that were dropped, once it can be written again
 */
export function openLogDestination(onLost: (lines: number) => void): LogDestination {
  const destination = pino.destination({
    dest: 2,
    // One write per line would cost as much as the rest of the log. pino writes what is buffered before an exit.
    sync: false,
    minLength: 4_096,
    periodicFlush: 100,
    maxLength: maxWaitingBytes,
  });
  let lost = 0;
  let isFailing = false;
  // Without a listener, an error would end the process. What was not written is tried again with the next flush.
  destination.on('error', () => {
    isFailing = true;
  });
  destination.on('write', () => {
    isFailing = false;
  });
  const flushSync = destination.flushSync.bind(destination);
  // pino calls it at the exit. It would try for ever to write to a full disk.
  destination.flushSync = () => {
    if (!isFailing) flushSync();
  };
  destination.on('drop', () => {
    lost += 1;
  });
  destination.on('drain', () => {
    if (lost === 0) return;
    const lines = lost;
    lost = 0;
    onLost(lines);
  });
  return destination;
}

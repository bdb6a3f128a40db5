import { grouped } from './number.ts';

/** How far one part of a long work is. The first step of a part has nothing done. */
export interface Step {
  readonly what: string;
  readonly done: number;
  /** Absent where only the end will tell. */
  readonly total?: number;
}

/** Where progress is shown: standard error, or a stand-in. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Shows steps as they come. */
export interface Progress {
  show(step: Step): void;
  /** Leaves the last line and goes on below it. */
  end(): void;
}

const millisecondsBetweenDrawings = 100;
const millisecondsBetweenLines = 10_000;
const clearLine = '\r\u001B[K';
const longestBar = 24;
const usualWidth = 80;

/** A line with a bar that is drawn over and over on a terminal; elsewhere a plain line now and then. */
export function createProgress(stream: ProgressStream = process.stderr, clock = Date.now): Progress {
  const pause = stream.isTTY ? millisecondsBetweenDrawings : millisecondsBetweenLines;
  let startedAt = clock();
  let shownAt = startedAt;
  let isLineOpen = false;

  const end = () => {
    if (isLineOpen) stream.write('\n');
    isLineOpen = false;
  };
  return {
    show(step) {
      if (step.total === 0) return;
      const now = clock();
      if (step.done === 0) {
        startedAt = now;
        shownAt = now;
      }
      const isLast = step.total !== undefined && step.done >= step.total;
      if (now - shownAt < pause && !(isLast && stream.isTTY)) return;
      shownAt = now;
      const text = describe(step, (now - startedAt) / 1000);
      if (stream.isTTY) {
        stream.write(clearLine + withBar(step, text, stream.columns));
        isLineOpen = true;
        if (isLast) end();
      } else {
        stream.write(`${text}\n`);
      }
    },
    end,
  };
}

/** `400,000 of 1,000,000 issues, 61,000/s, 10 s left`, or `400,000 issues, 61,000/s` */
function describe({ what, done, total }: Step, seconds: number): string {
  const amount =
    total === undefined ? `${grouped(done)} ${what}` : `${grouped(done)} of ${grouped(total)} ${what}`;
  if (done === 0 || seconds === 0) return amount;
  const rate = `${grouped(Number((done / seconds).toPrecision(2)))}/s`;
  if (total === undefined) return `${amount}, ${rate}`;
  return `${amount}, ${rate}, ${done < total ? `${duration(((total - done) / done) * seconds)} left` : `in ${duration(seconds)}`}`;
}

/** The text behind a bar, where the line has room for one; cut where it has not even room for the text. */
function withBar({ done, total }: Step, text: string, columns: number | undefined): string {
  // A terminal that does not know its width says 0.
  const width = columns === undefined || columns === 0 ? usualWidth : columns;
  // A line that is as wide as the terminal would go on in the next one.
  const room = Math.min(longestBar, width - text.length - 8);
  if (total === undefined || room < 4) return text.slice(0, width - 1);
  const filled = Math.floor((done / total) * room);
  const percent = `${Math.floor((done / total) * 100)}%`.padStart(4);
  return `${'█'.repeat(filled)}${'░'.repeat(room - filled)} ${percent}  ${text}`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

import { grouped } from '../terminal/text.ts';

/** The progress of one part of long work. The first step of a part has `done` 0. */
export interface Step {
  readonly what: string;
  readonly done: number;
  /** Absent if unknown. */
  readonly total?: number;
}

/** Where progress is written: standard error, or a stand-in in tests. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Shows steps as they arrive. */
export interface Progress {
  show(step: Step): void;
  /** Ends the open line, so that other output starts below it. */
  end(): void;
}

const redrawIntervalMs = 100;
const lineIntervalMs = 10_000;
const clearLine = '\r\u001B[K';
const maxBarCells = 24;
const defaultWidth = 80;

/** Draws one line with a bar again and again on a terminal. Elsewhere it writes a plain line every 10 seconds. */
export function createProgress(stream: ProgressStream = process.stderr, clock = Date.now): Progress {
  const intervalMs = stream.isTTY ? redrawIntervalMs : lineIntervalMs;
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
      if (now - shownAt < intervalMs && !(isLast && stream.isTTY)) return;
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

/** Returns `400,000 of 1,000,000 issues, 61,000/s, 10 s left`, or `400,000 issues, 61,000/s`. */
function describe({ what, done, total }: Step, seconds: number): string {
  const amount = `${grouped(done)}${total === undefined ? '' : ` of ${grouped(total)}`} ${what}`;
  if (done === 0 || seconds === 0) return amount;
  const rated = `${amount}, ${grouped(Number((done / seconds).toPrecision(2)))}/s`;
  if (total === undefined) return rated;
  if (done >= total) return `${rated}, in ${duration(seconds)}`;
  return `${rated}, ${duration(((total - done) / done) * seconds)} left`;
}

/** Puts a bar before the text if the line has room for one, and cuts the text if it does not fit. */
function withBar({ done, total }: Step, text: string, columns: number | undefined): string {
  // A terminal that does not know its width reports 0.
  const width = columns === undefined || columns === 0 ? defaultWidth : columns;
  // A line as wide as the terminal would wrap.
  const room = Math.min(maxBarCells, width - text.length - 8);
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

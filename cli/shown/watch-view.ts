import { cut } from '../output/cells.ts';
import { paint } from '../output/colours.ts';
import { printLine, remark } from '../terminal.ts';

/** What a run printed on standard output and as remarks. */
export interface Block {
  readonly text: string;
  readonly remarks: readonly string[];
}

/** Shows what a watched command printed. */
export interface WatchView {
  /** @param pace - how it notices changes: by events, every so many seconds, or not because the server is away */
  show(block: Block, pace: 'live' | 'lost' | number): Promise<void>;
  close(): void;
}

/**
 * Opens the view. A terminal gets a screen of its own, and afterwards shows what it showed before. Elsewhere, each change
 * is printed below the last one.
 */
export function openWatchView(title: string, hasScreen: boolean, onResize: () => void): WatchView {
  return hasScreen ? screenView(title, onResize) : printedView();
}

function printedView(): WatchView {
  let shown: string | undefined;
  return {
    async show({ text, remarks }) {
      if (text === shown) return;
      // A document of JSON is one line. Tables of several lines are kept apart.
      const isApart = shown !== undefined && text.trimEnd().includes('\n');
      shown = text;
      await printLine(`${isApart ? '\n' : ''}${text.replace(/\n$/, '')}`);
      for (const each of remarks) remark(each);
    },
    close: () => {},
  };
}

const open = '\u001B[?1049h\u001B[?25l\u001B[?7l';
const close = '\u001B[?7h\u001B[?25h\u001B[?1049l';

function screenView(title: string, onResize: () => void): WatchView {
  const { stdout } = process;
  const restore = () => stdout.write(close);
  stdout.write(open);
  stdout.on('resize', onResize);
  process.once('exit', restore);
  return {
    async show(block, pace) {
      const lines = frame(title, block, pace, stdout.columns || 80, stdout.rows || 24);
      stdout.write(`\u001B[H${lines.map((line) => `${line}\u001B[K`).join('\r\n')}\u001B[J`);
    },
    close() {
      stdout.off('resize', onResize);
      process.off('exit', restore);
      restore();
    },
  };
}

function frame(
  title: string,
  { text, remarks }: Block,
  pace: 'live' | 'lost' | number,
  columns: number,
  rows: number,
): string[] {
  const how = {
    live: 'Live',
    lost: 'Connection lost. Trying again.',
  };
  const head = `${typeof pace === 'number' ? `Every ${pace} s` : how[pace]} · ${title} · ${new Date().toLocaleTimeString('en-GB')}`;
  const lines = [...text.replace(/\n$/, '').split('\n'), ...remarks.flatMap((each) => each.split('\n'))];
  const room = Math.max(1, rows - 2);
  const shown =
    lines.length <= room
      ? lines
      : [...lines.slice(0, room - 1), paint('dim')(cut(`${lines.length - room + 1} more lines`, columns))];
  return [paint(pace === 'lost' ? 'yellow' : 'dim')(cut(head, columns)), '', ...shown];
}

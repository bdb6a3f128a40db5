import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink';
import type { Access } from '../../../cli/access/access.ts';
import type { App } from '../../../cli/tui/app.ts';
import { Frame } from '../../../cli/tui/components/frame.tsx';
import { createDashboardApp } from '../../../cli/tui/create-app.ts';
import { createKeymap } from '../../../cli/tui/keys/keymap.ts';
import { makeScreens } from '../../../cli/tui/screens/index.ts';

export interface DashboardOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly readOnly?: boolean;
  readonly clock?: () => number;
}

/** The dashboard, drawn in this process. */
export interface Dashboard {
  readonly app: App;
  /** What is seen now, without colours. */
  frame(): string;
  /** The same as the terminal gets it. */
  raw(): string;
  /** Presses keys by their names, `ctrl+s`; writes a text that is longer than a character. */
  press(...keys: readonly string[]): void;
  write(text: string): void;
  shows(pattern: RegExp | string): Promise<string>;
  /** Resolves when nothing of that is seen any more. */
  hides(text: string): Promise<unknown>;
  resize(columns: number, rows: number): void;
  /** How often it was quit. */
  quits(): number;
  close(): void;
}

class FakeOutput extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  rows: number;
  last = '';

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  write(frame: string): boolean {
    this.last = frame;
    this.emit('frame');
    return true;
  }
}

class FakeInput extends EventEmitter {
  readonly isTTY = true;
  read = () => null;
  setRawMode(): void {}
  setEncoding(): void {}
  ref(): void {}
  unref(): void {}
  resume(): void {}
  pause(): void {}
}

const patience = 30_000;

export function openDashboard(access: Pick<Access, 'call'>, options: DashboardOptions = {}): Dashboard {
  const { columns = 80, rows = 24, readOnly = false, clock = Date.now } = options;
  const output = new FakeOutput(columns, rows);
  let quits = 0;
  const app = createDashboardApp(
    {
      access,
      keymap: createKeymap(),
      readOnly,
      where: 'local',
      clock,
      onQuit: () => {
        quits += 1;
      },
      onRedraw: () => {},
    },
    makeScreens,
  );
  const instance = render(<Frame app={app} />, {
    stdout: output as unknown as NodeJS.WriteStream,
    stdin: new FakeInput() as unknown as NodeJS.ReadStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
  });
  app.start();
  const seen = (isSo: (frame: string) => boolean, what: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const frame = dashboard.frame();
        if (!isSo(frame)) return;
        output.off('frame', look);
        clearTimeout(timer);
        resolve(frame);
      };
      const timer = setTimeout(() => {
        output.off('frame', look);
        reject(new Error(`It is not so that it ${what}:\n${dashboard.frame()}`));
      }, patience);
      output.on('frame', look);
      // Not at once: what was just pressed is drawn before.
      queueMicrotask(look);
    });
  const dashboard: Dashboard = {
    app,
    raw: () => output.last,
    frame: () => stripVTControlCharacters(output.last).replace(/\n$/, ''),
    press(...keys) {
      for (const key of keys) app.press(key.length === 1 ? { key, text: key } : { key });
    },
    write(text) {
      for (const character of text)
        app.press({ key: character === ' ' ? 'space' : character, text: character });
    },
    shows: (pattern) =>
      seen(
        (frame) => (typeof pattern === 'string' ? frame.includes(pattern) : pattern.test(frame)),
        `shows ${pattern}`,
      ),
    hides: (text) => seen((frame) => !frame.includes(text), `hides ${text}`),
    resize(width, height) {
      output.columns = width;
      output.rows = height;
      output.emit('resize');
    },
    quits: () => quits,
    close() {
      app.stop();
      instance.unmount();
      instance.cleanup();
    },
  };
  return dashboard;
}

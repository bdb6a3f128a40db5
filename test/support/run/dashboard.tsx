import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink';
import type { Access } from '../../../cli/access/access.ts';
import { Frame } from '../../../cli/tui/components/frame.tsx';
import { createDashboardApp } from '../../../cli/tui/create-app.ts';
import { createKeymap } from '../../../cli/tui/keys/keymap.ts';
import { type PreferenceStore, passingPreferences } from '../../../cli/tui/preferences.ts';
import { makeScreens } from '../../../cli/tui/screens/index.ts';
import { type Host, noHost } from '../../../cli/tui/state/host.ts';
import type { Identity } from '../../../cli/tui/state/identity.ts';

export interface DashboardOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly readOnly?: boolean;
  /** What it works on: `local` by default. */
  readonly target?: string;
  /** Null if the server must be asked. */
  readonly identity?: Identity | null;
  /** By default, its choices end with it. */
  readonly preferences?: PreferenceStore;
  /** What of the machine it reaches. By default, nothing. */
  readonly host?: Partial<Host>;
}

/** The dashboard, drawn in this process. */
export type Dashboard = ReturnType<typeof openDashboard>;

/** A service that never answers. */
export const silentAccess: Pick<Access, 'call'> = { call: () => new Promise(() => {}) };

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

const timeoutMs = 30_000;

export function openDashboard(access: Pick<Access, 'call'>, options: DashboardOptions = {}) {
  const { columns = 80, rows = 24, host, ...others } = options;
  const output = new FakeOutput(columns, rows);
  let quits = 0;
  const app = createDashboardApp(
    {
      access,
      keymap: createKeymap(),
      readOnly: false,
      target: 'local',
      preferences: passingPreferences(),
      clock: Date.now,
      ...others,
      host: { ...noHost, ...host },
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
  const frameThat = (matches: (frame: string) => boolean, expectation: string) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const frame = dashboard.frame();
        if (!matches(frame)) return;
        output.off('frame', check);
        clearTimeout(timer);
        resolve(frame);
      };
      const timer = setTimeout(() => {
        output.off('frame', check);
        reject(new Error(`Expected the dashboard to ${expectation}:\n${dashboard.frame()}`));
      }, timeoutMs);
      output.on('frame', check);
      // Not synchronously: the keys that were just pressed are drawn first.
      queueMicrotask(check);
    });
  const dashboard = {
    app,
    /** Returns the current frame as the terminal receives it. */
    raw: () => output.last,
    /** Returns the current frame without colours. */
    frame: () => stripVTControlCharacters(output.last).replace(/\n$/, ''),
    /** Returns the lines of the current frame. */
    lines: (): string[] => dashboard.frame().split('\n'),
    /** Presses keys by their names, such as `ctrl+s`. */
    press(...keys: readonly string[]) {
      for (const key of keys) app.press(key.length === 1 ? { key, text: key } : { key });
    },
    /** Types a text. */
    write(text: string) {
      for (const character of text)
        app.press({ key: character === ' ' ? 'space' : character, text: character });
    },
    /**
     * Presses keys, whose names have spaces between them, and types the texts in quotes, such as `n "A title" ctrl+s`.
     * Resolves with the frame that then shows the pattern.
     */
    after(keys: string, pattern: RegExp | string): Promise<string> {
      for (const [key, text] of keys.matchAll(/"([^"]*)"|\S+/g)) {
        if (text === undefined) dashboard.press(key);
        else dashboard.write(text);
      }
      return dashboard.shows(pattern);
    },
    /** Resolves with the frame that shows the pattern. Rejects if none does in time. */
    shows: (pattern: RegExp | string) =>
      frameThat(
        (frame) => (typeof pattern === 'string' ? frame.includes(pattern) : pattern.test(frame)),
        `show ${pattern}`,
      ),
    /** Resolves with the frame that does not show the text. Rejects if every frame does. */
    hides: (text: string) => frameThat((frame) => !frame.includes(text), `hide ${text}`),
    resize(width: number, height: number) {
      output.columns = width;
      output.rows = height;
      output.emit('resize');
    },
    /** Returns how many times the user has quit. */
    quits: () => quits,
    close() {
      app.stop();
      instance.unmount();
      instance.cleanup();
    },
  };
  return dashboard;
}

import { stripVTControlCharacters } from 'node:util';
import type { Access } from '../../../cli/access/access.ts';
import type { Identity } from '../../../cli/dashboard/app/identity.ts';
import { memoryPreferences, type PreferenceStore } from '../../../cli/dashboard/app/preferences.ts';
import { createDashboard, type DashboardOptions as Options } from '../../../cli/dashboard/dashboard.ts';
import { frame } from '../../../cli/dashboard/draw/frame.ts';
import type { Host } from '../../../cli/dashboard/terminal/host.ts';

export interface DashboardOptions extends Partial<Pick<Options, 'ownKeys' | 'notify' | 'view' | 'views'>> {
  readonly columns?: number;
  readonly rows?: number;
  readonly isReadOnly?: boolean;
  /** What it works on: `local` by default. */
  readonly target?: string;
  /** Null if the server must be asked. By default, the operator of this machine. */
  readonly identity?: Identity | null;
  /** By default, its choices end with it. */
  readonly preferences?: PreferenceStore;
  /** What of the machine it reaches. By default, nothing. */
  readonly host?: Partial<Host>;
}

/** The dashboard without a terminal: keys go in, and the lines that it would draw come out. */
export type Dashboard = ReturnType<typeof openDashboard>;

/** A service that never answers. */
export const silentAccess = {
  call: () => new Promise(() => {}),
  follow: async function* () {},
} as unknown as Access;

/** A machine without an editor, a clipboard and a browser. */
export const noHost: Host = {
  webUrl: 'http://localhost:3000',
  edit: () => Promise.reject(new Error('There is no editor here.')),
  copy: () => false,
  browse: () => Promise.resolve(false),
  ring: () => {},
  keep: () => Promise.reject(new Error('There is no folder here.')),
};

const operator: Identity = { email: null, role: 'superadmin', isReadOnly: false };
const timeoutMs = 30_000;

export function openDashboard(access: Access, options: DashboardOptions = {}) {
  const { columns = 80, rows = 24, host, identity = operator, ...others } = options;
  let size = { width: columns, height: rows };
  let quits = 0;
  const quit = () => {
    quits += 1;
  };
  const app = createDashboard(
    {
      access,
      isReadOnly: false,
      target: 'local',
      preferences: memoryPreferences(),
      ...others,
      identity,
      host: { ...noHost, ...host },
    },
    { quit, redraw: () => {}, suspend: () => {} },
  );
  app.start();
  const frameThat = (matches: (text: string) => boolean, expectation: string) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const text = dashboard.frame();
        if (!matches(text)) return;
        end();
        clearTimeout(timer);
        resolve(text);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`Expected the dashboard to ${expectation}:\n${dashboard.frame()}`));
      }, timeoutMs);
      const end = app.onChange(check);
      // Not synchronously: what the keys have started may have an answer already.
      setImmediate(check);
    });
  const dashboard = {
    app,
    /** Returns the lines as the terminal receives them. */
    raw: () => frame(app, size).join('\n'),
    /** Returns the lines without colours. What stands beside a list is moved to its column by the terminal. */
    lines: (): string[] => frame(app, size).map((line) => plain(line).trimEnd()),
    frame: () => dashboard.lines().join('\n'),
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
        if (text !== undefined) dashboard.write(text);
        else if (key === 'space') app.press({ key, text: ' ' });
        else dashboard.press(key);
      }
      return dashboard.shows(pattern);
    },
    /** Resolves with the frame that shows the pattern. Rejects if none does in time. */
    shows: (pattern: RegExp | string) =>
      frameThat(
        (text) => (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)),
        `show ${pattern}`,
      ),
    /** Resolves with the frame that does not show the text. Rejects if every frame does. */
    hides: (text: string) => frameThat((shown) => !shown.includes(text), `hide ${text}`),
    resize(width: number, height: number) {
      size = { width, height };
      app.changed();
    },
    /** Returns how many times the user has quit. */
    quits: () => quits,
    close: () => app.stop(),
  };
  return dashboard;
}

const toColumn = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)G`);

/** Draws a move to a column as blanks, as the terminal would. */
function plain(line: string): string {
  const [first = '', ...rest] = line.split(toColumn);
  let text = stripVTControlCharacters(first);
  for (let at = 0; at < rest.length; at += 2)
    text =
      text.slice(0, Number(rest[at]) - 1).padEnd(Number(rest[at]) - 1) +
      stripVTControlCharacters(rest[at + 1] ?? '');
  return text;
}

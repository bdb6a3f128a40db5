import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../../src/contract/client/client.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { runningPid, stoppedServer } from '../../support/postgres/embedded.ts';
import { listenBefore } from '../../support/receivers/listen.ts';
import { keys, type LiveScreen, openScreen, type ScreenOptions } from '../../support/run/screen.ts';
import { backoffice, inTerminal } from '../../support/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Reports whether a process has ended, even if nobody has asked for its exit code yet. */
async function hasEnded(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.includes(') Z');
}

/** Matches a control sequence, which starts with Esc and `[`. */
const inEscape = (pattern: string) => new RegExp(`${keys.esc}\\[${pattern}`);

/** Matches the colours of the text in the high-contrast theme. */
const whiteOnBlack = inEscape('38;2;255;255;255;48;2;0;0;0m');
const blackOnWhite = inEscape('38;2;0;0;0;48;2;255;255;255m');

/** Shell code that writes the line which `expectRestored` looks for. */
const before = "printf 'before\\n';";

/** Expects that the dashboard left the alternate screen and restored the terminal. */
function expectRestored(screen: LiveScreen, settings: string): void {
  expect(screen.raw()).toContain('\u001B[?1049h');
  expect(screen.isAlternate()).toBe(false);
  expect(screen.isCursorHidden()).toBe(false);
  for (const mode of [1000, 1006, 2004])
    expect(screen.raw().lastIndexOf(`\u001B[?${mode}l`)).toBeGreaterThanOrEqual(
      screen.raw().lastIndexOf(`\u001B[?${mode}h`),
    );
  expect(screen.lines()[0]).toBe('before');
  expect(settings).toMatch(/ icanon/);
  expect(settings).toMatch(/ echo /);
}

describe('the dashboard in a terminal', () => {
  let service: TestService;
  let client: Client;
  let screen: LiveScreen;

  beforeAll(async () => {
    service = await startTestService();
    ({ client } = await service.signIn('superadmin', 'grace@example.com'));
    for (let issue = 1; issue <= 40; issue += 1) {
      await client.call('issues.create', {
        title: `Issue number ${issue}`,
        severity: 'High',
        category: 'Payments',
      });
    }
    await client.call('settings.update', { updates: { limits: '{"limit": 4}', site_name: 'Example' } });
  });
  afterAll(() => service.stop());

  const open = async (args: string[] = ['dashboard'], options: ScreenOptions = {}) => {
    const env = { DATABASE_URL: service.databaseUrl, ...options.env };
    screen = await openScreen(args, { ...options, env });
  };

  /** Presses keys. Resolves with the screen that then shows the pattern. */
  const after = async (pressed: readonly string[], pattern: RegExp | string) => {
    await screen.press(...pressed);
    return await screen.shows(pattern);
  };

  /** Resolves when everything has loaded: the rows, their counts and the event stream. */
  const settled = async () => {
    await screen.shows(/❯ +\d+ /);
    await screen.shows(/▸Unsettled \d+/);
    await screen.shows('● live');
  };

  describe('that stays open', () => {
    let folder: string;
    let editor: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'backoffice-test-'));
      editor = join(folder, 'my editor');
      await open([], { env: { VISUAL: `'${editor}' --wait`, EDITOR: 'false' } });
      await settled();
    });
    beforeEach(async () => {
      // By the last row, because the first one may be selected already.
      await after(['1', 'G'], /❯ +1 /);
      await after(['g'], /❯ +40 /);
    });
    afterAll(async () => {
      await screen?.close();
      await rm(folder, { recursive: true, force: true });
    });

    test('opens with a bare `backoffice`, and every key of a screen works', async () => {
      await screen.shows(/❯ +40 +Issue number 40/);
      for (const [key, sign] of [
        ['0', 'Latest activity'],
        ['2', 'By severity'],
        ['3', /No conversations yet\.\s+`backoffice connect` says how/],
        ['4', /site_name +Example/],
        ['5', 'grace@example.com'],
        ['6', 'By model'],
        ['7', 'issue.created'],
        ['1', /❯ +40 /],
      ] as const) {
        await after([key], sign);
        expect(screen.lines()).toHaveLength(24);
        // A frame as tall as the terminal would scroll it.
        expect(screen.lines()[23]).toBe('');
        expect(screen.lines()[0]).toContain('1 Issues');
      }
      await after(['G'], /❯ +1 +Issue number 1 /);
      await after(['g', keys.down, 'j', keys.up], /❯ +39 /);
    });

    test('is drawn again after a resize and keeps its cursor', async () => {
      await after(['j', 'j', 'j'], /❯ +37 /);
      for (const [columns, rows] of [
        [60, 15],
        [200, 50],
        [80, 24],
      ] as const) {
        await screen.resize(columns, rows);
        await screen.shows(new RegExp(`^ 0 Overview *▸1 Issues[^\\n]*\\n─{${columns}}\\n`));
        await screen.shows(/❯ +37 /);
        await expect.poll(() => screen.lines()[rows - 2]).toContain('4 of 40');
      }
    });

    test('repairs the screen at Ctrl-L after another program wrote to it', async () => {
      // Without the ages, which change, and the spaces before them.
      const lines = () => screen.lines().map((line) => line.replace(/ +(now|\d+[mh])$/, ''));
      await after(['j', 'j', 'j'], /❯ +37 /);
      await expect.poll(() => screen.lines()[22]).toContain('4 of 40');
      const drawn = lines();
      await screen.scribble('\n\n\u001B[5;10Hscribbled\u001B[24;1Hand more\n\n');
      await screen.shows('scribbled');
      await screen.press('\u000C');
      await screen.hides(/scribbled|and more/);
      await expect.poll(lines).toEqual(drawn);
    });

    test('says that there is no shell to suspend to', async () => {
      await after([keys.suspend], 'There is no shell to go back to.');
      await after(['j'], /❯ +39 /);
    });

    test('opens texts in the editor of the user, and JSON again with its error at the top', async () => {
      // It notes what it gets, and writes what is next. The last one fails.
      const script = [
        `cd '${folder}'; n=$(ls | grep -c seen); cp "$2" seen$n; stat -c '%a %n' "$2" > file`,
        `[ "$1" = --wait ] && [ -f next$n ] && cp next$n "$2"`,
      ];
      await writeFile(editor, `#!/bin/sh\n${script.join('\n')}\n`, { mode: 0o755 });
      await writeFile(join(folder, 'next0'), '{"limit": 5,}\n');
      await writeFile(join(folder, 'next1'), '{"limit": 5}\n');
      await after(['4'], /limits +\{"limit": 4\}/);
      await after(['g'], /❯ +limits/);
      await after(['E'], /── Value of limits[\s\S]+ {2}\{"limit": 5\}/);
      expect(await readFile(join(folder, 'seen0'), 'utf8')).toBe('{"limit": 4}\n');
      expect(await readFile(join(folder, 'seen1'), 'utf8')).toMatch(
        /^\/\/ This is not valid JSON: .*\n.*save the file unchanged.*\n{"limit": 5,}\n/,
      );
      const [mode, path = ''] = (await readFile(join(folder, 'file'), 'utf8')).trim().split(' ');
      expect(mode).toBe('600');
      expect(path).toMatch(/\.json$/);
      await expect(readFile(path)).rejects.toThrow('ENOENT');
      await after(['\u0018', '\u0005'], '✗ The editor ');
      await screen.shows('{"limit": 5}');
      await after([keys.send], '✓ Saved limits.');
      expect((await client.call('settings.show', { section: 'none' })).settings.limits).toBe('{"limit": 5}');
      await client.call('settings.delete', { key: 'limits' });
    });

    test('takes the mouse', async () => {
      const clicked = (x: number, text: string) => {
        const y = screen.lines().findIndex((line) => line.includes(text)) + 1;
        return `${keys.esc}[<0;${x};${y}M${keys.esc}[<0;${x};${y}m`;
      };
      await after([clicked(20, 'Issue number 36')], /❯ +36 /);
      await after([`${keys.esc}[<65;20;10M`], /❯ +33 /);
      // A report in pieces is no key either.
      await after([`${keys.esc}[<6`, '4;20;10M', 'j'], /❯ +35 /);
      await after(['s'], '── Status of #35');
      await after([clicked(6, '3  Resolved')], /✓ #35 is now Resolved\./);
      await after(['z'], '✓ Put back 1 issue.');
    });

    test('ends when its terminal disappears', async () => {
      const pid = await screen.pid();
      screen.disconnect();
      await expect.poll(() => hasEnded(pid)).toBe(true);
    });
  });

  describe('that is opened and ended', () => {
    afterEach(() => screen.close());

    const openInShell = async (options: ScreenOptions = {}) => {
      await open(['dashboard'], { isShell: true, ...options });
      await screen.shows('shell 1> ');
      await screen.press('run\r');
      await settled();
    };
    /** Expects that the shell has the terminal again. */
    const leftTo = async (prompt: string) => {
      await screen.shows(prompt);
      expect(screen.isAlternate()).toBe(false);
      expect(screen.isCursorHidden()).toBe(false);
      await after(['stty -a\r'], /icanon(?:.|\n)* echo /);
    };

    test('suspends to the shell and goes on, also after SIGSTOP, which nothing can handle', async () => {
      await openInShell();
      await after(['j', 'j', 'j'], /❯ +37 /);
      await screen.press(keys.suspend);
      await leftTo('shell 2> ');
      await after(['fg\r'], /❯ +37 /);
      expect(screen.isAlternate()).toBe(true);
      expect(screen.isCursorHidden()).toBe(true);
      process.kill(await screen.pid(), 'SIGTSTP');
      await leftTo('shell 4> ');
      const { id } = await client.call('issues.create', { title: 'While it was suspended' });
      await after(['fg\r'], /• +\d+ +While it was suspended[\s\S]*❯ +37 /);
      await screen.shows('● live');
      process.kill(await screen.pid(), 'SIGSTOP');
      await screen.shows('shell 6> ');
      await after(['stty sane\r'], 'shell 7> ');
      await screen.press('fg\r');
      await screen.hides('shell 7> ');
      await after(['j'], /❯ +36 /);
      expect(screen.isAlternate()).toBe(true);
      await after(['q'], 'shell 8> ');
      await after(['echo "code $?"\r'], 'code 0');
      await client.call('issues.delete', { id: String(id) });
    });

    test('works through a server', async () => {
      const { secret } = await service.createToken('superadmin');
      await open(['dashboard', '--server', service.url], {
        columns: 140,
        env: { DATABASE_URL: '', BACKOFFICE_TOKEN: secret },
        before,
      });
      await screen.shows(/❯ +40 /);
      await screen.shows('● live');
      expect(screen.lines()[0]).toContain(new URL(service.url).host);
      await client.call('issues.create', { title: 'From elsewhere' });
      await screen.shows(/• +\d+ +From elsewhere[\s\S]*❯ +40 /);
      process.kill(await screen.pid(), 'SIGTERM');
      expect(await screen.ended).toBe(0);
      expectRestored(screen, await screen.settings());
    });

    test('changes to another context without ending', async () => {
      const folder = await temporaryFolder();
      const contextOf = async (role: Role, color?: string) => {
        const { secret } = await service.createToken(role);
        return { server: service.url, token: secret, email: null, color };
      };
      const contexts = { production: await contextOf('superadmin', 'red'), staging: await contextOf('user') };
      await writeFile(join(folder, 'contexts.json'), JSON.stringify({ current: 'production', contexts }));
      await open([], { env: { DATABASE_URL: '', BACKOFFICE_CONFIG: folder } });
      await screen.shows(/^─+ token · superadmin · production ──$/m);
      // The red of the context, below the text.
      expect(screen.raw()).toMatch(inEscape(`48;5;124m${keys.esc}\\[38;5;231m─`));
      await settled();
      await after(['n', 'Half a title'], 'Half a title');
      await screen.press(keys.esc);
      await screen.hides('Half a title');
      await after([':', 'context stag'], `❯ Context: staging (${service.url})`);
      await after([keys.enter], /The new issue is not saved\. Discard it and go to\s+staging\?/);
      await after(['y'], /^─+ token · user · staging ──$/m);
      await after(['7'], '✗ The audit screen: only for superadmins. You are a user.');
    });

    test('without colours, takes only keys that quit while it is too small to show what others would do', async () => {
      const newest = await client.call('issues.list', { limit: 1 });
      await open(['dashboard'], { env: { NO_COLOR: '1', COLORTERM: 'truecolor' } });
      await settled();
      expect(screen.raw()).not.toMatch(inEscape('(3|4|9|10)[0-8][;m]'));
      await screen.resize(30, 10);
      await screen.shows('Too small: 30×10 (min 40×12)');
      await screen.resize(80, 24);
      await screen.shows(/❯ +\d+ /);
      await screen.resize(30, 10);
      await screen.shows('Too small: 30×10');
      // If one of the others acted, `q` would not quit from the dialog that it opens. Growing first would overtake the keys.
      await screen.press(' ', 's', 'r', keys.enter, 'n', 'q');
      expect(await screen.ended).toBe(0);
      expect(await client.call('issues.list', { limit: 1 })).toEqual(newest);
    });

    test('asks the terminal for its background, changes its theme at once, and remembers it', async () => {
      const env = { COLORTERM: 'truecolor', BACKOFFICE_CONFIG: await temporaryFolder() };
      await open(['dashboard'], { env });
      const question = '\u001B]11;?\u0007\u001B[c';
      await expect.poll(() => screen.raw()).toContain(question);
      await screen.press('\u001B]11;rgb:f2f2/ec', 'ec/dcdc\u001B\\\u001B[?62;', '4c');
      await settled();
      // The red of the light theme.
      await expect.poll(() => screen.raw()).toContain('\u001B[38;2;175;0;0m');
      expect(screen.raw().indexOf(question)).toBeLessThan(screen.raw().indexOf('\u001B[?1049h'));
      // The answer was not taken for keys.
      await after(['j'], / 2 of \d+ /);
      expect(screen.raw()).not.toMatch(blackOnWhite);
      await after([':', 'theme'], '❯ Screens: Change the theme');
      await after([keys.enter, '4', keys.enter], '✓ The theme is high-contrast.');
      expect(screen.raw()).toMatch(blackOnWhite);
      await screen.close();
      await open(['dashboard', '--no-mouse', '--view', 'all'], { env });
      await screen.shows(/▸All \d+/);
      expect(screen.raw()).toMatch(whiteOnBlack);
      expect(screen.raw()).not.toContain('\u001B[?1000h');
    });

    test('keeps what is not saved in a file if it is ended by others', async () => {
      const folder = await temporaryFolder();
      await open(['dashboard'], { env: { BACKOFFICE_CONFIG: folder }, before });
      await settled();
      await after(['n', 'Half a title'], 'Half a title');
      await after([keys.esc, '+', 'Half a comment'], 'Half a comment');
      await after([keys.esc, '3', 'n', 'Ada Half'], 'Ada Half');
      await after([keys.esc, '4', 'n', 'half_a_key'], 'half_a_key');
      process.kill(await screen.pid(), 'SIGHUP');
      expect(await screen.ended).toBe(0);
      expectRestored(screen, await screen.settings());
      const said = screen.text().replaceAll('\n', '');
      expect(said).toContain('The new issue is in ');
      expect(said).toMatch(/The comment on #\d+ is in /);
      const kept = join(folder, 'kept-texts');
      const files = (await readdir(kept)).map((file) => readFile(join(kept, file), 'utf8'));
      const texts = (await Promise.all(files)).join();
      for (const text of ['Title: Half a title', 'Half a comment', 'Visitor: Ada Half', 'Key: half_a_key'])
        expect(texts).toContain(`${text}\n`);
    });

    test('with 16 colours, notifies of a new Critical issue, and restores the terminal at Ctrl-C', async () => {
      const env = { TERM: 'xterm', COLORFGBG: '0;15' };
      await open(['dashboard', '--notify', 'desktop'], { env, before });
      await settled();
      expect(screen.raw()).toContain('\u001B[31m');
      expect(screen.raw()).not.toMatch(inEscape('[0-9;]*[34]8;'));
      expect(screen.raw()).not.toContain('\u001B[91m');
      const start = screen.raw().length;
      const { id } = await client.call('issues.create', { title: 'Nobody can pay', severity: 'Critical' });
      const notice = `${keys.esc}]9;Backoffice: Critical issue ${id}: Nobody can pay${keys.bell}`;
      await expect.poll(() => screen.raw().slice(start)).toContain(notice);
      await screen.press('\u0003');
      expect(await screen.ended).toBe(0);
      expectRestored(screen, await screen.settings());
      expect(screen.raw().slice(start).split(keys.bell)).toHaveLength(2);
      await client.call('issues.delete', { id: String(id) });
    });

    test('restores the terminal and shows the error when it crashes', async () => {
      const crash = encodeURIComponent('process.stdin.once("data", () => { throw new Error("It broke.") })');
      await open(['dashboard'], { env: { NODE_OPTIONS: `--import=data:text/javascript,${crash}` }, before });
      await settled();
      await screen.press('x');
      expect(await screen.ended).toBe(1);
      expectRestored(screen, await screen.settings());
      expect(screen.text()).toContain('It broke.');
    });

    test('shows the problem, retries and keeps unsaved text if its database is out of reach', async () => {
      const database = await listenBefore(service.databaseUrl);
      onTestFinished(database.close);
      await open(['dashboard'], { env: { DATABASE_URL: database.url } });
      await settled();
      await screen.press('n', 'Written before');
      await screen.shows('Written before');
      database.cut();
      await screen.shows('✗ Connection lost: The database is unavailable.');
      await screen.press(' and after');
      await screen.shows('Written before and after');
      await screen.press(keys.send);
      // In the form, not in the banner.
      await screen.shows(/Written before and after[\s\S]*^ {2}✗ The database is unavailable/m);
      database.mend();
      await screen.hides('Connection lost');
      await screen.press(keys.send);
      await screen.shows(/❯ . +\d+ +Written before and after/);
      await screen.press('q');
      expect(await screen.ended).toBe(0);
    });

    test('reads keys and a theme from files, and takes the theme of an option before that', async () => {
      const folder = await temporaryFolder();
      const file = join(folder, 'keys.json');
      await writeFile(file, '{"global.quit": ["Z", "f10"]}');
      await writeFile(join(folder, 'preferences.json'), '{"theme": "high-contrast"}');
      await open(['dashboard', '--keys', file, '--theme', 'dark'], {
        env: { COLORTERM: 'truecolor', BACKOFFICE_CONFIG: folder },
      });
      await settled();
      expect(screen.raw()).toMatch(inEscape('38;2;'));
      expect(screen.raw()).not.toMatch(whiteOnBlack);
      await after(['q', '?'], '── Keys');
      await screen.press(keys.esc);
      await screen.hides('── Keys');
      await screen.press('\u001B[21~');
      expect(await screen.ended).toBe(0);
    });
  });

  test('ends before it draws, and says why, if what it is given is wrong', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'one-key-twice.json');
    await writeFile(file, '{"global.quit": "j"}');
    await writeFile(join(folder, 'preferences.json'), '{\n"theme": 1 }');
    const given: [args: string[], env: Record<string, string>, code: number, said: string][] = [
      [
        ['--server', service.url],
        { DATABASE_URL: '' },
        4,
        'backoffice: No valid API token. Run `backoffice login`',
      ],
      [[], { TERM: 'dumb' }, 2, 'The dashboard needs a terminal that can move its cursor'],
      [['--view', 'Nonsense'], {}, 2, 'No view Nonsense. The views are: Unsettled, All.'],
      [['--keys', file], {}, 2, 'j is assigned to both global.quit and list.down.'],
      [[], { BACKOFFICE_CONFIG: folder }, 2, 'preferences.json, line 2: theme is invalid.'],
    ];
    for (const [args, env, code, said] of given) {
      const ended = await inTerminal(['dashboard', ...args], {
        env: { DATABASE_URL: service.databaseUrl, ...env },
      });
      expect(ended.code, said).toBe(code);
      expect(ended.text).toContain(said);
      expect(ended.raw).not.toContain('\u001B[?1049h');
    }
  });
});

describe('with the embedded database, the dashboard', () => {
  let screen: LiveScreen;
  afterEach(() => screen.close());

  test('shows in its footer when the database is back and keeps the screen intact', async () => {
    const data = await stoppedServer();
    const env = { BACKOFFICE_DATA: data };
    expect(await backoffice(['migrate', 'up'], { env })).toMatchObject({ code: 0 });
    screen = await openScreen(['dashboard'], { env });
    await screen.shows('No issues yet.');
    await screen.shows('▸Unsettled 0');
    await screen.shows('● live');
    await screen.shows('? help');
    const before = screen.lines();
    process.kill((await runningPid(data)) ?? expect.fail('No Postgres runs.'), 'SIGINT');
    await screen.shows('· The embedded Postgres is back.');
    await screen.hides('embedded Postgres');
    await screen.shows('● live');
    await screen.hides('Connection lost');
    await expect.poll(() => screen.lines()).toEqual(before);
  });
});

test('without a terminal, the dashboard fails with one line and exit code 2', async () => {
  expect(await backoffice(['dashboard'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'backoffice: The dashboard needs a terminal. Run it in one, or use the other commands (backoffice --help).\n',
  });
});

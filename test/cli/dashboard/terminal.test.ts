import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runningPid, stoppedServer } from '../../support/postgres/embedded.ts';
import { listenBefore } from '../../support/receivers/listen.ts';
import { dashboardHere } from '../../support/run/dashboard-here.ts';
import { keys, type LiveScreen, openScreen, type ScreenOptions } from '../../support/run/screen.ts';
import { backoffice, inTerminal } from '../../support/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Reports whether a process has ended, even if nobody has asked for its exit code yet. */
async function hasEnded(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.includes(') Z');
}

const { esc } = keys;
const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 0x60);
const pasted = (text: string) => `${esc}[200~${text}${esc}[201~`;

/** Shell code that writes the line which `expectRestored` looks for. */
const before = "printf 'before\\n';";

/** Expects that the dashboard left the alternate screen and restored the terminal. */
function expectRestored(screen: LiveScreen, settings: string): void {
  expect(screen.raw()).toContain(`${esc}[?1049h`);
  expect(screen.isAlternate()).toBe(false);
  expect(screen.isCursorHidden()).toBe(false);
  expect(screen.raw().lastIndexOf(`${esc}[?2004l`)).toBeGreaterThan(
    screen.raw().lastIndexOf(`${esc}[?2004h`),
  );
  expect(screen.lines()[0]).toBe('before');
  expect(settings).toMatch(/ icanon/);
  expect(settings).toMatch(/ echo /);
}

/** Returns an environment whose dashboard runs code on SIGUSR2. */
const onSignal = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => { ${code} })`)}`,
});

describe('the dashboard in a terminal', () => {
  const tests = dashboardHere();
  let screen: LiveScreen;

  beforeAll(async () => {
    for (let issue = 1; issue <= 40; issue += 1) {
      await tests.client.call('issues.create', {
        title: `Issue number ${issue}`,
        severity: 'High',
        category: 'Payments',
      });
    }
  });

  const open = async (args: string[] = ['dashboard'], options: ScreenOptions = {}) => {
    const env = { DATABASE_URL: tests.service.databaseUrl, ...options.env };
    screen = await openScreen(args, { ...options, env });
  };

  /** Presses keys. Resolves with the screen that then shows the pattern. */
  const after = async (pressed: readonly string[], pattern: RegExp | string) => {
    await screen.press(...pressed);
    return await screen.shows(pattern);
  };

  /** Leaves a dialog by Esc. The next key must not arrive together with it. */
  const leave = async (dialog: string) => {
    await screen.press(keys.esc);
    await screen.hides(`── ${dialog}`);
  };

  /** Resolves when everything has loaded: the rows, their counts and the event stream. */
  const settled = async () => {
    await screen.shows(/❯ +\d+ /);
    await screen.shows(/Unresolved.* Open \d+/);
    await screen.shows('● live');
  };

  /** Without what time changes: the ages and the marks of changed rows. */
  const lasting = (lines: readonly string[]) =>
    lines.map((line) =>
      line
        .trimEnd()
        .replace(/^(..)•/, '$1 ')
        .replace(/ +(now|\d+(m|h|mo|d))$/, ''),
    );

  /** Expects that the terminal shows, in each cell, what a dashboard without a terminal draws. */
  const showsAll = async (columns: number, rows: number, ...pressed: readonly string[]) => {
    const dashboard = tests.open({ columns, rows });
    if (columns >= 60) {
      await dashboard.shows(/❯ +\d+ /);
      await dashboard.shows(/Unresolved.* Open \d+/);
      await dashboard.shows('● live');
    }
    for (const key of pressed) {
      dashboard.press(key);
      dashboard.raw();
    }
    await expect.poll(() => lasting(screen.lines()).join('\n')).toBe(lasting(dashboard.lines()).join('\n'));
  };

  describe('that stays open', () => {
    let folder: string;
    let editor: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'backoffice-test-'));
      editor = join(folder, 'my editor');
      await open([], {
        env: {
          VISUAL: `'${editor}' --wait`,
          EDITOR: 'false',
          ...onSignal('console.log("From a %s", "library")'),
        },
      });
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

    test('opens with a bare `backoffice`, and draws every line', async () => {
      await screen.shows(/❯ +40 +Issue number 40/);
      await showsAll(80, 24);
      await after(['j'], /❯ +39 /);
      await after([keys.down, 'j', keys.up], /❯ +38 /);
      await showsAll(80, 24, 'j', 'j');
    });

    test('draws every line while it scrolls in both directions', async () => {
      const start = screen.raw().length;
      const pressed = [];
      for (let id = 39; id > 10; id -= 1) {
        pressed.push('j');
        await after(['j'], new RegExp(`❯ +${id} `));
      }
      await showsAll(80, 24, ...pressed);
      for (let id = 12; id < 35; id += 1) {
        pressed.push('k');
        await after(['k'], new RegExp(`❯ +${id} `));
      }
      await showsAll(80, 24, ...pressed);
      // Whole frames would be 40 times 2,000 bytes.
      expect(screen.raw().length - start).toBeLessThan(60_000);
    });

    test('draws every line after a change of its size, and keeps its cursor', async () => {
      await after(['j', 'j', 'j'], /❯ +37 /);
      for (const [columns, rows] of [
        [60, 15],
        [10, 3],
        [200, 50],
        [150, 20],
        [80, 24],
      ] as const) {
        await screen.resize(columns, rows);
        await showsAll(columns, rows, 'j', 'j', 'j');
      }
      // Several at once: only the last one counts.
      for (const columns of [60, 70, 59, 80]) await screen.resize(columns, 24);
      await showsAll(80, 24, 'j', 'j', 'j');
    });

    test('repairs the screen at Ctrl-L after another program wrote to it', async () => {
      await after(['j', 'j', 'j'], /❯ +37 /);
      await screen.scribble(`\n\n${esc}[5;10Hscribbled${esc}[24;1Hand more\n\n`);
      await screen.shows('scribbled');
      await screen.press(ctrl('l'));
      await showsAll(80, 24, 'j', 'j', 'j');
    });

    test('says what a library writes to the console, and keeps its lines', async () => {
      process.kill(await screen.pid(), 'SIGUSR2');
      await screen.shows(/^ · From a library$/m);
      await after(['?'], '── Keys');
      await leave('Keys');
      await showsAll(80, 24);
    });

    test('says that there is no shell to suspend to', async () => {
      await after([keys.suspend], 'There is no shell to go back to.');
      await after(['j'], /❯ +39 /);
    });

    test('takes keys that arrive together, and Esc before another key', async () => {
      await after(['jjj'], /❯ +37 /);
      // Space selects and moves on.
      await after([` ${esc}j`], /❯ +35 [\s\S]* 6 of 40/);
      await after([`/number 7${keys.enter}`], /❯ +37 .*\n +27 /);
      await after([`${esc}`], /❯ +40 /);
    });

    test('keeps a form at an unbound Alt-D, and lets Ctrl-C quit within another key', async () => {
      await after(['n', 'Half'], 'Half');
      await after([`${esc}d`, ' a title'], 'Half a title');
      await after([ctrl('x'), ctrl('c')], 'Not saved: new issue. Quit?');
      await after(['n'], 'Half a title');
      await leave('New issue');
      await after(['S', ctrl('c')], 'Not saved: new issue. Quit?');
      await after(['n', 'n'], 'Half a title');
      await after([ctrl('u')], / ❯ Title *$/m);
      await leave('New issue');
    });

    test('takes what is pasted as one text, and never as keys', async () => {
      await screen.press(pasted(`q${'n'.repeat(2_998)}q`));
      await after(['j'], /❯ +39 /);
      expect(screen.text()).not.toContain('── ');
      const text = `${'x'.repeat(2_990)}\ny\tz\n\u0013q`;
      await writeFile(editor, `#!/bin/sh\ncp "$2" '${folder}/pasted'; printf x > "$2"\n`, { mode: 0o755 });
      await after(['n', '\t\t\t', pasted(text)], /xx\s+y {1,8}z/);
      await after([ctrl('x'), ctrl('e')], / ❯ Description +x *$/m);
      expect((await readFile(join(folder, 'pasted'), 'utf8')).trimEnd()).toBe(text.replace('\u0013', ''));
      await after([ctrl('u')], / ❯ Description *$/m);
      await leave('New issue');
    });

    test('leaves the terminal to the editor, and draws every line after it', async () => {
      const script = [
        `cd '${folder}'; stat -c '%a %n' "$2" > file; printf '${esc}[2J${esc}[5;5HIn the editor'`,
        `until [ -e written ]; do sleep 0.05; done; printf 'A description' > "$2"`,
      ];
      await writeFile(editor, `#!/bin/sh\n${script.join('\n')}\n`, { mode: 0o755 });
      await after(['n', '\t\t\t', ctrl('x'), ctrl('e')], 'In the editor');
      expect(screen.isAlternate()).toBe(false);
      expect(screen.isCursorHidden()).toBe(false);
      const start = screen.raw().length;
      const dashboard = tests.open();
      await dashboard.shows('● live');
      const { id } = await tests.client.call('issues.create', { title: 'During the editor' });
      await dashboard.shows('During the editor');
      expect(screen.raw().slice(start)).toBe('');
      await writeFile(join(folder, 'written'), '');
      await screen.shows('A description');
      await screen.hides('In the editor');
      expect(screen.isAlternate()).toBe(true);
      expect(screen.isCursorHidden()).toBe(true);
      const [mode, path = ''] = (await readFile(join(folder, 'file'), 'utf8')).trim().split(' ');
      expect(mode).toBe('600');
      expect(path).toMatch(/\.md$/);
      await expect(readFile(path)).rejects.toThrow('ENOENT');
      await after([keys.send], 'Title is required');
      await after(['Written', keys.send], /✓ Reported #\d+\./);
      await tests.client.call('issues.delete', { id: `${id},${id + 1}` });
      await showsAll(80, 24);
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
      await screen.press('fg\r');
      await showsAll(80, 24, 'j', 'j', 'j');
      expect(screen.isAlternate()).toBe(true);
      expect(screen.isCursorHidden()).toBe(true);
      process.kill(await screen.pid(), 'SIGTSTP');
      await leftTo('shell 4> ');
      await screen.resize(70, 20);
      const { id } = await tests.client.call('issues.create', { title: 'While it was suspended' });
      await after(['fg\r'], /• +\d+ +While it was suspended[\s\S]*❯ +37 /);
      await tests.client.call('issues.delete', { id: String(id) });
      await screen.hides('While it was suspended');
      await showsAll(70, 20, 'j', 'j', 'j');
      process.kill(await screen.pid(), 'SIGSTOP');
      await screen.shows('shell 6> ');
      await after(['stty sane\r'], 'shell 7> ');
      await screen.press('fg\r');
      await screen.hides('shell 7> ');
      await after(['j'], /❯ +36 /);
      await showsAll(70, 20, 'j', 'j', 'j', 'j');
      expect(screen.isAlternate()).toBe(true);
      await after(['q'], 'shell 8> ');
      await after(['echo "code $?"\r'], 'code 0');
    });

    test('works through a server, with one connection for events also after two SIGCONT', async () => {
      const { secret } = await tests.service.createToken('superadmin');
      await open(['dashboard', '--server', tests.service.url], {
        columns: 140,
        env: { DATABASE_URL: '', BACKOFFICE_TOKEN: secret },
        before,
      });
      await screen.shows(/❯ +40 /);
      await screen.shows('● live');
      expect(screen.lines()[0]).toContain(new URL(tests.service.url).host);
      for (const _ of [1, 2]) process.kill(await screen.pid(), 'SIGCONT');
      const { id } = await tests.client.call('issues.create', { title: 'From elsewhere' });
      await screen.shows(/• +\d+ +From elsewhere[\s\S]*❯ +40 /);
      await tests.client.call('issues.delete', { id: String(id) });
      await screen.hides('From elsewhere');
      await expect.poll(() => tests.service.services.events.followers).toBe(1);
      process.kill(await screen.pid(), 'SIGTERM');
      expect(await screen.ended).toBe(0);
      expectRestored(screen, await screen.settings());
    });

    test('without colours, takes only keys that quit while it is too small to show what others would do', async () => {
      const newest = await tests.client.call('issues.list', { limit: 1 });
      await open(['dashboard'], { env: { NO_COLOR: '1', COLORTERM: 'truecolor' } });
      await settled();
      expect(screen.raw()).not.toMatch(new RegExp(`${esc}\\[(?:[349]|10)[0-8][;m]`));
      await screen.resize(30, 10);
      await screen.shows('Too small: ');
      // If one of the others acted, `q` would not quit from the dialog that it opens. Growing first would overtake the keys.
      await screen.press(' ', 's', 'r', keys.enter, 'n', 'q');
      expect(await screen.ended).toBe(0);
      expect(await tests.client.call('issues.list', { limit: 1 })).toEqual(newest);
    });

    test('uses the 16 colours of the terminal, and remembers the theme', async () => {
      const env = { COLORTERM: 'truecolor', COLORFGBG: '0;15', BACKOFFICE_CONFIG: await temporaryFolder() };
      await open(['dashboard'], { env });
      await settled();
      expect(screen.raw()).not.toMatch(new RegExp(`${esc}\\[[0-9;]*[34]8;`));
      await after([':', 'choose colours'], /❯ .*Choose colours/);
      await after([keys.enter], '── Colours');
      await after(['dark', keys.enter], '● live');
      await screen.hides('── Colours');
      const file = join(env.BACKOFFICE_CONFIG, 'preferences.json');
      await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('"theme": "dark"');
    });

    test('keeps what is not saved in a file if it is ended by others', async () => {
      const folder = await temporaryFolder();
      await open(['dashboard'], { env: { BACKOFFICE_CONFIG: folder }, before });
      await settled();
      await after(['n', 'Half a title'], 'Half a title');
      await leave('New issue');
      await after(['+', 'Half a comment'], 'Half a comment');
      process.kill(await screen.pid(), 'SIGHUP');
      expect(await screen.ended).toBe(0);
      expectRestored(screen, await screen.settings());
      const said = screen.text().replaceAll('\n', '');
      expect(said).toContain('Kept the new issue in ');
      expect(said).toMatch(/Kept the comment on #\d+ in /);
      const kept = join(folder, 'kept-texts');
      const files = (await readdir(kept)).map((file) => readFile(join(kept, file), 'utf8'));
      const texts = (await Promise.all(files)).join();
      for (const text of ['Title:\nHalf a title', 'Half a comment']) expect(texts).toContain(`${text}\n`);
    });

    test('shows what is not saved if no file takes it', async () => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'kept-texts'), 'Not a folder.');
      await open(['dashboard'], { env: { BACKOFFICE_CONFIG: folder }, before });
      await settled();
      await after(['n', 'Half a title'], 'Half a title');
      process.kill(await screen.pid(), 'SIGHUP');
      expect(await screen.ended).toBe(0);
      expect(screen.text()).toMatch(/Cannot keep the new issue: [\s\S]*Half a title/);
    });

    test('copies through tmux, rings for a new Critical issue, and restores the terminal at Ctrl-C', async () => {
      await open(['dashboard', '--notify', 'bell'], { env: { TMUX: '/tmp/tmux,1,0' }, before });
      await settled();
      await after(['y'], '✓ Copied http');
      expect(screen.raw()).toContain(`${esc}Ptmux;${esc}${esc}]52;c;`);
      const start = screen.raw().length;
      const bells = () => screen.raw().slice(start).split(keys.bell).length - 1;
      for (const title of ['Nobody can pay', 'Nobody can sign in']) {
        const { id } = await tests.client.call('issues.create', { title, severity: 'Critical' });
        await screen.shows(title);
        await tests.client.call('issues.delete', { id: String(id) });
        await screen.hides(title);
      }
      await expect.poll(bells).toBe(1);
      await screen.press(ctrl('c'));
      expect(await screen.ended).toBe(0);
      expectRestored(screen, await screen.settings());
      expect(bells()).toBe(1);
    });

    test.each([
      ['a key', 'throw new Error("It broke.")'],
      // What makes the lines of every frame.
      ['the drawing of a screen', 'Array.from = () => { throw new Error("It broke.") }'],
    ])('restores the terminal and shows the error when %s crashes', async (_, code) => {
      await open(['dashboard'], { env: onSignal(code), before });
      await settled();
      process.kill(await screen.pid(), 'SIGUSR2');
      await screen.press('j');
      expect(await screen.ended).toBe(1);
      expectRestored(screen, await screen.settings());
      expect(screen.text()).toContain('It broke.');
    });

    test('shows the problem, retries and keeps unsaved text if its database is out of reach', async () => {
      const database = await listenBefore(tests.service.databaseUrl);
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
      await screen.shows(/Written before and after[\s\S]*^ {3}✗ The database is unavailable/m);
      database.mend();
      await screen.hides('Connection lost');
      await screen.press(keys.send);
      await screen.shows(/❯ . +\d+ +Written before and after/);
      await screen.press('q');
      expect(await screen.ended).toBe(0);
    });

    test('reads keys from a file, and opens a view by any case', async () => {
      const file = join(await temporaryFolder(), 'keys.json');
      await writeFile(file, '{"quit": ["Z", "alt+q"]}');
      await open(['dashboard', '--keys', file, '--view', 'all']);
      await screen.shows(/^ +All /m);
      await after(['q', '?'], '── Keys');
      await leave('Keys');
      await screen.press(`${esc}q`);
      expect(await screen.ended).toBe(0);
    });
  });

  test('ends before it draws, and says why, if what it is given is wrong', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'one-key-twice.json');
    await writeFile(file, '{"quit": "j"}');
    await writeFile(join(folder, 'preferences.json'), '{\n"theme": 1 }');
    const given: [args: string[], env: Record<string, string>, code: number, said: string][] = [
      [
        ['--server', tests.service.url],
        { DATABASE_URL: '' },
        4,
        'backoffice: No valid API token. Run `backoffice login`',
      ],
      [[], { TERM: 'dumb' }, 2, 'The dashboard needs a terminal that can move its cursor'],
      [['--view', 'Nonsense'], {}, 2, 'No view Nonsense.'],
      [['--keys', file], {}, 2, 'one-key-twice.json: j is the key of both'],
      [[], { BACKOFFICE_CONFIG: folder }, 2, 'preferences.json: theme is invalid.'],
    ];
    for (const [args, env, code, said] of given) {
      const ended = await inTerminal(['dashboard', ...args], {
        env: { DATABASE_URL: tests.service.databaseUrl, ...env },
      });
      expect(ended.code, said).toBe(code);
      expect(ended.text).toContain(said);
      expect(ended.raw).not.toContain(`${esc}[?1049h`);
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

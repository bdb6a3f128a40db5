import { sql } from 'slonik';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { cellsOf } from '../../../../cli/terminal/cells.ts';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

describe('the settings screen', () => {
  const tests = dashboardHere();

  const stored = async (key: string) =>
    (await tests.client.call('settings.show', { section: 'none' })).settings[key];
  const store = (updates: Readonly<Record<string, string>>, secret: readonly string[] = []) =>
    tests.client.call('settings.update', { updates, secret });

  /** Opens the screen with the settings that have this text. */
  const openAt = async (text: string, dashboard = tests.open({ columns: 140 })) => {
    await dashboard.after(`4 / "${text}" enter`, new RegExp(`❯ . ${text}`));
    return dashboard;
  };

  test('creates, edits and deletes a setting, and edits it again right after its own save', async () => {
    const dashboard = tests.open();
    await dashboard.after('4', /❯ +accent_color +\(not set\)/);
    await dashboard.after('n "color" tab "blue" ctrl+s', /❯ • color +blue/);
    await dashboard.after('e', '── Value of color');
    await dashboard.after('backspace "ish" ctrl+s', '✓ Saved color.');
    await dashboard.after('e', /── Value of color[\s\S]* bluish/);
    await dashboard.after('"!" ctrl+s', '✓ Saved color.');
    await dashboard.shows(/❯ • color +bluish!/);
    await dashboard.after('D n', /❯ • color/);
    await dashboard.after('D', 'Delete the setting color?');
    await dashboard.after('y', '✓ Deleted color.');
    expect(await stored('color')).toBeUndefined();
  });

  test('deletes no value that somebody else has written meanwhile', async () => {
    await store({ currency: 'EUR' });
    const dashboard = await openAt('currency');
    await dashboard.after('D', 'Delete the setting currency?');
    await store({ currency: 'CHF' });
    await dashboard.after('y', 'currency has another value now');
    expect(await stored('currency')).toBe('CHF');
    await dashboard.shows(/currency +CHF/);
    await dashboard.after('D', 'Delete the setting currency?');
    await dashboard.after('y', '✓ Deleted currency.');
  });

  test('shows what a setting means, also one that is not set, with its details', async () => {
    await store({ currency: 'EUR' });
    const dashboard = await openAt('currency');
    await dashboard.shows(/❯ +currency +EUR +Currency: EUR\./);
    await dashboard.after(
      'enter',
      /── currency ─[\s\S]*Amounts are not converted[\s\S]* UTC by grace@example\.com\./,
    );
    await dashboard.after(
      'esc / ctrl+u "timezone" enter',
      /timezone +\(not set\) +Time zone: not set\. UTC by/,
    );
    await dashboard.after('D', 'The setting timezone is not set.');
  });

  test('shows the time in the time zone, which changes without the setting', async () => {
    await store({ timezone: 'Europe/Berlin' });
    const dashboard = await openAt('timezone', tests.open({ columns: 160 }));
    const before = await dashboard.shows(/where it is \d\d:\d\d now/);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60_000 });
    try {
      await dashboard.app.screen().refresh(true);
      expect(dashboard.frame()).toMatch(/❯ {3}timezone/);
      expect(dashboard.frame().match(/\d\d:\d\d now/)).not.toEqual(before.match(/\d\d:\d\d now/));
    } finally {
      vi.useRealTimers();
    }
  });

  test('asks before it saves a value that the service will ignore', async () => {
    await store({ timezone: 'Europe/Berlin' });
    const dashboard = await openAt('timezone');
    await dashboard.shows(/❯ +timezone +Europe/);
    await dashboard.after('e', '── Value of timezone');
    const question = /The setting timezone must be a zone .* The service will ignore it\. Save it anyway\?/s;
    await dashboard.after('ctrl+u "Mars/Olympus" ctrl+s', question);
    await dashboard.after('n', '✗ The setting timezone must be a zone');
    expect(await stored('timezone')).toBe('Europe/Berlin');
    await dashboard.after('ctrl+s', question);
    await dashboard.after('y', '✓ Saved timezone. Time zone: unreadable, so it counts as not set.');
    expect(await stored('timezone')).toBe('Mars/Olympus');
    await dashboard.after('e', '── Value of timezone');
    await dashboard.after(
      'ctrl+u "UTC" ctrl+s',
      /✓ Saved timezone\. Time zone: UTC, where it is \d\d:\d\d now\./,
    );
  });

  test('asks before it overwrites what somebody else has changed, deleted or made secret', async () => {
    await store({ motto: 'Old' });
    const dashboard = await openAt('motto');
    await dashboard.after('e', '── Value of motto');
    dashboard.write(' mine');
    await store({ motto: 'Theirs' });
    await dashboard.after('ctrl+s', /✗ Changed meanwhile: .*Ctrl-S again replaces it with yours\./s);
    expect(await stored('motto')).toBe('Theirs');
    await tests.client.call('settings.delete', { key: 'motto' });
    await dashboard.after('ctrl+s', '✗ Changed meanwhile: motto is no longer set');
    expect(await stored('motto')).toBeUndefined();
    await dashboard.after('ctrl+s', '✓ Saved motto.');
    expect(await stored('motto')).toBe('Old mine');
    await dashboard.after('e', '── Value of motto');
    dashboard.write('!');
    await store({}, ['motto']);
    await dashboard.after('ctrl+s', '✗ Changed meanwhile: motto is secret now.');
    await dashboard.after('ctrl+s', /❯ . motto +\(secret\)/);
  });

  test('refuses to create a setting that exists, and keeps what was typed', async () => {
    await store({ taken: 'theirs' });
    const dashboard = await openAt('taken');
    await dashboard.after(
      'n "taken" tab "mine" ctrl+s',
      '✗ The setting taken already exists. Edit it instead.',
    );
    await dashboard.after('esc n', /Value +mine/);
    expect(await stored('taken')).toBe('theirs');
  });

  test('shows that a setting is secret, never its value, and replaces that', async () => {
    await store({ a_token: 't0ken' }, ['a_token']);
    const dashboard = await openAt('a_token');
    await dashboard.shows(/❯ +a_token +\(secret\)/);
    await dashboard.after('Y', '✗ The setting a_token is secret: its value is shown to nobody.');
    const form = await dashboard.after('e', 'New value of a_token');
    expect(form).not.toContain('t0ken');
    await dashboard.after('"n3w" ctrl+s', '✓ Saved a_token.');
    await dashboard.shows(/❯ . a_token +\(secret\)/);
    const rows = await tests.service.services.databases.primary.any(
      sql.type(
        z.object({ value: z.string() }),
      )`select setting_value as value from settings where is_secret and setting_key = 'a_token'`,
    );
    const { secretBox } = tests.service.services;
    expect(rows.map(({ value }) => secretBox.open(value, 'setting:a_token'))).toEqual(['n3w']);
  });

  test('opens JSON in the editor once, and shows in the form what is wrong with it', async () => {
    await store({ limits: '{"limit": 4}' });
    const edited: string[] = [];
    const edit = async (text: string, suffix: string) => {
      edited.push(text, suffix);
      return '{"limit": 5,}';
    };
    const dashboard = await openAt('limits', tests.open({ host: { edit } }));
    await dashboard.after('E', /── Value of limits[\s\S]*\{"limit": 5,\}[\s\S]*✗ This is not valid JSON: /);
    expect(edited).toEqual(['{"limit": 4}', '.json']);
    await dashboard.after('left backspace ctrl+s', '✓ Saved limits.');
    expect(await stored('limits')).toBe('{"limit": 5}');
  });

  test('an editor that fails leaves the form open, and says so in it', async () => {
    await store({ limits: '{"limit": 4}' });
    const edit = () => Promise.reject(new Error('The file was empty. The text is unchanged.'));
    const dashboard = await openAt('limits', tests.open({ host: { edit } }));
    await dashboard.after('E', '✗ The file was empty. The text is unchanged.');
    await dashboard.shows(/── Value of limits[\s\S]*\{"limit": 4\}/);
  });

  test('says who may change a protected setting before somebody else tries, and offers no keys for it', async () => {
    await store({ currency: 'EUR', currently: 'free', sign_in_second_factor: 'optional' });
    const user = await tests.service.signIn('user');
    const identity = { email: user.email, role: 'user', isReadOnly: false } as const;
    const dashboard = await openAt(
      'curren',
      tests.openWith(tests.through(user.client), { identity, columns: 120 }),
    );
    await dashboard.shows('2 settings · Only superadmins and admins can change this setting.');
    await dashboard.shows(/n new +/);
    await dashboard.hides(' edit');
    for (const key of ['e', 'E', 'D']) {
      await dashboard.after(key, /✗ Only \w+ and \w+ can .* Your role is user\./);
      dashboard.press('k');
    }
    await dashboard.after('down', /❯ +currently/);
    await dashboard.hides('Only superadmins and admins');
    await dashboard.after('e', 'Value of currently');
    await dashboard.after('esc n', '── New setting');
    await dashboard.after(
      '"history_retention_days" tab "30" ctrl+s',
      /✗ Only \w+ and \w+ can change this setting\. Your role is user\./,
    );
  });

  test('finds as typed what a key or a value contains, colons too, without a call', async () => {
    await store({ homepage: 'https://example.com/a:b', hollow: '' });
    let calls = 0;
    const { access } = tests;
    const call: typeof access.call = (id, input) => {
      if (id === 'settings.show') calls += 1;
      return access.call(id, input);
    };
    const dashboard = tests.openWith({ ...access, call });
    await dashboard.after('4', 'hollow');
    const before = calls;
    await dashboard.after('/ "a:b"', '1 setting');
    expect(dashboard.frame()).toContain('homepage');
    expect(calls).toBe(before);
    await dashboard.after('esc', 'hollow');
  });

  test('draws any key and value harmlessly at every size, and is found by the palette', async () => {
    await store({ 'ev\u001B[31mil\u202E': `日本語 👩‍👩‍👧 \u001B]0;x\u0007${'x'.repeat(300)}` });
    const dashboard = await openAt('ev', tests.open());
    await dashboard.after('enter', /── ev/);
    for (const [width, height] of [
      [60, 15],
      [80, 24],
      [300, 80],
    ] as const) {
      dashboard.resize(width, height);
      for (const harmful of ['\u001B[31mil', '\u202E', '\u0007'])
        expect(dashboard.raw()).not.toContain(harmful);
      expect(Math.max(...dashboard.lines().map(cellsOf))).toBeLessThanOrEqual(width);
    }
    await dashboard.after('esc 1', '▸1 Issues');
    await dashboard.after(': "setting timez"', 'Setting timezone');
    await dashboard.after('enter', /▸4 Settings[\s\S]*❯ +timezone/);
  });
});

import { sql } from 'slonik';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { dashboardHere } from '../../../../support/run/dashboard-here.ts';
import { after, typing } from '../../after-keys.ts';

describe('the settings screen', () => {
  const tests = dashboardHere();

  beforeAll(async () => {
    await tests.client.call('settings.update', { updates: { site_name: 'Example' } });
  });

  /** Opens the screen with the settings whose key has this text. */
  const openAt = (text: string, dashboard = tests.open({ columns: 140 })) => {
    dashboard.press('4', '/');
    dashboard.write(text);
    dashboard.press('enter');
    return dashboard;
  };

  test('adds, edits and deletes a setting', async () => {
    const dashboard = tests.open();
    await after(dashboard, '4', 'site_name');
    dashboard.press('n');
    dashboard.write('color');
    dashboard.press('tab');
    await typing(dashboard, 'blue', 'ctrl+s', /❯ • color +blue/);
    dashboard.press('e', 'backspace');
    await typing(dashboard, 'ish', 'ctrl+s', /❯ • color +bluish/);
    await after(dashboard, 'D', 'Delete the setting color?');
    dashboard.press('enter');
    await dashboard.hides('Delete the setting color?');
    await dashboard.shows(/❯ . color/);
    await after(dashboard, 'D y', '✓ Deleted color.');
  });

  test('warns of a value that the service cannot read, and saves it the second time', async () => {
    const { client } = tests;
    await client.call('settings.update', { updates: { timezone: 'Europe/Berlin' } });
    const dashboard = openAt('timezone');
    await dashboard.shows(/❯ . timezone +Europe/);
    dashboard.press('e', 'ctrl+u');
    await typing(
      dashboard,
      'Mars/Olympus',
      'ctrl+s',
      /✗ The setting timezone must be a zone .* It would count as not set\./,
    );
    const stored = async () => (await client.call('settings.show', { section: 'none' })).settings.timezone;
    expect(await stored()).toBe('Europe/Berlin');
    await after(dashboard, 'ctrl+s', '✓ Saved timezone. Time zone: unreadable, so it counts as not set.');
    expect(await stored()).toBe('Mars/Olympus');
    await after(dashboard, '6', /Time zone +unreadable: The setting timezone must be a zone/);
    dashboard.press('4', 'e', 'ctrl+u');
    await typing(
      dashboard,
      'UTC',
      'ctrl+s',
      /✓ Saved timezone\. Time zone: UTC, where it is \d\d:\d\d now\./,
    );
  });

  test('asks before it overwrites a value that someone else has changed', async () => {
    const { client } = tests;
    await client.call('settings.update', { updates: { motto: 'Old' } });
    const dashboard = openAt('motto');
    await dashboard.shows(/❯ . motto +Old/);
    dashboard.press('e');
    dashboard.write(' mine');
    await client.call('settings.update', { updates: { motto: 'Theirs' } });
    await after(
      dashboard,
      'ctrl+s',
      '✗ The value was changed to “Theirs”. Press Ctrl-S again to overwrite it.',
    );
    const motto = async () => (await client.call('settings.show', { section: 'none' })).settings.motto;
    expect(await motto()).toBe('Theirs');
    // The value changes again, so the next save asks again.
    await client.call('settings.delete', { key: 'motto' });
    await after(dashboard, 'ctrl+s', '✗ This setting was deleted. Press Ctrl-S again to add it back.');
    expect(await motto()).toBeUndefined();
    await after(dashboard, 'ctrl+s', '✓ Saved motto.');
    expect(await motto()).toBe('Old mine');
  });

  test('shows that a setting is secret, never its value, and replaces that', async () => {
    const { client } = tests;
    await client.call('settings.update', { updates: { a_token: 't0ken' }, secret: ['a_token'] });
    const dashboard = openAt('a_token');
    await dashboard.shows(/❯ . a_token +\(secret\)/);
    await after(dashboard, 'Y', '✗ The setting a_token is secret: its value is shown to nobody.');
    await after(dashboard, 'e', 'New value of a_token');
    await dashboard.hides('t0ken');
    await typing(dashboard, 'n3w', 'ctrl+s', '✓ Saved a_token.');
    await dashboard.shows(/❯ . a_token +\(secret\)/);
    const rows = await tests.service.services.databases.primary.any(
      sql.type(z.object({ value: z.string() }))`select setting_value as value from settings where is_secret`,
    );
    const { secretBox } = tests.service.services;
    expect(rows.map(({ value }) => secretBox.open(value, 'setting:a_token'))).toEqual(['n3w']);
  });

  test('says that somebody has made a setting secret meanwhile', async () => {
    const { client } = tests;
    await client.call('settings.update', { updates: { a_key: 'plain' } });
    const dashboard = openAt('a_key');
    await dashboard.shows(/❯ . a_key +plain/);
    dashboard.press('e');
    dashboard.write(' mine');
    await client.call('settings.update', { updates: {}, secret: ['a_key'] });
    await after(
      dashboard,
      'ctrl+s',
      '✗ This setting is secret now. Press Ctrl-S again to replace its value.',
    );
    await after(dashboard, 'ctrl+s', '✓ Saved a_key.');
    await dashboard.shows(/❯ . a_key +\(secret\)/);
  });

  test('says who may change a protected setting before somebody else tries, and offers no keys for it', async () => {
    const { client, service } = tests;
    await client.call('settings.update', {
      updates: { currency: 'EUR', currently: 'free', sign_in_second_factor: 'optional' },
    });
    const user = await service.signIn('user');
    const identity = { email: user.email, role: 'user', isReadOnly: false } as const;
    const options = { identity, columns: 120 };
    const dashboard = openAt('curren', tests.openWith({ call: user.client.call }, options));
    await dashboard.shows('2 settings · Only superadmins and admins can change this setting.');
    await dashboard.shows(/n new +/);
    await dashboard.hides(' edit');
    for (const key of ['e', 'E', 'D']) {
      dashboard.press(key);
      await dashboard.shows('✗ Only superadmins and admins can change this setting.');
    }
    await after(dashboard, 'down', /❯ . currently/);
    await dashboard.hides('Only superadmins and admins');
    await dashboard.shows(/ edit/);
    await after(dashboard, 'e', 'Value of currently');
    dashboard.press('esc');
    dashboard.press('n');
    dashboard.write('history_retention_days');
    dashboard.press('tab');
    await typing(dashboard, '30', 'ctrl+s', '✗ Only superadmins and admins can change this setting.');
  });
});

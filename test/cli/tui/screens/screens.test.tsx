import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localAccess } from '../../../../cli/access/local.ts';
import { cellsOf } from '../../../../cli/output/cells.ts';
import { screenIds } from '../../../../cli/tui/screen-types.ts';
import type { Client } from '../../../../src/contract/client/client.ts';
import { seed } from '../../../../src/services/seed/index.ts';
import { rowsOf, small } from '../../../support/database/seeded.ts';
import { startTestService, type TestService } from '../../../support/http/service.ts';
import {
  type Dashboard,
  type DashboardOptions,
  openDashboard,
} from '../../../support/terminal/dashboard.tsx';

describe('the screens', () => {
  let service: TestService;
  let dashboard: Dashboard;

  beforeAll(async () => {
    service = await startTestService();
    await seed(service.databaseUrl, { ...small, issues: 120, conversations: 30 });
    await service.signIn('superadmin', 'grace@example.com');
    const { client } = await service.signIn('admin', 'ada@example.com');
    await client.call('issues.create', {
      title: 'Evil \u001B[2J title',
      severity: 'Critical',
      description: 'D'.repeat(500),
    });
    await client.call('settings.update', { updates: { wide: '日本語 👩‍👩‍👧 '.repeat(40) } });
  });
  afterEach(() => dashboard.close());
  afterAll(() => service.stop());

  const open = (options?: DashboardOptions) => {
    dashboard = openDashboard(localAccess(service.services, 'tui'), options);
    return dashboard;
  };

  test.each([
    [40, 12],
    [80, 24],
    [100, 30],
    [140, 40],
    [300, 80],
  ])('fit into %i×%i, a row less than the terminal has, whatever is open', async (columns, rows) => {
    open({ columns, rows });
    await dashboard.shows(/❯.{3} *\d+ /);
    const check = (what: string) => {
      const lines = dashboard.frame().split('\n');
      expect(lines.length, what).toBe(rows - 1);
      for (const line of lines) expect(cellsOf(line), `${what}: ${line}`).toBeLessThanOrEqual(columns);
    };
    for (const [at, id] of screenIds.entries()) {
      dashboard.press(String(at + 1));
      await dashboard.shows(`▸${at + 1} `);
      await dashboard.hides('Loading…');
      check(id);
      for (const key of ['enter', ':', '?', 'n', '/']) {
        dashboard.press(key);
        await dashboard.hides('Loading…');
        check(`${id} after ${key}`);
        dashboard.press('esc');
      }
    }
  });

  test('are drawn anew when the terminal gets another size', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.resize(160, 50);
    await dashboard.shows('CATEGORY');
    expect(dashboard.frame().split('\n')).toHaveLength(49);
    dashboard.resize(30, 5);
    await dashboard.shows('30×5 is too small');
    dashboard.resize(80, 24);
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
  });

  test('change the status of several issues at once', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('space', 'space');
    await dashboard.shows('✓ 2 selected');
    dashboard.press('s');
    await dashboard.shows('Status of 2 issues');
    // A number only goes to its option.
    dashboard.press('4');
    await dashboard.shows('❯ 4  Closed');
    dashboard.press('enter');
    await dashboard.shows('✓ 2 issues are Closed.');
    const rows = await rowsOf<{ status: string }>(
      { url: service.databaseUrl, drop: async () => {} },
      'select status from issues order by created_at desc, id desc limit 2',
    );
    expect(rows.map(({ status }) => status)).toEqual(['Closed', 'Closed']);
    const [record] = await rowsOf<{ door: string }>(
      { url: service.databaseUrl, drop: async () => {} },
      "select door from audit_records where operation = 'issues.changeStatus' limit 1",
    );
    expect(record?.door).toBe('tui');
  });

  test('filter as one types, and Esc brings back the others', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('/');
    dashboard.write('severity:critical evil');
    await dashboard.shows('1 issue loaded');
    dashboard.press('enter', 'esc');
    await expect
      .poll(
        () =>
          dashboard
            .frame()
            .split('\n')
            .filter((line) => /^[❯ ].{3} *\d+ /.test(line)).length,
      )
      .toBe(18);
  });

  test('sort by a column and turn the order round', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('o');
    await dashboard.shows('SEVERITY ▾');
    await expect.poll(() => dashboard.frame().split('\n')[4]).toContain('Critical');
    dashboard.press('O');
    await dashboard.shows('SEVERITY ▴');
    dashboard.press('g');
    await expect.poll(() => dashboard.frame().split('\n')[4]).toContain('Low');
  });

  test('show the details of an issue, and what a visitor wrote in it harmlessly', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('enter');
    expect(await dashboard.shows(/Critical · \w+ · Other/)).toContain('  Evil \uFFFD[2J title\n');
    dashboard.press('J', 'J', 'shift+down');
    await dashboard.shows('Steps to reproduce');
    dashboard.press('esc');
    await expect.poll(() => dashboard.frame()).not.toContain('Steps to reproduce');
  });

  test('ask for the details of an issue only while they are seen, and anew when they are again', async () => {
    const access = localAccess(service.services, 'tui');
    const asked: string[] = [];
    dashboard = openDashboard({
      call(id, input) {
        asked.push(id);
        return access.call(id, input);
      },
    });
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    const id = Number(/❯.{3} *(\d+)/.exec(dashboard.frame())?.[1]);
    const { client } = await service.signIn('admin');
    await client.call('issues.changeStatus', { id, status: 'Open' });
    dashboard.press('enter');
    await dashboard.shows('Critical · Open · Other');
    dashboard.press('enter');
    await dashboard.hides('Critical · Open · Other');
    await client.call('issues.changeStatus', { id, status: 'Resolved' });
    asked.length = 0;
    await dashboard.app.screens.issues.refresh();
    expect(asked).toEqual(['issues.list', 'issues.list']);
    dashboard.press('enter');
    await dashboard.shows('Critical · Resolved · Other');
    await client.call('issues.changeStatus', { id, status: 'Open' });
    await dashboard.app.screens.issues.refresh();
    expect(asked.filter((each) => each === 'links.list')).toHaveLength(2);
    await dashboard.shows('Critical · Open · Other');
  });

  test('report an issue', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +Evil/);
    dashboard.press('n');
    dashboard.press('enter');
    dashboard.press('ctrl+s');
    await dashboard.shows('✗ Title is required');
    dashboard.press('shift+tab');
    dashboard.write('From the dashboard');
    dashboard.press('ctrl+s');
    await dashboard.shows(/❯.{3} *\d+ +From the dashboard/);
  });

  test('go through the periods of the charts', async () => {
    open();
    dashboard.press('2');
    await dashboard.shows('Severity over time');
    await dashboard.shows('▸all time');
    dashboard.press('p');
    await dashboard.shows('▸last 24 hours');
    dashboard.press('P', 'P');
    await dashboard.shows('▸last 365 days');
  });

  test('write, edit and remove a setting, by name', async () => {
    open();
    dashboard.press('4');
    await dashboard.shows('site_name');
    dashboard.press('n');
    dashboard.write('color');
    dashboard.press('tab');
    dashboard.write('blue');
    dashboard.press('ctrl+s');
    await dashboard.shows(/❯ • color +blue/);
    dashboard.press('e', 'backspace');
    dashboard.write('ish');
    dashboard.press('ctrl+s');
    await dashboard.shows(/❯ • color +bluish/);
    dashboard.press('D');
    await dashboard.shows('Remove the setting color?');
    dashboard.press('enter');
    await dashboard.hides('Remove the setting color?');
    await dashboard.shows(/❯ . color/);
    dashboard.press('D', 'y');
    await dashboard.shows('✓ Removed color.');
  });

  test('overwrite no value that somebody else saved meanwhile without a word', async () => {
    const { client } = await service.signIn('admin');
    await client.call('settings.update', { updates: { motto: 'Old' } });
    open();
    dashboard.press('4');
    dashboard.press('/');
    dashboard.write('motto');
    dashboard.press('enter');
    await dashboard.shows(/❯ . motto +Old/);
    dashboard.press('e');
    dashboard.write(' mine');
    await client.call('settings.update', { updates: { motto: 'Theirs' } });
    dashboard.press('ctrl+s');
    await dashboard.shows('✗ It was changed to “Theirs” meanwhile: Ctrl-S again overwrites it.');
    const motto = async () => (await client.call('settings.show', { section: 'none' })).settings.motto;
    expect(await motto()).toBe('Theirs');
    // What was told of is not what there is by now.
    await client.call('settings.delete', { key: 'motto' });
    dashboard.press('ctrl+s');
    await dashboard.shows('✗ It was removed meanwhile: Ctrl-S again adds it.');
    expect(await motto()).toBeUndefined();
    dashboard.press('ctrl+s');
    await dashboard.shows('✓ Set motto.');
    expect(await motto()).toBe('Old mine');
  });

  test('create an admin with a hidden password, change it and delete it, by name', async () => {
    open();
    dashboard.press('5');
    await dashboard.shows('grace@example.com');
    dashboard.press('n');
    dashboard.write('eve@example.com');
    dashboard.press('enter', 'enter', 'right', 'enter');
    dashboard.write('correct horse');
    dashboard.press('enter');
    dashboard.write('wrong horse');
    dashboard.press('enter');
    expect(await dashboard.shows('✗ The two passwords are not the same.')).not.toContain('horse');
    dashboard.press('ctrl+u');
    dashboard.write('correct horse');
    dashboard.press('enter');
    await dashboard.shows(/❯ . eve@example\.com +eve +superadmin/);
    dashboard.press('r', '3', 'enter');
    await dashboard.shows(/❯ . eve@example\.com +eve +user/);
    dashboard.press('a');
    await dashboard.shows('Deactivate user eve@example.com?');
    dashboard.press('y');
    await dashboard.shows(/❯ . eve@example\.com +eve +user +✗ no/);
    dashboard.press('D');
    await dashboard.shows(/Delete user eve@example\.com \(admin_\w+\)\?/);
    dashboard.press('y');
    await dashboard.shows('✓ Deleted eve@example.com.');
  });

  test('show the usage and the scraping', async () => {
    open();
    dashboard.press('6');
    await dashboard.shows('▸Tokens and cost');
    await dashboard.shows('Budget');
    dashboard.press('l');
    await dashboard.shows('By source');
    dashboard.press('l');
    await dashboard.shows(/❯ +\w+ +(running|succeeded|failed|cancelled) /);
    const { client } = await service.signIn('admin');
    const run = { run_id: 'just-begun', source: 'news.example.org', pages_succeeded: 1_234 };
    await client.call('scrapingRuns.record', { runs: [run] });
    dashboard.press('ctrl+r');
    await dashboard.shows(/• +now +running +news\.example\.org .* 1,234/);
  });

  describe('of a slow service', () => {
    /** Answers of an operation, held back until the test lets them go, in whatever order. */
    function holding(operation: string) {
      const access = localAccess(service.services, 'tui');
      const held: (() => Promise<void>)[] = [];
      dashboard = openDashboard({
        async call(id, input) {
          const answer = await access.call(id, input);
          if (id === operation) {
            await new Promise<void>((resolve) => {
              held.push(async () => {
                resolve();
                await setImmediate();
              });
            });
          }
          return answer;
        },
      });
      return held;
    }

    test('show nothing of an answer that another has overtaken, also beside their lists', async () => {
      const held = holding('admins.list');
      dashboard.press('5');
      await expect.poll(() => held.length).toBe(1);
      await held[0]?.();
      const before = Number(/(\d+) admins/.exec(await dashboard.shows(/\d+ admins/))?.[1]);
      const looks = [dashboard.app.screens.admins.refresh()];
      await expect.poll(() => held.length).toBe(2);
      await service.signIn('admin', 'late@example.com');
      looks.push(dashboard.app.screens.admins.refresh());
      await expect.poll(() => held.length).toBe(3);
      await held[2]?.();
      await looks[1];
      await held[1]?.();
      await Promise.all(looks);
      dashboard.resize(100, 30);
      expect(await dashboard.shows('late@example.com')).toContain(`${before + 1} admins`);
    });

    test('show no usage that is older than the errors below it', async () => {
      const held = holding('settings.show');
      dashboard.press('6', 'l');
      await expect.poll(() => held.length).toBe(1);
      await held[0]?.();
      await dashboard.shows('By source');
      const looks = [dashboard.app.screens.usage.refresh()];
      await expect.poll(() => held.length).toBe(2);
      const { client } = await service.signIn('admin');
      await client.call('scrapingRuns.record', { runs: [{ run_id: 'late', source: 'late.example.org' }] });
      looks.push(dashboard.app.screens.usage.refresh());
      await expect.poll(() => held.length).toBe(3);
      await held[2]?.();
      await looks[1];
      await held[1]?.();
      await Promise.all(looks);
      dashboard.press('l');
      await dashboard.shows('▸Runs');
      dashboard.press('h');
      expect(await dashboard.shows('▸Scraping')).toContain('late.example.org');
    });
  });

  test('report an issue from a scraping error, and both show it', async () => {
    const { client } = await service.signIn('admin');
    const error = { url: 'https://shop.example.org/page/7', code: 'HTTP_ERROR', http_status: 503 };
    const errors = [
      { ...error, message: 'The shop is closed.' },
      { ...error, message: '', occurred_at: '2026-01-01T00:00:00.000Z' },
    ];
    await client.call('scrapingRuns.record', {
      runs: [{ run_id: 'closed', source: 'shop.example.org', errors }],
    });
    open({ columns: 140, rows: 40 });
    dashboard.press('2');
    await dashboard.shows('Severity over time');
    dashboard.press(':');
    dashboard.write('from the scraping error');
    dashboard.press('enter');
    expect(await dashboard.shows('── Report an issue')).toMatch(
      /❯.* HTTP_ERROR 503 +shop\.example\.org +The shop is closed\./,
    );
    // What nobody wrote is not lost.
    dashboard.press('esc');
    expect(dashboard.app.unsent()).toEqual([]);
    dashboard.press('i', 'ctrl+s');
    await dashboard.shows(/❯.*The shop is closed\..* #\d+ *\n/);
    await dashboard.shows(/→ #\d+ The shop is closed\. +Open/);
    dashboard.press('1');
    await dashboard.shows(/^[❯ ] [• ] *\d+ +The shop is closed\./m);
    dashboard.press('g', 'enter');
    await dashboard.shows('→ scraping error: The shop is closed.');
    await dashboard.shows('https://shop.example.org/page/7');
  });

  test('show who did what', async () => {
    open();
    dashboard.press('7');
    await dashboard.shows(/admin\.created/);
    dashboard.press('enter');
    await dashboard.shows(/Who +(operator|admin)/);
    dashboard.press('esc', '/');
    dashboard.write('event:issue.created');
    await expect.poll(() => dashboard.frame()).not.toContain('admin.created');
  });

  test('run any action by its name', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press(':');
    dashboard.write('add a setting');
    await dashboard.shows('❯ Settings: Add a setting');
    dashboard.press('enter');
    await dashboard.shows('── Add a setting');
    expect(dashboard.app.store.get().screen).toBe('settings');
  });

  test.each([
    ['write a reply', '── Reply to '],
    ['issues: change the status', '── Status of #'],
    ['settings: edit the value', '── Value of '],
    ['admins: change the role', '── Role of '],
  ])('%s, by its name from another screen, minds the row that is loaded then', async (name, title) => {
    open();
    dashboard.press('2');
    await dashboard.shows('Severity over time');
    dashboard.press(':');
    dashboard.write(name);
    dashboard.press('enter');
    await dashboard.shows(title);
  });

  test('leave what was asked for where somebody has gone on before it could be done', async () => {
    const access = localAccess(service.services, 'tui');
    const answers: Promise<unknown>[] = [];
    dashboard = openDashboard({
      call(id, input) {
        const answer = access.call(id, input);
        answers.push(answer);
        return answer;
      },
    });
    dashboard.press('2');
    await dashboard.shows('Severity over time');
    dashboard.app.run('talk.reply');
    dashboard.press('4');
    await dashboard.shows('site_name');
    // Whoever is back before the conversations have come still wants the reply.
    await Promise.all(answers);
    await setImmediate();
    dashboard.press('3');
    await dashboard.shows(/❯.{8} *\S/);
    expect(dashboard.app.store.get().dialogs).toEqual([]);
  });

  test('change nothing when they are read-only', async () => {
    open({ readOnly: true });
    await dashboard.shows(/❯.{3} *\d+ +/);
    expect(dashboard.frame()).toContain('read-only');
    expect(dashboard.frame()).not.toContain('s status');
    for (const [screen, keys] of Object.entries({
      1: ['s', 'n'],
      4: ['n', 'e', 'D'],
      5: ['n', 'r', 'a', 'D', 'p'],
    })) {
      for (const key of keys) {
        dashboard.press(screen, key);
        await dashboard.shows('✗ This dashboard is read-only');
        expect(dashboard.app.store.get().dialogs).toEqual([]);
        dashboard.press('esc');
        await dashboard.hides('✗ This dashboard');
      }
    }
    await expect(dashboard.app.call('settings.update', { key: 'a', value: 'b' })).rejects.toThrow(
      'read-only',
    );
  });

  test('name no key that changes something when they are read-only', async () => {
    open({ readOnly: true });
    dashboard.press(':');
    dashboard.write('status');
    expect(await dashboard.shows('Issues: Only those of the next status')).not.toContain('Change the status');
  });

  test('ask before quitting where something would be lost, and only there', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press('n');
    dashboard.write('Half a title');
    dashboard.press('esc', 'q');
    await dashboard.shows('The new issue is not saved. Quit and lose it?');
    dashboard.press('n');
    expect(dashboard.quits()).toBe(0);
    dashboard.press('n');
    expect(await dashboard.shows('Half a title')).toContain('Report an issue');
    dashboard.press('esc', 'ctrl+c', 'ctrl+c');
    expect(dashboard.quits()).toBe(1);
  });

  test('ask before they are left from another question too', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press('n');
    dashboard.write('Half a title');
    dashboard.press('esc', '4');
    await dashboard.shows('site_name');
    dashboard.press('D');
    await dashboard.shows('Sure?');
    dashboard.press('ctrl+c');
    await dashboard.shows('The new issue is not saved. Quit and lose it?');
    expect(dashboard.quits()).toBe(0);
  });

  test('quit at once where nothing would be lost', async () => {
    open();
    dashboard.press('q');
    expect(dashboard.quits()).toBe(1);
  });

  test('look for what others change, and keep the cursor on its row', async () => {
    open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press('j', 'j');
    await expect
      .poll(() =>
        dashboard
          .frame()
          .split('\n')
          .findIndex((line) => line.startsWith('❯')),
      )
      .toBe(6);
    const before = /❯.{3} *(\d+)/.exec(dashboard.frame())?.[1];
    const { client } = await service.signIn('admin');
    await client.call('issues.create', { title: 'By somebody else' });
    dashboard.app.happened([{ type: 'issue.created', id: null }]);
    const frame = await dashboard.shows('By somebody else');
    expect(/❯.{3} *(\d+)/.exec(frame)?.[1]).toBe(before);
    expect(frame).toMatch(/• +\d+ +By somebody else/);
  });

  describe('of the conversations', () => {
    let client: Client;
    let id: string;
    let asked: number;
    const messages = async () => (await client.call('messages.list', { conversation_id: id })).messages;

    beforeEach(async () => {
      client ??= (await service.signIn('admin')).client;
      const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada Byron', subject: 'An invoice' };
      ({
        conversation: { id },
      } = await client.call('conversations.create', {
        ...visitor,
        initial_message: 'Could you send it again?',
      }));
      asked = (await messages())[0]?.id ?? 0;
      await client.call('messages.updateDraft', { id: asked, ai_draft: 'Gladly. It is in your inbox.' });
      open({ columns: 140, rows: 40 });
      dashboard.press('3');
      await dashboard.shows(/❯.{3} *1● +Ada Byron/);
      await dashboard.shows('┊ Gladly. It is in your inbox.');
    });

    test('send a draft as it is, once somebody has said yes', async () => {
      dashboard.press('a');
      await dashboard.shows('Send the draft to Ada Byron as it is?');
      dashboard.press('esc', 'a', 'y');
      await dashboard.shows('│ Gladly. It is in your inbox.');
      expect(await messages()).toMatchObject([
        { id: asked },
        { content: 'Gladly. It is in your inbox.', from_draft_of: asked },
      ]);
    });

    test('send a draft that was edited', async () => {
      dashboard.press('e');
      await dashboard.shows('── Draft to Ada Byron');
      dashboard.write(' Now.');
      dashboard.press('alt+enter');
      await dashboard.shows('│ Gladly. It is in your inbox. Now.');
      expect((await messages())[1]).toMatchObject({
        content: 'Gladly. It is in your inbox. Now.',
        from_draft_of: asked,
      });
    });

    test('reject a draft', async () => {
      dashboard.press('x');
      await dashboard.shows('Reject the draft to Ada Byron?');
      dashboard.press('y');
      await dashboard.shows('✓ Rejected the draft.');
      expect((await messages())[0]?.ai_draft).toBeNull();
    });

    test('name the keys that a draft waits for, and none when they are read-only', async () => {
      await dashboard.shows('Draft of a reply, not sent · a approves, e edits, x rejects');
      dashboard.close();
      open({ columns: 140, rows: 40, readOnly: true });
      dashboard.press('3');
      await dashboard.shows(/Draft of a reply, not sent *$/m);
    });

    test('find a draft by its name from another screen', async () => {
      dashboard.close();
      open({ columns: 140, rows: 40 });
      dashboard.press('2');
      await dashboard.shows('Severity over time');
      dashboard.app.run('talk.reject');
      await dashboard.shows('Reject the draft to Ada Byron?');
    });

    test('mark as read what was seen, and change the status', async () => {
      dashboard.press('m');
      await dashboard.shows('✓ Marked 1 message as read.');
      await dashboard.shows(/❯.{6} +Ada Byron/);
      dashboard.press('s');
      await dashboard.shows('Status of the conversation with Ada Byron');
      dashboard.press('3', 'enter');
      await dashboard.shows('✓ The conversation with Ada Byron is resolved.');
      const { conversation } = await client.call('messages.list', { conversation_id: id });
      expect(conversation).toMatchObject({ status: 'resolved', unread_count: 0 });
    });

    test('keep a reply that is not sent, and ask before it is lost', async () => {
      dashboard.press('r');
      dashboard.write('Not yet');
      dashboard.press('esc', 'q');
      await dashboard.shows('The reply to Ada Byron is not sent. Quit and lose it?');
      dashboard.press('n', 'r');
      await dashboard.shows('  Not yet');
      expect(await messages()).toHaveLength(1);
    });

    test('report an issue from a conversation, and both show it', async () => {
      dashboard.press('i');
      await dashboard.shows('── Report an issue');
      dashboard.press('ctrl+s');
      await dashboard.shows(/→ #\d+ An invoice/);
      dashboard.press('1');
      await dashboard.shows(/^[❯ ] [• ] *\d+ +An invoice/m);
      dashboard.press('g', 'enter');
      await dashboard.shows('→ conversation: An invoice');
    });

    test('say the keys of what is read as soon as it is', async () => {
      // From here on nothing is drawn that was not told.
      dashboard.app.stop();
      expect(dashboard.frame()).toContain('Enter read');
      dashboard.press('enter');
      await dashboard.hides('Enter read');
      dashboard.press('h');
      await dashboard.shows('Enter read');
    });

    test('obey nothing of what a visitor wrote, whatever is done with it', async () => {
      const name = 'Mal\u001B[7;31mHACK\u001B[0m\nSECOND\u001B]8;;http://evil.example\u0007link';
      const shown = 'Mal\uFFFD[7;31mHACK\uFFFD[0m SECOND\uFFFD]8;;http://evil.example\uFFFDlink';
      const visitor = { visitor_email: 'mal@example.com', visitor_name: name, subject: `Of ${name}` };
      const { conversation } = await client.call('conversations.create', {
        ...visitor,
        initial_message: name,
      });
      const [first] = (await client.call('messages.list', { conversation_id: conversation.id })).messages;
      await client.call('messages.updateDraft', { id: first?.id ?? 0, ai_draft: `To ${name}` });
      dashboard.app.happened([{ type: 'conversation.created', id: conversation.id }]);
      await dashboard.shows(/ +1● +Mal/);
      dashboard.press('g');
      await dashboard.shows('◂ Mal\uFFFD[7;31mHACK');
      for (const [key, sign] of [
        ['r', `── Reply to ${shown} ─`],
        ['e', `── Draft to ${shown} ─`],
        ['s', `── Status of the conversation with ${shown} ─`],
        ['i', '── Report an issue'],
        ['D', `Delete the conversation with Mal`],
        ['m', '✓ Marked 1 message as read.'],
      ] as const) {
        dashboard.press(key);
        const frame = await dashboard.shows(sign);
        expect(frame.split('\n'), key).toHaveLength(39);
        for (const line of frame.split('\n')) expect(cellsOf(line), line).toBeLessThanOrEqual(140);
        for (const evil of ['\u001B[7;31m', '\u001B[31mHACK', '\u001B]8'])
          expect(dashboard.raw(), key).not.toContain(evil);
        dashboard.press('esc');
      }
      dashboard.press('r');
      dashboard.write('No.');
      dashboard.press('ctrl+s');
      await dashboard.shows(`✓ Sent to ${shown}.`);
      expect(dashboard.frame().split('\n')).toHaveLength(39);
      await client.call('conversations.delete', { id: conversation.id });
    });

    test('delete a conversation, by name', async () => {
      dashboard.press('D');
      await dashboard.shows('Delete the conversation with Ada Byron, “An invoice”, and all its messages?');
      dashboard.press('y');
      await dashboard.shows('✓ Deleted the conversation with Ada Byron.');
      expect((await client.call('messages.list', { conversation_id: id })).conversation).toBeNull();
    });

    test('stay where one reads when a message arrives below', async () => {
      for (let message = 1; message <= 60; message += 1) {
        await client.call('messages.create', {
          conversation_id: id,
          content: `Message ${message}`,
          sender_type: 'visitor',
        });
      }
      dashboard.app.happened([{ type: 'message.created', id }]);
      await dashboard.shows('Message 60');
      dashboard.press('enter');
      // They are more than are loaded at once: the first come as one gets there.
      await expect
        .poll(() => {
          dashboard.press('g');
          return dashboard.frame();
        })
        .toContain('Could you send it again?');
      await dashboard.shows(/Message 1 *$/m);
      dashboard.press('j', 'j', 'j');
      const linesBelow = async () =>
        Number(/↓ (\d+) more/.exec(await dashboard.shows(/↓ \d+ more lines/))?.[1]);
      const before = await linesBelow();
      // Without the ages, which go on.
      const thread = () =>
        dashboard
          .frame()
          .split('\n')
          .slice(8, 30)
          .map((line) => line.slice(60).replace(/ +(now|\d+m) · /, ' · '));
      const seen = thread();
      await client.call('messages.create', {
        conversation_id: id,
        content: 'The last',
        sender_type: 'visitor',
      });
      dashboard.app.happened([{ type: 'message.created', id }]);
      await expect.poll(linesBelow).toBeGreaterThan(before);
      expect(thread()).toEqual(seen);
    });
  });
});

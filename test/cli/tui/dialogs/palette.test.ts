import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

describe('the command palette', () => {
  const tests = dashboardHere({ issues: 10, conversations: 5 });

  test('runs an action by name', async () => {
    const dashboard = tests.open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press(':');
    dashboard.write('add a setting');
    await dashboard.shows('❯ Settings: Add a setting');
    dashboard.press('enter');
    await dashboard.shows('── Add a setting');
    expect(dashboard.app.store.get().screen).toBe('settings');
  });

  test('shows the visitors that it finds in a narrow terminal too', async () => {
    await tests.client.call('conversations.create', {
      visitor_email: 'zoe@example.com',
      visitor_name: 'Zoe Quarterstone',
    });
    const dashboard = tests.open({ columns: 40 });
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press(':');
    dashboard.write('conv quarterstone');
    await dashboard.shows('❯ Conversation: Zoe Quarterstone');
  });

  test.each([
    ['write a reply', '── Reply to '],
    ['issues: change the status', '── Status of #'],
    ['settings: edit the value', '── Value of '],
    ['admins: change the role', '── Role of '],
  ])('%s, run from another screen, waits for the row of its own screen', async (name, title) => {
    const dashboard = tests.open();
    dashboard.press('2');
    await dashboard.shows('Age of the issues');
    dashboard.press(':');
    dashboard.write(name);
    dashboard.press('enter');
    await dashboard.shows(title);
  });

  test('goes to an issue by its number and to a conversation by a name, also right after the last key', async () => {
    const { client } = tests;
    const dashboard = tests.open({ rows: 40 });
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press(':');
    dashboard.write('issue 3');
    await dashboard.shows(/❯ Issue #3: /);
    dashboard.press('enter');
    await dashboard.shows(/❯.{3} +3 +/);
    await dashboard.shows('── #3 ──');
    const visitor = { visitor_email: 'karim@example.com', visitor_name: 'Karim Haddad' };
    await client.call('conversations.create', { ...visitor, initial_message: 'Hello?' });
    dashboard.press(':');
    dashboard.write('conv karim');
    dashboard.press('enter');
    await dashboard.shows('Karim Haddad <karim@example.com>');
    dashboard.press(':');
    dashboard.write('admin grace');
    dashboard.press('enter');
    await dashboard.shows('/ grace@example.com');
    dashboard.press(':');
    dashboard.write('issue 999999');
    await dashboard.shows('Nothing found.');
  });

  test('drops an action if the user cancels it and leaves its screen before it can run', async () => {
    const { access } = tests;
    const answers: Promise<unknown>[] = [];
    const dashboard = tests.openWith({
      call(id, input) {
        const answer = access.call(id, input);
        answers.push(answer);
        return answer;
      },
    });
    dashboard.press('2');
    await dashboard.shows('Age of the issues');
    dashboard.app.runAction('talk.reply');
    // Without Esc, the 4 would be for the reply.
    dashboard.press('esc', '4');
    await dashboard.shows('site_name');
    // Going back before the conversations have loaded would still open the reply.
    await Promise.all(answers);
    await setImmediate();
    dashboard.press('3');
    await dashboard.shows(/❯.{8} *\S/);
    expect(dashboard.app.store.get().dialogs).toEqual([]);
  });

  test('offers no changes in a read-only dashboard', async () => {
    const dashboard = tests.open({ readOnly: true });
    dashboard.press(':');
    dashboard.write('status');
    expect(await dashboard.shows('Issues: Show only the next status')).not.toContain('Change the status');
  });
});

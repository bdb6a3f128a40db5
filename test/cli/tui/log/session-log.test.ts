import { expect, test } from 'vitest';
import { describeCall } from '../../../../cli/tui/log/describe-call.ts';
import { createSessionLog } from '../../../../cli/tui/log/session-log.ts';
import { openDashboard } from '../../../support/run/dashboard.tsx';
import { after } from '../after-keys.ts';

test.each([
  ['issues.update', { ids: [7], set: { status: 'Closed' }, expected: {} }, '#7: status → Closed'],
  ['issues.update', { ids: [7, 8], set: { assignee_id: null } }, '2 issues: assignee_id → none'],
  ['issues.update', { ids: [7], set: { title: 'A', description: 'Long' } }, '#7: title → A, description'],
  ['settings.update', { updates: { smtp_password: 'secret' } }, 'Set smtp_password'],
  ['admins.update', { id: 'admin_1', password: 'secret' }, 'Admin admin_1: password'],
  [
    'messages.create',
    { conversation_id: 'conv_1', content: 'Two\nlines' },
    'Reply to conversation conv_1: “Two lines”',
  ],
  ['tokens.revoke', { id: 3 }, 'Revoke an API token'],
] as const)('describes a call of %s with %j', (id, input, text) => {
  expect(describeCall(id, input)).toBe(text);
});

test('names the visitor of a conversation that is loaded', () => {
  const visitorOf = (id: string) => (id === 'conv_1' ? 'Ada Byron' : undefined);
  const set = { status: 'closed' };
  expect(describeCall('conversations.update', { ids: ['conv_1'], set }, visitorOf)).toBe(
    'Ada Byron: status → closed',
  );
  expect(describeCall('conversations.update', { ids: ['conv_2'], set }, visitorOf)).toBe(
    'conversation conv_2: status → closed',
  );
  expect(describeCall('conversations.update', { ids: ['conv_1', 'conv_2'], set }, visitorOf)).toBe(
    '2 conversations: status → closed',
  );
});

test('keeps the newest entries, and knows what is running and what was undone', () => {
  const log = createSessionLog();
  const first = log.begin('issues.update', { ids: [7], set: { status: 'Closed' } }, 'staging', 0);
  expect(log.running('staging')).toEqual(['#7: status → Closed']);
  expect(log.running('production')).toEqual([]);
  first.succeeded({ change_id: 17 });
  // The number means another change on another server.
  log.begin('changes.undo', { change_id: 17 }, 'production', 1).succeeded({ change_id: 18 });
  expect(log.store.get().entries[1]).toMatchObject({ outcome: 'done', changeIds: [17] });
  log.begin('changes.undo', { change_id: 17 }, 'staging', 2).succeeded({ change_id: 19 });
  expect(log.store.get().entries[2]).toMatchObject({ outcome: 'undone', changeIds: [] });
  expect(log.store.get().entries[0]).toMatchObject({ what: 'Undo: #7: status → Closed', changeIds: [19] });
  for (let time = 0; time < 600; time += 1) log.begin('settings.delete', { key: `${time}` }, 'staging', time);
  expect(log.store.get().entries).toHaveLength(500);
  expect(log.store.get().entries[0]?.what).toBe('Delete the setting 599');
});

test('has one entry for a change of several calls, which is undone when all of them are', () => {
  const log = createSessionLog();
  const entries = () => log.store.get().entries;
  const change = log.beginGroup('3,000 issues: status → Closed', 'local', 0);
  change.begin('issues.update', {}).succeeded({ change_id: 17 });
  change.begin('issues.update', {}).succeeded({ change_id: 18 });
  change.begin('issues.update', {}).succeeded({ change_id: 18 });
  expect(log.running('local')).toEqual(['3,000 issues: status → Closed']);
  change.failed('The database is unavailable.');
  // What it has changed can still be undone.
  expect(entries()).toMatchObject([{ outcome: 'failed', changeIds: [17, 18] }]);
  const undo = log.beginGroup('Undo: 3,000 issues: status → Closed', 'local', 1);
  undo.begin('changes.undo', { change_id: 18 }).succeeded({ change_id: 19 });
  expect(entries()[1]).toMatchObject({ outcome: 'failed', changeIds: [17] });
  undo.begin('changes.undo', { change_id: 17 }).succeeded({ change_id: 20 });
  undo.succeeded();
  expect(entries()).toMatchObject([
    { outcome: 'done', changeIds: [19, 20] },
    { outcome: 'undone', changeIds: [] },
  ]);
});

test('shows what failed and why, and quitting asks while something is not finished', async () => {
  const { promise: answer, reject } = Promise.withResolvers<never>();
  const dashboard = openDashboard({
    call: (id) => (id === 'settings.delete' ? answer : new Promise(() => {})),
  });
  const call = dashboard.app.call('settings.delete', { key: 'site_name' });
  await after(dashboard, 'q', 'Not finished: Delete the setting site_name. Discard it and quit?');
  dashboard.press('n');
  reject(new Error('It is in use.'));
  await expect(call).rejects.toThrow('It is in use.');
  dashboard.press(':');
  dashboard.write('log');
  await dashboard.shows('❯ Screens: Show the log of this session');
  expect(await after(dashboard, 'enter', '── Log of this session')).toMatch(
    /✗ Delete the setting site_name[\s\S]*It is in use\./,
  );
  await after(dashboard, 'z', 'It failed, so there is nothing to undo.');
  dashboard.press('q', 'q');
  expect(dashboard.quits()).toBe(1);
  dashboard.close();
});

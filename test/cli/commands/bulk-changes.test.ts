import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../../support/database/client.ts';
import { startTestService, type TestService } from '../../support/http/service.ts';
import { backoffice } from '../../support/terminal/hosted-command.ts';

describe('bulk changes', () => {
  let service: TestService;

  const sql = (text: string) => withClient(service.databaseUrl, (client) => client.query(text));
  const run = (...args: string[]) => backoffice(args, { env: { DATABASE_URL: service.databaseUrl } });

  beforeAll(async () => {
    service = await startTestService();
    await sql(`
      insert into issues (id, title, category) select n, 'Issue ' || n, 'Some' from generate_series(1, 5) as n;
      insert into issues (id, title, category) select n, 'Many', 'Many' from generate_series(101, 10150) as n;
      insert into conversations (id, visitor_email, visitor_name) values ('conv_1', 'v', 'V');
      insert into conversation_messages (conversation_id, sender_type, content) values ('conv_1', 'visitor', 'Hello?');
    `);
  });

  afterAll(() => service?.stop());

  test('`issues update` changes the named issues, and says how to undo it', async () => {
    const args = ['issues', 'update', '1', '2', '99', '--set-status', 'Closed'];
    expect(await run(...args, '--dry-run')).toEqual({
      code: 0,
      stdout: 'Would change 2 issues.\n',
      stderr: 'Unknown: 99.\n',
    });
    const done = await run(...args);
    expect(done).toMatchObject({ code: 0, stdout: 'Changed 2 issues.\n' });
    const change = /To undo this, run `backoffice changes undo (\d+)`\./.exec(done.stderr)?.[1] ?? '';
    const history = await run('issues', 'history', '1', '--json', 'change_id,field,before,after,door');
    expect(JSON.parse(history.stdout)).toMatchObject({
      history: [{ change_id: Number(change), field: 'status', before: 'Open', after: 'Closed', door: 'cli' }],
    });
    await run('issues', 'set-status', '2', 'Resolved');
    const undone = await run('changes', 'undo', change);
    expect(undone).toMatchObject({ code: 0, stdout: 'Put back 1 of 2.\n' });
    expect(undone.stderr).toContain('Left 1 that changed since.');
    const again = await run('changes', 'undo', change, '--json');
    expect(JSON.parse(again.stdout)).toEqual({ success: true, restored: 0, left: 2, change_id: null });
  });

  test('`issues update` changes all that match a filter, in as many calls as it takes', async () => {
    const args = ['issues', 'update', '--category', 'Many', '--set-severity', 'High'];
    expect(await run(...args, '--dry-run')).toMatchObject({ stdout: 'Would change 10,050 issues.\n' });
    const { code, stdout } = await run(...args, '--json');
    const answer = JSON.parse(stdout);
    expect([code, answer]).toEqual([
      0,
      {
        success: true,
        matched: 10_050,
        changed: 10_050,
        unchanged: 0,
        unknown: [],
        remaining: 0,
        change_id: expect.any(Number),
      },
    ]);
    expect(await run('changes', 'undo', String(answer.change_id))).toMatchObject({
      stdout: 'Put back 10,050 of 10,050.\n',
    });
  });

  test('`issues delete` asks first, and deletes with --yes', async () => {
    expect(await run('issues', 'delete', '4', '5', '99', '--dry-run')).toMatchObject({
      code: 0,
      stdout: 'Would delete 2 issues.\n',
    });
    expect(await run('issues', 'delete', '4', '--dry-run', '--json')).toMatchObject({
      stdout: '{"matched":1,"unknown":[]}\n',
    });
    const unconfirmed = await run('issues', 'delete', '4');
    expect(unconfirmed).toMatchObject({ code: 2, stdout: '' });
    expect(unconfirmed.stderr).toContain('Delete 1 issue with its history, links and comments?');
    expect(await run('issues', 'delete', '4', '5', '--yes', '--json')).toMatchObject({
      code: 0,
      stdout: '{"success":true,"deleted":2}\n',
    });
    expect(await run('issues', 'delete', '4', '5', '--yes')).toMatchObject({ code: 3, stdout: '' });
  });

  test('`conversations update` sets the status and marks as read', async () => {
    const args = ['conversations', 'update', 'conv_1', '--set-status', 'resolved', '--read'];
    expect(await run(...args, '--dry-run')).toMatchObject({ stdout: 'Would change 1 conversation.\n' });
    expect(await run(...args)).toMatchObject({ code: 0, stdout: 'Changed 1 conversation.\n' });
    expect(await run(...args)).toMatchObject({ code: 0, stdout: 'Changed 0 conversations.\n' });
  });

  test.each([
    [['issues', 'update', '--set-status', 'Closed'], 2],
    [['issues', 'update', '1', '--status', 'Open', '--set-status', 'Closed'], 2],
    [['issues', 'update', '1'], 2],
    [['issues', 'update', '1', '2', '--set-title', 'Same'], 2],
    [['issues', 'update', '--status', 'Opne', '--set-status', 'Closed'], 2],
    [['issues', 'update', '98', '99', '--set-status', 'Closed'], 3],
    [['issues', 'history', '99'], 3],
    [['issues', 'update', '--status', 'Open', '--set-title', 'Same'], 2],
    [['issues', 'update', '1', '--set-assignee', 'nobody@example.com'], 3],
    [['conversations', 'update', 'conv_1'], 2],
    [['changes', 'undo', '999999'], 3],
    [['conversations', 'update', 'conv_unknown', '--read'], 3],
  ])('ends %j with exit code %i', async (args, code) => {
    expect(await run(...args)).toMatchObject({ code, stdout: '' });
  });
});

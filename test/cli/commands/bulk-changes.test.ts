import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { untilBlocked } from '../../support/postgres.ts';
import { startBackoffice } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

describe('bulk changes', () => {
  let service: TestService;

  const sql = (text: string) => withClient(service.databaseUrl, (client) => client.query(text));
  const run = (...args: string[]) => runWith('', ...args);
  const runWith = (stdin: string, ...args: string[]) =>
    backoffice(args, { stdin, env: { DATABASE_URL: service.databaseUrl } });
  const changeIn = ({ stderr }: { readonly stderr: string }) =>
    /changes undo ([\d ]+)`/.exec(stderr)?.[1] ?? '';

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
    const unconfirmed = await run(...args);
    expect(unconfirmed).toMatchObject({ code: 2, stdout: '' });
    expect(unconfirmed.stderr).toContain('Change 10,050 issues? There is no terminal to confirm this.');
    const { code, stdout } = await run(...args, '--yes', '--json');
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

  test('`issues set-status` takes several numbers, those of standard input, and a filter', async () => {
    const several = await run('issues', 'set-status', '1', '#2', '99', 'in-progress');
    expect(several).toMatchObject({ code: 0, stdout: 'Changed 2 issues.\n' });
    expect(several.stderr).toContain('Unknown: 99.\n');
    const piped = await runWith('1\r\n\n3\n', 'issues', 'set-status', '-', 'Resolved');
    expect(piped).toMatchObject({ code: 0, stdout: 'Changed 2 issues.\n' });
    expect(await runWith('', 'issues', 'set-status', '-', 'Closed')).toEqual({
      code: 0,
      stdout: 'Changed 0 issues.\n',
      stderr: '',
    });
    expect(await runWith('1\nID\n', 'issues', 'set-status', '-', 'Closed')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'backoffice: Line 2 of standard input: "ID" is not the number of an issue. Use `backoffice issues list --quiet` to pipe only ids.\n',
    });
    const filtered = [
      'issues',
      'set-status',
      'closed',
      '--filter',
      'status:res severity:l category:some newer:1d',
    ];
    expect(await run(...filtered, '--dry-run')).toEqual({
      code: 0,
      stdout: 'Would change 2 issues.\n',
      stderr: '  3  Issue 3 (Low, Resolved)\n  1  Issue 1 (Low, Resolved)\n',
    });
    const listed = await run('issues', 'list', ...filtered.slice(-2), '--json', 'id');
    expect(JSON.parse(listed.stdout)).toEqual({ issues: [{ id: 3 }, { id: 1 }] });
    for (const noun of ['issues', 'conversations'])
      expect(await run(noun, 'list', '--status', 'open', '--filter', 'status:closed')).toMatchObject({
        code: 2,
        stderr: 'backoffice: Use either --status or --filter for it, not both.\n',
      });
    expect(await run(...filtered)).toMatchObject({ code: 0, stdout: 'Changed 2 issues.\n' });
    // The last change is undone first.
    const undo = `${changeIn(await run('issues', 'set-status', '1', 'Open'))} ${changeIn(piped)}`;
    expect(await run('changes', 'undo', ...undo.split(' '))).toMatchObject({ code: 0 });
  });

  test('changes what nobody works on, and `changes undo` without a number undoes that', async () => {
    await service.signIn('admin', 'ada@example.com');
    const assigned = await run(
      'issues',
      'assign',
      '--filter',
      'assignee:none category:some',
      '--to',
      'ada@example.com',
    );
    expect(assigned).toMatchObject({ code: 0, stdout: 'Changed 5 issues.\n' });
    expect(
      await run('issues', 'assign', '--assignee', 'ada@example.com', '--to', 'none', '--dry-run'),
    ).toMatchObject({
      stdout: 'Would change 5 issues.\n',
    });
    const unconfirmed = await run('changes', 'undo');
    expect(unconfirmed).toMatchObject({ code: 2, stdout: '' });
    expect(unconfirmed.stderr).toMatch(
      /Undo change \d+ \(5 issues, assignee_id: admin_\w+, just now\)\? There is no/,
    );
    expect(await run('changes', 'undo', '--yes')).toMatchObject({ code: 0, stdout: 'Put back 5 of 5.\n' });
    const next = await run('changes', 'undo');
    expect(next.stderr).not.toContain(`change ${changeIn(assigned)} `);
  });

  test('`changes undo` without a number also undoes the status of a single row, which its history shows', async () => {
    await run('conversations', 'set-status', 'conv_1', 'closed');
    await run('conversations', 'set-status', 'conv_1', 'pending', '--expected', 'closed');
    const history = await run('conversations', 'history', 'conv_1');
    expect(history.stdout).toMatch(/^\d+\tstatus\tclosed\tpending\t\S+\tcli\t\S+\n/);
    const unconfirmed = await run('changes', 'undo');
    expect(unconfirmed.stderr).toMatch(
      /Undo change \d+ \(conversation conv_1, status: pending, just now\)\?/,
    );
    for (const status of ['\tpending\tclosed\t', '\tclosed\topen\t']) {
      expect(await run('changes', 'undo', '--yes')).toMatchObject({ code: 0, stdout: 'Put back 1 of 1.\n' });
      const { stdout } = await run('conversations', 'history', 'conv_1', '--limit', '1');
      expect(stdout).toContain(status);
    }

    const { client } = await service.signIn('superadmin', 'grace@example.com');
    await client.call('issues.changeStatus', { id: 3, status: 'In Progress' });
    await client.call('issues.changeStatus', { id: 3, status: 'Resolved' });
    const { secret } = await client.call('tokens.create', { name: 'shell' });
    const undo = () =>
      backoffice(['changes', 'undo', '--yes', '--json', 'restored'], {
        env: { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN: secret },
      });
    for (const status of ['In Progress', 'Closed']) {
      expect(await undo()).toMatchObject({ code: 0, stdout: '{"restored":1}\n' });
      const shown = await run('issues', 'show', '#3', '--json', 'status');
      expect(JSON.parse(shown.stdout)).toEqual({ status });
    }
    expect(await undo()).toMatchObject({ code: 3, stdout: '' });
    expect(await run('conversations', 'history', 'conv_99')).toMatchObject({ code: 3, stdout: '' });
  });

  test('`issues edit` sets fields by options', async () => {
    const args = [
      'issues',
      'edit',
      '3',
      '--title',
      'Renamed',
      '--description',
      '-',
      '--severity',
      'critical',
    ];
    expect(await runWith('Two\nlines\n', ...args)).toMatchObject({ code: 0, stdout: 'Changed 1 issue.\n' });
    const { stdout } = await run('issues', 'show', '3', '--json');
    expect(JSON.parse(stdout).issue).toMatchObject({
      title: 'Renamed',
      description: 'Two\nlines',
      severity: 'Critical',
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
    const many = ['issues', 'delete', '--filter', 'category:MANY'];
    const dry = await run(...many, '--dry-run');
    expect(dry).toMatchObject({ stdout: 'Would delete 10,050 issues.\n' });
    expect(dry.stderr).toContain('  10150  Many (Low, Open)\n');
    expect(dry.stderr).toContain('  and 10,045 more\n');
    expect(await run(...many, '--yes')).toMatchObject({ code: 0, stdout: 'Deleted 10,050 issues.\n' });
  });

  test('`conversations update` sets the status and marks as read', async () => {
    const args = ['conversations', 'update', 'conv_1', '--set-status', 'resolved', '--read'];
    expect(await run(...args, '--dry-run')).toMatchObject({ stdout: 'Would change 1 conversation.\n' });
    expect(await run(...args)).toMatchObject({ code: 0, stdout: 'Changed 1 conversation.\n' });
    expect(await run(...args)).toMatchObject({ code: 0, stdout: 'Changed 0 conversations.\n' });
    await sql(
      `insert into conversation_messages (conversation_id, sender_type, content) values ('conv_1', 'visitor', '?')`,
    );
    const unread = ['conversations', 'read', '--filter', 'is:unread status:open'];
    expect(await run(...unread, '--dry-run')).toEqual({
      code: 0,
      stdout: 'Would change 1 conversation.\n',
      stderr: '  conv_1  V: (no subject) (open)\n',
    });
    expect(await run(...unread)).toMatchObject({ code: 0, stdout: 'Changed 1 conversation.\n' });
    const piped = await runWith(
      'conv_1\n',
      'conversations',
      'set-status',
      '-',
      'closed',
      '--json',
      'changed',
    );
    expect(piped).toMatchObject({ code: 0, stdout: '{"changed":1}\n' });
    await sql(`insert into conversations (id, visitor_email, visitor_name) values ('conv_2', 'w', 'W')`);
    const both = ['conversations', 'delete', '--filter', 'older:0d'];
    expect(await run(...both)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Delete 2 conversations and all their messages?'),
    });
    expect(await run('conversations', 'delete', 'conv_2', 'conv_3', '--yes', '--json')).toEqual({
      code: 0,
      stdout: '{"success":true,"deleted":1}\n',
      stderr: 'Unknown: conv_3.\n',
    });
  });

  test('Ctrl-C stops `conversations delete` after the one that is being deleted', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `gone_${index}`);
    await sql(`
      insert into conversations (id, visitor_email, visitor_name)
      select 'gone_' || n, 'v', 'V' from generate_series(0, 59) as n
    `);
    const left = async () => (await sql(`select from conversations where id like 'gone_%'`)).rowCount ?? 0;
    /** Deletes them, and presses Ctrl-C while one of them is locked. */
    const interrupted = (names: readonly string[], locked: string) =>
      withClient(service.databaseUrl, async (client) => {
        await client.query('begin');
        await client.query('select from conversations where id = $1 for update', [locked]);
        const args = ['conversations', 'delete', ...names, '--yes'];
        const command = startBackoffice(args, { env: { DATABASE_URL: service.databaseUrl } });
        await untilBlocked({ sql: async (text) => (await client.query(text)).rows });
        command.process.kill('SIGINT');
        await client.query('commit');
        return await command.finished;
      });
    const { code, stdout, stderr } = await interrupted(ids, 'gone_1');
    const rest = await left();
    expect(rest).toBeGreaterThan(1);
    expect({ code, stdout, stderr }).toEqual({
      code: 130,
      stdout: `Deleted ${60 - rest} conversations.\n`,
      stderr: 'backoffice: Stopped. The others were not deleted.\n',
    });
    // Nothing is left to stop during the last one.
    const last = await interrupted(ids.slice(-rest), ids.at(-1) ?? '');
    expect(last).toEqual({ code: 0, stdout: `Deleted ${rest} conversations.\n`, stderr: '' });
  });

  test.each([
    [['issues', 'update', '--set-status', 'Closed'], 2],
    [['issues', 'update', '1', '--status', 'Open', '--set-status', 'Closed'], 2],
    [['issues', 'update', '1'], 2],
    [['issues', 'update', '1', '2', '--set-title', 'Same'], 2],
    [['issues', 'update', '--status', 'Opne', '--set-status', 'Closed'], 2],
    [['issues', 'update', '98', '99', '--set-status', 'Closed'], 3],
    [['issues', 'history', '99'], 3],
    [['issues', 'history', '9.5'], 2],
    [['issues', 'update', '--status', 'Open', '--set-title', 'Same'], 2],
    [['issues', 'update', '1', '--set-assignee', 'nobody@example.com'], 3],
    [['conversations', 'update', 'conv_1'], 2],
    [['changes', 'undo', '999999'], 3],
    [['conversations', 'update', 'conv_unknown', '--read'], 3],
    [['issues', 'set-status'], 2],
    [['issues', 'set-status', 'Closed'], 2],
    [['issues', 'set-status', '1', 'Done'], 2],
    [['issues', 'set-status', '1x', 'Closed'], 2],
    [['issues', 'set-status', '1', '2', 'Closed', '--expected', 'Open'], 2],
    [['issues', 'set-status', 'Closed', '--filter', 'sverity:high'], 2],
    [['issues', 'set-status', 'Closed', '--filter', 'severity:huge'], 2],
    [['issues', 'set-status', 'Closed', '--category', 'None'], 2],
    [['issues', 'set-status', 'Closed', '--filter', 'status:done'], 2],
    [['issues', 'set-status', 'Closed', '--filter', 'older:someday'], 2],
    [['issues', 'set-status', 'Closed', '--filter', ' '], 2],
    [['issues', 'set-status', 'Closed', '--filter', 'status:open', '--status', 'Open'], 2],
    [['issues', 'list', '--filter', 'status:open', '--status', 'Open'], 2],
    [['conversations', 'list', '--filter', 'is:unread', '--unread'], 2],
    [['issues', 'delete', '--search', '', '--yes'], 2],
    [['issues', 'delete', '--filter', 'category:""', '--yes'], 2],
    [['conversations', 'delete', '--search', ' ', '--yes'], 2],
    [['conversations', 'delete', '--filter', 'status: is:unread', '--yes'], 2],
    [['issues', 'update', '1', '--set-status', 'Closed', '--dry-run', '--json', 'nonsense'], 2],
    [['issues', 'delete', '1', '--dry-run', '--jq', '.matched['], 2],
    [['issues', 'edit', '1'], 2],
    [['issues', 'edit', '1', '-', '--description', '-'], 2],
    [['issues', 'edit', '1', '--steps', '-', '--description', '-'], 2],
    [['issues', 'edit', '1', '2', '--title', 'Same'], 2],
    [['conversations', 'read', 'conv_1', 'conv_2', '--up-to', '1'], 2],
  ])('ends %j with exit code %i', async (args, code) => {
    expect(await run(...args)).toMatchObject({ code, stdout: '' });
  });
});

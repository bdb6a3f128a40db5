import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { startBackoffice } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

describe('backoffice issues', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });

  afterAll(async () => {
    await service.stop();
  });

  const issues = (...args: string[]) =>
    backoffice(['issues', ...args], { env: { DATABASE_URL: service.databaseUrl } });

  test('creates an issue from a conversation, then shows, unlinks and links it', async () => {
    const { client } = await service.signIn('superadmin', 'grace@example.com');
    const { conversation } = await client.call('conversations.create', {
      visitor_email: 'ada@example.com',
      visitor_name: 'Ada',
      subject: 'An invoice',
    });
    const { id } = conversation;
    const made = await issues('create', 'Invoices are not sent', '--from-conversation', id, '--json');
    const issue = String(JSON.parse(made.stdout).id);
    const line = new RegExp(`^ {2}conversation ${id}: An invoice \\(just now by .+\\)$`, 'm');
    expect((await issues('show', issue)).stdout).toMatch(line);
    expect(await issues('unlink', issue, '--conversation', id)).toMatchObject({ code: 0 });
    expect((await issues('show', issue)).stdout).not.toMatch(line);
    expect(await issues('unlink', issue, '--conversation', id)).toMatchObject({ code: 3 });
    expect(await issues('link', issue, '--conversation', id)).toMatchObject({ code: 0 });
    expect(await issues('link', issue, '--conversation', id)).toMatchObject({ code: 1 });
    const { links } = JSON.parse((await issues('show', issue, '--json')).stdout);
    expect(links).toMatchObject([{ issue_id: Number(issue), conversation_id: id }]);
  });

  test.each([
    [['link', '1'], 2],
    [['link', '1', '--conversation', 'x', '--scraping-error', '1'], 2],
    [['link', '999999', '--conversation', 'x'], 3],
    [['link', '1', '--conversation', 'conv_1769851800000_none'], 3],
    [['link', '1', '--scraping-error', '999999'], 3],
    [['show', '999999'], 3],
    [['create', 'T', '--from-conversation', 'none'], 3],
    [['create', 'T', '--from-scraping-error', '999999'], 3],
    [['create', 'T', '--title', 'Another'], 2],
  ])('ends %j with exit code %i', async (args, code) => {
    expect(await issues(...args)).toMatchObject({ code, stdout: '' });
  });

  test('takes statuses and severities in upper or lower case', async () => {
    const { stdout } = await issues('create', '--title', 'Low and high', '--severity', 'CRITICAL', '--json');
    const id = String(JSON.parse(stdout).id);
    expect(await issues('set-status', id, 'in progress', '--expected', 'open')).toMatchObject({ code: 0 });
    const found = await issues(
      'list',
      '--status',
      'open,in progress',
      '--severity',
      'critical',
      '--json',
      'id',
    );
    expect(JSON.parse(found.stdout)).toEqual({ issues: [{ id: Number(id) }] });
    expect(await issues('list', '--status', 'opened')).toMatchObject({ code: 2 });
  });

  test('prints each bar of the charts as a row of CSV', async () => {
    const [headings, ...rows] = (await issues('stats', '--csv')).stdout.trimEnd().split('\n');
    expect(headings).toBe('chart,age,name,count');
    const { totalIssues } = JSON.parse((await issues('stats', '--json')).stdout);
    for (const start of ['age,Last Hour', 'severity,', 'status,', 'category,']) {
      const counts = rows.flatMap((row) => new RegExp(`^${start},[\\w ]+,(\\d+)$`).exec(row)?.[1] ?? []);
      expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(totalIssues);
    }
  });

  test('finds and corrects wrong counts', async () => {
    await withClient(service.databaseUrl, async (client) => {
      await client.query('alter table issues disable trigger user');
      await client.query("insert into issues (title) values ('uncounted')");
      await client.query('alter table issues enable trigger user');
    });
    const wrong = await issues('recount', '--check');
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/counts are wrong\. Run `backoffice issues recount` to fix this\./);
    expect(await issues('recount')).toMatchObject({ code: 0 });
    expect(await issues('recount', '--check')).toMatchObject({ code: 0 });
  });
});

describe('working together', () => {
  let service: TestService;
  let conversation: string;

  beforeAll(async () => {
    service = await startTestService();
    const { client } = await service.signIn('superadmin', 'grace@example.com');
    await client.call('issues.create', { title: 'Invoices are not sent' });
    const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada $& Byron' };
    conversation = (await client.call('conversations.create', visitor)).conversation.id;
  });

  afterAll(async () => {
    await service.stop();
  });

  const run = (...args: string[]) => backoffice(args, { env: { DATABASE_URL: service.databaseUrl } });

  test('assigns issues and conversations by e-mail, lists them by assignee, and unassigns them', async () => {
    for (const [noun, id] of [
      ['issues', '1'],
      ['conversations', conversation],
    ] as const) {
      const one = noun.slice(0, -1);
      expect(await run(noun, 'assign', id, '--to', 'GRACE@example.com')).toMatchObject({
        code: 0,
        stdout: `Changed 1 ${one}.\n`,
      });
      expect((await run(noun, 'show', id)).stdout).toContain('assigned to grace@example.com');
      const mine = await run(noun, 'list', '--assignee', 'grace@example.com', '--include', 'assignee');
      expect(mine.stdout).toMatch(/\tgrace@example\.com\n$/);
      expect((await run(noun, 'list', '--json')).stdout).not.toContain('assignee');
      const included = await run(noun, 'list', '--include', 'assignee', '--json', 'assignee');
      expect(JSON.parse(included.stdout)[noun]).toMatchObject([{ assignee: { email: 'grace@example.com' } }]);
      expect(await run(noun, 'assign', id, '--to', 'none')).toMatchObject({ code: 0 });
      expect((await run(noun, 'list', '--assignee', 'none')).stdout).toContain(id);
      const history = await run(noun, 'history', id);
      expect(history.stdout).toMatch(/^\d+\tassignee\tgrace@example\.com\t\t/);
      expect(history.stdout).toMatch(/\n\d+\tassignee\t\tgrace@example\.com\t/);
      expect((await run(noun, 'history', id, '--json')).stdout).toMatch(
        /"field":"assignee_id","before":"admin_\w+","after":null/,
      );
      expect(await run(noun, 'assign', id, '--to', 'me')).toMatchObject({ code: 2 });
      expect(await run(noun, 'assign', id, '--to', 'nobody@example.com')).toMatchObject({ code: 3 });
    }
    expect(await run('issues', 'assign', '99', '--to', 'grace@example.com')).toMatchObject({ code: 3 });
  });

  test('adds, shows, lists, renames and deletes labels', async () => {
    for (const [noun, id] of [
      ['issues', '1'],
      ['conversations', conversation],
    ] as const) {
      const one = noun.slice(0, -1);
      const added = await run(noun, 'update', id, '--add-label', 'urgent,Invoices', '--add-label', 'apps');
      expect(added).toMatchObject({ code: 0, stdout: `Changed 1 ${one}.\n` });
      expect((await run(noun, 'show', id)).stdout).toContain('labels: apps, Invoices, urgent');
      expect(await run(noun, 'update', id, '--remove-label', 'APPS')).toMatchObject({ code: 0 });
      const listed = await run(noun, 'list', '--label', 'invoices', '--include', 'assignee,labels');
      expect(listed.stdout).toMatch(/\tInvoices, urgent\n$/);
      expect((await run(noun, 'list', '--label', 'none')).stdout).not.toContain(id);
      expect((await run(noun, 'list', '--filter', 'label:other')).stdout).toBe('');
      const changed = await run(noun, 'update', '--label', 'urgent', '--remove-label', 'urgent', '--dry-run');
      expect(changed.stdout).toContain(`1 ${one}`);
      expect(await run(noun, 'update', id, '--add-label', 'a'.repeat(51))).toMatchObject({ code: 2 });
      expect((await run(noun, 'history', id)).stdout).toMatch(
        /\tlabels\tapps, Invoices, urgent\tInvoices, urgent\t/,
      );
    }
    expect((await run('labels', 'list')).stdout).toBe('apps\t0\t0\nInvoices\t1\t1\nurgent\t1\t1\n');
    const renamed = await run('labels', 'rename', 'invoices', 'billing', '--yes');
    expect(renamed).toMatchObject({
      code: 0,
      stdout: 'Renamed the label Invoices to billing: 1 issue and 1 conversation.\n',
    });
    const [, changes = ''] = /`backoffice changes undo ([\d ]+)`/.exec(renamed.stderr) ?? [];
    expect(await run('changes', 'undo', ...changes.split(' '), '--yes')).toMatchObject({ code: 0 });
    expect((await run('issues', 'show', '1')).stdout).toContain('labels: Invoices, urgent');
    expect((await run('labels', 'list', '--json')).stdout).toContain('"billing"');
    expect(await run('labels', 'delete', 'urgent')).toMatchObject({ code: 2 });
    expect(await run('labels', 'delete', 'urgent', '--yes')).toMatchObject({ code: 0 });
    expect(await run('labels', 'delete', 'urgent', '--yes')).toMatchObject({ code: 3 });
    const reported = await run('issues', 'create', 'Mails are late', '--label', 'mails,urgent');
    expect((await run('issues', 'show', /\d+/.exec(reported.stdout)?.[0] ?? '')).stdout).toContain(
      'labels: mails, urgent',
    );
  });

  test('adds, shows, edits and deletes comments', async () => {
    for (const [noun, id] of [
      ['issue', '1'],
      ['conversation', conversation],
    ] as const) {
      const added = await run('comments', 'add', `--${noun}`, id, 'Only Safari', '--json');
      const comment = String(JSON.parse(added.stdout).comment.id);
      expect(await run('comments', 'edit', comment, 'Safari and\nChrome')).toMatchObject({ code: 0 });
      expect((await run(`${noun}s`, 'show', id)).stdout).toMatch(/ {2}Safari and\n {2}Chrome/);
      expect((await run('comments', 'list', `--${noun}`, id)).stdout).toContain(`comment ${comment}`);
      expect(await run('comments', 'delete', comment, '--yes')).toMatchObject({ code: 0 });
      expect(await run('comments', 'list', `--${noun}`, id)).toMatchObject({ code: 0, stdout: '' });
      expect(await run('comments', 'edit', comment, 'Gone')).toMatchObject({ code: 3 });
    }
    expect(await run('comments', 'add', '--issue', '99', 'Text')).toMatchObject({ code: 3 });
    expect(await run('comments', 'add', 'Text')).toMatchObject({ code: 2 });
  });

  test('saves replies, and sends one with its placeholders filled in', async () => {
    const text = 'Hello {{visitor_name}}, about {{conversation_id}} and {{order}}.';
    const created = await run('saved-replies', 'create', 'Hello', 'A greeting', text);
    expect(created.stderr).toContain('Visitors will see {{order}} as it is.');
    expect(created).toMatchObject({ code: 0 });
    expect(await run('saved-replies', 'create', 'hello', 'Another', text)).toMatchObject({ code: 1 });
    expect((await run('saved-replies', 'list')).stdout).toContain('A greeting');
    const sent = await run('conversations', 'reply', conversation, '--saved', 'HELLO');
    expect(sent).toMatchObject({ code: 0 });
    expect((await run('conversations', 'show', conversation)).stdout).toContain(
      `Hello Ada $& Byron, about ${conversation} and {{order}}.`,
    );
    await run('saved-replies', 'update', 'hello', '--text', 'By {{admin_name}}', '--new-shortcut', 'bye');
    const nameless = await run('conversations', 'reply', conversation, '--saved', 'bye');
    expect(nameless).toMatchObject({ code: 2, stderr: expect.stringContaining('{{admin_name}}') });
    expect(await run('saved-replies', 'delete', 'bye', '--yes')).toMatchObject({ code: 0 });
    expect(await run('saved-replies', 'delete', 'bye', '--yes')).toMatchObject({ code: 3 });
  });
});

describe('backoffice audit', () => {
  describe('backoffice audit list', () => {
    let service: TestService;

    beforeAll(async () => {
      service = await startTestService();
    });

    afterAll(() => service?.stop());

    test.each([
      ['--door', 'foo', 'http, cli, tui, mcp, job'],
      ['--event', 'admin.delete', 'admin.updated, admin.deleted, invitation.created'],
      ['--operation', 'admin.delete', 'admins.update, admins.delete, admins.changeActivity'],
    ])(
      'refuses the unknown %s %s, because an empty list would look as if nothing had happened',
      async (option, value, others) => {
        const { code, stdout, stderr } = await backoffice(['audit', 'list', option, value], {
          env: { DATABASE_URL: service.databaseUrl },
        });
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(others);
      },
    );
  });

  describe('backoffice audit tail', () => {
    let service: TestService;
    let doors: Record<string, Record<string, string>>;
    let report: (title: string) => Promise<unknown>;

    beforeAll(async () => {
      service = await startTestService();
      const { client } = await service.signIn('superadmin', 'grace@example.com');
      report = (title) => client.call('issues.create', { title });
      const { secret } = await service.createToken('superadmin');
      doors = {
        'on the database': { DATABASE_URL: service.databaseUrl },
        'through a server': { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN: secret },
      };
      for (let n = 1; n <= 5; n++) await report(`Issue ${n} \u001b[2J`);
    });

    afterAll(() => service?.stop());

    test('shows each record once, oldest first, with the same bytes both ways', async () => {
      for (const format of [[], ['--json'], ['--json', 'id,event']]) {
        const args = ['audit', 'tail', '--since-id', '0', '--limit', '7', ...format];
        const [local, remote] = await Promise.all(
          Object.values(doors).map((env) => backoffice(args, { env })),
        );
        expect(local).toMatchObject({ code: 0 });
        expect(remote).toEqual(local);
        expect(local?.stdout).not.toContain('\u001b');
        const lines = local?.stdout.trimEnd().split('\n') ?? [];
        expect(lines).toHaveLength(7);
        if (format.length > 0) {
          const ids = lines.map((line) => JSON.parse(line).id as number);
          expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
        }
      }
    });

    test.each(['on the database', 'through a server'])(
      'shows a long trail completely, page by page, %s',
      async (door) => {
        const ids = await withClient(service.databaseUrl, async (client) => {
          await client.query(`
          select record_changes('{"kind":"operator","name":"tests","door":"cli","address":""}', 'issues.create', jsonb_agg(
            jsonb_build_object('event', 'issue.created', 'id', n)
          ))
          from generate_series(1, 1200) as n
        `);
          return (await client.query('select id from audit_records order by id')).rows.map(({ id }) => id);
        });
        const { stdout } = await backoffice(
          ['audit', 'tail', '--since-id', '0', '--limit', String(ids.length), '--json', 'id'],
          { env: doors[door] ?? {} },
        );
        expect(stdout.trimEnd().split('\n')).toEqual(ids.map((id) => `{"id":${id}}`));
      },
    );

    test.each(['on the database', 'through a server'])('shows a change as it happens, %s', async (door) => {
      const command = startBackoffice(['audit', 'tail'], { env: doors[door] ?? {} });
      await command.shows(/Following events/);
      await report(`Nothing works ${door}`);
      await command.shows(/Nothing works/);
      const { code, stdout } = await command.stop('SIGINT');
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}grace@example\.com \(http 127\.0\.0\.1\) {2}issue\.created \d+ {2}title: Nothing works [^\n]*\n$/,
      );
    });
  });
});

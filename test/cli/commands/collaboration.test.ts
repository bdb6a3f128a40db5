import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/here.ts';
import { backoffice } from '../../support/run.ts';

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

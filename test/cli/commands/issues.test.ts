import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
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

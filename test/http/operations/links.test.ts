import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, success, timestampPattern } from '../../support/here/requests.ts';
import { auditRecordsOf, createConversation, threadOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

let scrapingError: number;
let conversation: string;
let issue: number;

beforeAll(async () => {
  const [row] = await backoffice.sql<{ id: string }>(
    `with run as (insert into scraping_runs (source) values ('shop.example.org') returning run_id)
     insert into scraping_errors (run_id, message) select run_id, 'No answer in 30 s.' from run returning id`,
  );
  scrapingError = Number(row?.id);
});

beforeEach(async () => {
  ({ id: conversation } = await createConversation(backoffice));
  issue = (await backoffice.superadmin.client.call('issues.create', { title: 'Invoices are not sent' })).id;
});

const linksBy = async (query: string) =>
  ((await backoffice.api.get(`/links?${query}`)).body as { links: object[] }).links;

/** The link between the issue and the conversation, as every list shows it. */
const shown = () => ({
  issue_id: issue,
  issue_title: 'Invoices are not sent',
  issue_status: 'Open',
  conversation_id: conversation,
  conversation_subject: 'An invoice',
  scraping_error_id: null,
  scraping_error_message: null,
  created_at: expect.stringMatching(timestampPattern),
  created_by: backoffice.superadmin.email,
});

describe('creating an issue', () => {
  test('from a conversation shows the link on both sides', async () => {
    const { body } = await backoffice.api.post('/issues', {
      title: 'Invoices are not sent',
      severity: 'High',
      conversation_id: conversation,
    });
    issue = (body as { id: number }).id;
    expect(body).toEqual({ success: true, id: issue });
    expect((await threadOf(backoffice, conversation)).issues).toEqual([
      { id: issue, title: 'Invoices are not sent', status: 'Open', severity: 'High' },
    ]);
    expect(await linksBy(`issue_id=${issue}`)).toEqual([shown()]);
    expect(await linksBy(`conversation_id=${conversation}`)).toEqual([shown()]);
    expect((await auditRecordsOf(backoffice, 'issues.create')).slice(-2)).toMatchObject([
      { event: 'issue.created', subject_id: String(issue) },
      {
        event: 'link.created',
        subject_id: String(issue),
        before: null,
        after: { issue_id: issue, conversation_id: conversation },
      },
    ]);
  });

  test('from a scraping error shows the link on both sides', async () => {
    const { body } = await backoffice.api.post('/issues', { title: 'T', scraping_error_id: scrapingError });
    issue = (body as { id: number }).id;
    const link = {
      ...shown(),
      issue_title: 'T',
      conversation_id: null,
      conversation_subject: null,
      scraping_error_id: scrapingError,
      scraping_error_message: 'No answer in 30 s.',
    };
    expect(await linksBy(`issue_id=${issue}`)).toEqual([link]);
    expect(await linksBy(`scraping_error_id=${scrapingError}`)).toEqual([link]);
  });

  test('from both links both', async () => {
    const sources = { conversation_id: conversation, scraping_error_id: String(scrapingError) };
    const { body } = await backoffice.api.post('/issues', { title: 'T', ...sources });
    expect(await linksBy(`issue_id=${(body as { id: number }).id}`)).toHaveLength(2);
  });

  test("from neither gives the contract's answer", async () => {
    const sources = { conversation_id: '', scraping_error_id: null };
    const { body } = await backoffice.api.post('/issues', { title: 'T', ...sources });
    expect(body).toEqual({ success: true, id: expect.any(Number) });
    expect(await linksBy(`issue_id=${(body as { id: number }).id}`)).toEqual([]);
  });
});

describe('a link', () => {
  const link = (fields: object = {}) =>
    backoffice.api.post('/links', { issue_id: issue, conversation_id: conversation, ...fields });
  const unlink = (query: string) => backoffice.api.delete(`/links?issue_id=${issue}&${query}`);

  test('is created once, and removed', async () => {
    expect(await link()).toEqual(success);
    expect(await linksBy(`issue_id=${issue}`)).toEqual([shown()]);
    expect(await link()).toEqual(errorResponse(409, 'This link exists already.'));
    expect(await unlink(`conversation_id=${conversation}`)).toEqual(success);
    expect(await linksBy(`issue_id=${issue}`)).toEqual([]);
    expect(await unlink(`conversation_id=${conversation}`)).toEqual(success);
    const records = (await auditRecordsOf(backoffice, 'links.delete')).filter(
      ({ subject_id }) => subject_id === String(issue),
    );
    expect(records).toEqual([
      {
        event: 'link.deleted',
        subject_id: String(issue),
        before: { issue_id: issue, conversation_id: conversation },
        after: null,
      },
    ]);
  });

  test('is created once by ten requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => link()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await linksBy(`issue_id=${issue}`)).toHaveLength(1);
  });

  test('is removed without other links', async () => {
    await link();
    await link({ conversation_id: undefined, scraping_error_id: scrapingError });
    await unlink(`scraping_error_id=${scrapingError}`);
    expect(await linksBy(`issue_id=${issue}`)).toEqual([shown()]);
  });

  test("shows its issue's current title and status, and is deleted with it", async () => {
    await link();
    await backoffice.api.put('/issues', { id: issue, status: 'Resolved' });
    expect(await linksBy(`issue_id=${issue}`)).toEqual([{ ...shown(), issue_status: 'Resolved' }]);
    await backoffice.sql('delete from issues where id = $1', [issue]);
    expect((await threadOf(backoffice, conversation)).issues).toEqual([]);
  });
});

describe('the list of links', () => {
  test('is ordered newest first, for several issues or errors at once', async () => {
    const issues: number[] = [];
    for (const title of ['one', 'two', 'three']) {
      const source = { title, conversation_id: conversation };
      issues.push((await backoffice.superadmin.client.call('issues.create', source)).id);
    }
    const titlesBy = async (query: string) =>
      (await linksBy(query)).map((each) => (each as { issue_title: string }).issue_title);
    expect(await titlesBy(`conversation_id=${conversation}`)).toEqual(['three', 'two', 'one']);
    expect(await titlesBy(`issue_id=${issues[0]},${issues[2]},0,abc`)).toEqual(['three', 'one']);
    expect(await titlesBy(`conversation_id=${conversation}&q=TWO`)).toEqual(['two']);
    expect(await titlesBy('issue_id=abc')).toEqual([]);
  });
});

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { apiOfRole, apiOfToken } from '../../support/here/accounts.ts';
import {
  type Api,
  apiAs,
  atOnce,
  countByStatus,
  errorResponse,
  success,
  timestampPattern,
} from '../../support/here/requests.ts';
import { auditRecordsOf, createConversation, createIssues, threadOf } from '../../support/here/rows.ts';
import { backofficeHere, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();

let user: SignedIn;
let asUser: Api;
let issue: number;
let conversation: string;

beforeAll(async () => {
  user = await backoffice.service.signIn('user', 'ursula@example.com');
  asUser = apiAs(backoffice.service.url, user);
});

beforeEach(async () => {
  ({ id: conversation } = await createConversation(backoffice, 'Hello?'));
  issue = (await backoffice.superadmin.client.call('issues.create', { title: 'Invoices are not sent' })).id;
});

type Page = OutputOf<'comments.list'>;

const add = async (fields: Partial<InputOf<'comments.create'>> = {}, { client } = user): Promise<number> =>
  (await client.call('comments.create', { issue_id: issue, content: 'A note', ...fields })).comment.id;

const onConversation = () => ({ issue_id: undefined, conversation_id: conversation });

const read = async (query: string) => (await asUser.get(`/comments?${query}`)).body as Page;
const contentsOf = ({ comments }: Page) => comments.map(({ content }) => content);

describe('a comment', () => {
  test('on an issue is shown with its author, who alone edits it, and is deleted by the author or an admin', async () => {
    const id = await add({ issue_id: String(issue), content: ' Only Safari ' });
    const at = expect.stringMatching(timestampPattern);
    const of = { issue_id: issue, conversation_id: null };
    const author = { id: user.id, email: user.email, username: 'ursula' };
    const shown = { ...of, id, content: ' Only Safari ', author, created_at: at, updated_at: at };
    expect(await read(`issue_id=${issue}`)).toEqual({ comments: [shown], nextCursor: null });
    expect(await read(`id=${id}`)).toEqual({ comments: [shown], nextCursor: null });
    expect(await backoffice.api.put('/comments', { id, content: 'X' })).toEqual(
      errorResponse(403, 'Only its author can edit a comment.'),
    );
    expect(await asUser.put('/comments', { id: `${id}`, content: 'After' })).toEqual(success);
    expect(contentsOf(await read(`id=${id}`))).toEqual(['After']);
    const other = await apiOfRole(backoffice, 'user');
    expect(await other.delete(`/comments?id=${id}`)).toEqual(
      errorResponse(403, 'Only its author or an admin can delete a comment.'),
    );
    expect(await asUser.delete(`/comments?id=${id}`)).toEqual(success);
    const admin = await apiOfRole(backoffice, 'admin');
    expect(await admin.delete(`/comments?id=${await add()}`)).toEqual(success);
    expect(await read(`issue_id=${issue}`)).toEqual({ comments: [], nextCursor: null });
    const [before, after] = [' Only Safari ', 'After'].map((content) => ({ ...of, content }));
    const records = ['create', 'update', 'delete'].map((verb) =>
      auditRecordsOf(backoffice, `comments.${verb}`, id),
    );
    expect((await Promise.all(records)).flat()).toMatchObject([
      { event: 'comment.created', before: null, after: before },
      { event: 'comment.updated', before, after },
      { event: 'comment.deleted', before: after, after: null },
    ]);
  });

  test('on a conversation is neither among its messages, nor its last message, nor unread, and does not move it', async () => {
    const before = await threadOf(backoffice, conversation);
    await add(onConversation());
    expect(await threadOf(backoffice, conversation)).toEqual(before);
    expect(contentsOf(await read(`conversation_id=${conversation}`))).toEqual(['A note']);
  });

  test('ends with its issue, with its conversation, and with a TRUNCATE of the issues', async () => {
    const [other = 0] = await createIssues(backoffice, 1);
    const onIssue = await add();
    const inConversation = await add(onConversation());
    const onOther = await add({ issue_id: other });
    const left = async () =>
      (await backoffice.sql('select id from comments where id >= $1 order by id', [onIssue])).map(({ id }) =>
        Number(id),
      );
    await backoffice.sql('delete from issues where id = $1', [issue]);
    expect(await left()).toEqual([inConversation, onOther]);
    await backoffice.api.delete(`/conversations?id=${conversation}`);
    await backoffice.sql('truncate issues');
    expect(await left()).toEqual([]);
  });
});

describe('the list of comments', () => {
  test('has the newest on its first page, oldest first, and the cursor leads to older ones', async () => {
    for (let index = 1; index <= 5; index += 1) await add({ content: `${index}` });
    // A tie, which the id breaks.
    await backoffice.sql('update comments set created_at = now() where issue_id = $1', [issue]);
    let cursor: string | null | undefined = '';
    for (const contents of [['4', '5'], ['2', '3'], ['1']]) {
      const page: Page = await read(`issue_id=${issue}&limit=2&cursor=${cursor}`);
      expect(contentsOf(page)).toEqual(contents);
      cursor = page.nextCursor;
    }
    expect(cursor).toBeNull();
  });

  test('has pages of a limited size', async () => {
    await backoffice.sql(
      `insert into comments (issue_id, content) select $1, repeat('🐛', 100000) from generate_series(1, 30)`,
      [issue],
    );
    const first = await read(`issue_id=${issue}&limit=1000`);
    expect(first.comments.length).toBeLessThan(30);
    const second = await read(`issue_id=${issue}&limit=1000&cursor=${first.nextCursor}`);
    expect(first.comments.length + second.comments.length).toBe(30);
    expect(second.nextCursor).toBeNull();
  });
});

describe('the author of a comment', () => {
  test('keeps the comments when its account changes, and when it is deleted', async () => {
    const author = await backoffice.service.signIn('user', 'old@example.com');
    await add({}, author);
    const shownAuthor = async () => (await read(`issue_id=${issue}`)).comments[0]?.author;
    await backoffice.api.put('/admins', { id: author.id, email: 'new@example.com', username: 'Renamed' });
    expect(await shownAuthor()).toEqual({ id: author.id, email: 'new@example.com', username: 'Renamed' });
    expect(await backoffice.api.delete(`/admins?id=${author.id}`)).toEqual(success);
    expect(await shownAuthor()).toEqual({ id: author.id, email: 'old@example.com', username: 'old' });
  });

  test('may be an API token', async () => {
    const asToken = await apiOfToken(backoffice, 'user');
    const { body } = await asToken.post('/comments', { issue_id: issue, content: 'Mine' });
    const { id } = (body as OutputOf<'comments.create'>).comment;
    const author = { id: null, email: null, username: 'token:tests' };
    expect((await read(`id=${id}`)).comments).toMatchObject([{ author }]);
    expect(await asToken.put('/comments', { id, content: 'Edited' })).toEqual(success);
  });
});

let scrapingError: number;

beforeAll(async () => {
  const [row] = await backoffice.sql<{ id: string }>(
    `with run as (insert into scraping_runs (source) values ('shop.example.org') returning run_id)
     insert into scraping_errors (run_id, message) select run_id, 'No answer in 30 s.' from run returning id`,
  );
  scrapingError = Number(row?.id);
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

test('an issue that is created from a conversation and a scraping error is linked to both', async () => {
  const title = 'Invoices are not sent';
  const sources = { conversation_id: conversation, scraping_error_id: String(scrapingError) };
  issue = (await backoffice.superadmin.client.call('issues.create', { title, ...sources })).id;
  expect((await threadOf(backoffice, conversation)).issues).toEqual([
    { id: issue, title, status: 'Open', severity: 'Low' },
  ]);
  const ofError = {
    ...shown(),
    conversation_id: null,
    conversation_subject: null,
    scraping_error_id: scrapingError,
    scraping_error_message: 'No answer in 30 s.',
  };
  expect(await linksBy(`conversation_id=${conversation}`)).toEqual([shown()]);
  expect(await linksBy(`scraping_error_id=${scrapingError}`)).toEqual([ofError]);
  expect(new Set(await linksBy(`issue_id=${issue}`))).toEqual(new Set([ofError, shown()]));
  const records = await auditRecordsOf(backoffice, 'issues.create', issue);
  expect(records.map(({ event }) => event)).toEqual(['issue.created', 'link.created', 'link.created']);
  expect(records).toContainEqual(
    expect.objectContaining({ before: null, after: { issue_id: issue, conversation_id: conversation } }),
  );
});

describe('a link', () => {
  const link = (fields: object = {}) =>
    backoffice.api.post('/links', { issue_id: issue, conversation_id: conversation, ...fields });
  const unlink = (query: string) => backoffice.api.delete(`/links?issue_id=${issue}&${query}`);

  test('is created once, also by ten requests at once, and removed without other links', async () => {
    expect(countByStatus(await atOnce(10, () => link()))).toEqual({ 200: 1, 409: 9 });
    expect(await link()).toEqual(errorResponse(409, 'This link exists already.'));
    await link({ conversation_id: undefined, scraping_error_id: scrapingError });
    await unlink(`scraping_error_id=${scrapingError}`);
    expect(await linksBy(`issue_id=${issue}`)).toEqual([shown()]);
    for (let time = 0; time < 2; time++)
      expect(await unlink(`conversation_id=${conversation}`)).toEqual(success);
    expect(await linksBy(`issue_id=${issue}`)).toEqual([]);
    const before = { issue_id: issue, conversation_id: conversation };
    expect((await auditRecordsOf(backoffice, 'links.delete', issue)).slice(1)).toEqual([
      { event: 'link.deleted', subject_id: String(issue), before, after: null },
    ]);
  });

  test("shows its issue's current title and status, and is deleted with it", async () => {
    await link();
    await backoffice.api.put('/issues', { id: issue, status: 'Resolved' });
    expect(await linksBy(`issue_id=${issue}`)).toEqual([{ ...shown(), issue_status: 'Resolved' }]);
    await backoffice.sql('delete from issues where id = $1', [issue]);
    expect((await threadOf(backoffice, conversation)).issues).toEqual([]);
  });
});

test('the list of links is ordered newest first, for several issues at once', async () => {
  const issues: number[] = [];
  for (const title of ['one', 'two', 'three']) {
    const source = { title, conversation_id: conversation };
    issues.push((await backoffice.superadmin.client.call('issues.create', source)).id);
  }
  for (const [query, titles] of [
    [`conversation_id=${conversation}`, ['three', 'two', 'one']],
    [`issue_id=${issues[0]},${issues[2]},0,abc`, ['three', 'one']],
    [`conversation_id=${conversation}&q=TWO`, ['two']],
  ] as const)
    expect(await linksBy(query)).toMatchObject(titles.map((issue_title) => ({ issue_title })));
});

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { type Api, apiAs, errorResponse, success, timestampPattern } from '../../support/here/requests.ts';
import { auditRecordsOf, createConversation, threadOf } from '../../support/here/rows.ts';
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

const add = async (fields: object, api = asUser): Promise<number> => {
  const { body } = await api.post('/comments', { issue_id: issue, content: 'A note', ...fields });
  return (body as { comment: { id: number } }).comment.id;
};

const read = async (query: string) => (await asUser.get(`/comments?${query}`)).body as Page;

const contentsOf = ({ comments }: Page) => comments.map(({ content }) => content);

describe('a comment', () => {
  test('on an issue is shown with its author, and recorded', async () => {
    const { status, body } = await asUser.post('/comments', {
      issue_id: String(issue),
      content: ' Only Safari ',
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, comment: { id: expect.any(Number) } },
    });
    const { id } = (body as { comment: { id: number } }).comment;
    const shown = {
      id,
      issue_id: issue,
      conversation_id: null,
      author: { id: user.id, email: user.email, username: 'ursula' },
      content: ' Only Safari ',
      created_at: expect.stringMatching(timestampPattern),
      updated_at: expect.stringMatching(timestampPattern),
    };
    expect(await read(`issue_id=${issue}`)).toEqual({ comments: [shown], nextCursor: null });
    expect(await read(`id=${id}`)).toEqual({ comments: [shown], nextCursor: null });
    expect((await auditRecordsOf(backoffice, 'comments.create')).at(-1)).toEqual({
      event: 'comment.created',
      subject_id: String(id),
      before: null,
      after: { issue_id: issue, conversation_id: null, content: ' Only Safari ' },
    });
  });

  test('on a conversation is neither among its messages, nor its last message, nor unread, and does not move it', async () => {
    const before = await threadOf(backoffice, conversation);
    await add({ issue_id: undefined, conversation_id: conversation, content: 'Internal!' });
    expect(await threadOf(backoffice, conversation)).toEqual(before);
    expect(contentsOf(await read(`conversation_id=${conversation}`))).toEqual(['Internal!']);
  });

  test('of 100,000 characters outside the BMP is stored, and recorded with its first 200', async () => {
    const content = '🐛'.repeat(100_000);
    await add({ content });
    expect(contentsOf(await read(`issue_id=${issue}`))).toEqual([content]);
    const record = (await auditRecordsOf(backoffice, 'comments.create')).at(-1);
    expect(record?.after).toMatchObject({ content: `${'🐛'.repeat(200)}…` });
  });

  test('ends with its issue, with its conversation, and with a TRUNCATE of the issues', async () => {
    await add({});
    await add({ issue_id: undefined, conversation_id: conversation });
    const other = (await backoffice.superadmin.client.call('issues.create', { title: 'Another' })).id;
    await add({ issue_id: other });
    const left = () =>
      backoffice.sql(
        'select issue_id::int, conversation_id from comments where issue_id = any($1) or conversation_id = $2 order by id',
        [[issue, other], conversation],
      );
    await backoffice.sql('delete from issues where id = $1', [issue]);
    expect(await left()).toEqual([
      { issue_id: null, conversation_id: conversation },
      { issue_id: other, conversation_id: null },
    ]);
    await backoffice.api.delete(`/conversations?id=${conversation}`);
    expect(await left()).toEqual([{ issue_id: other, conversation_id: null }]);
    await backoffice.sql('truncate issues');
    expect(await left()).toEqual([]);
  });
});

describe('the list', () => {
  test('has the newest on its first page, oldest first, and the cursor leads to older ones', async () => {
    for (let index = 1; index <= 5; index += 1) await add({ content: `${index}` });
    // A tie, which the id breaks.
    await backoffice.sql('update comments set created_at = now() where issue_id = $1', [issue]);
    const first = await read(`issue_id=${issue}&limit=2`);
    expect(contentsOf(first)).toEqual(['4', '5']);
    const second = await read(`issue_id=${issue}&limit=2&cursor=${first.nextCursor}`);
    expect(contentsOf(second)).toEqual(['2', '3']);
    const third = await read(`issue_id=${issue}&limit=2&cursor=${second.nextCursor}`);
    expect(third).toMatchObject({ comments: [{ content: '1' }], nextCursor: null });
  });

  test('has pages of a limited size', async () => {
    const content = '🐛'.repeat(100_000);
    await backoffice.sql(
      'insert into comments (issue_id, content) select $1, $2 from generate_series(1, 30)',
      [issue, content],
    );
    const first = await read(`issue_id=${issue}&limit=1000`);
    expect(first.comments.length).toBeGreaterThan(10);
    expect(first.comments.length).toBeLessThan(30);
    const second = await read(`issue_id=${issue}&limit=1000&cursor=${first.nextCursor}`);
    expect(first.comments.length + second.comments.length).toBe(30);
    expect(second.nextCursor).toBeNull();
  });

  test('accepts comments that an operator inserts', async () => {
    await backoffice.sql(`insert into comments (issue_id, content) values ($1, 'By SQL')`, [issue]);
    expect((await read(`issue_id=${issue}`)).comments).toMatchObject([{ author: null, content: 'By SQL' }]);
  });
});

describe('an author', () => {
  test('keeps the comments when its account changes, and when it is deleted', async () => {
    const author = await backoffice.service.signIn('user', 'old@example.com');
    await add({}, apiAs(backoffice.service.url, author));
    const shownAuthor = async () => (await read(`issue_id=${issue}`)).comments[0]?.author;
    await backoffice.api.put('/admins', { id: author.id, email: 'new@example.com', username: 'Renamed' });
    expect(await shownAuthor()).toEqual({ id: author.id, email: 'new@example.com', username: 'Renamed' });
    expect(await backoffice.api.delete(`/admins?id=${author.id}`)).toEqual(success);
    expect(await shownAuthor()).toEqual({ id: author.id, email: 'old@example.com', username: 'old' });
  });

  test('may be an API token', async () => {
    const { secret } = await backoffice.service.createToken('user');
    const asToken = apiAs(backoffice.service.url, { authorization: `Bearer ${secret}` });
    const id = await add({}, asToken);
    expect((await read(`id=${id}`)).comments).toMatchObject([
      { author: { id: null, email: null, username: 'token:tests' } },
    ]);
    expect(await asToken.put('/comments', { id, content: 'Edited' })).toEqual(success);
    const other = await backoffice.service.createToken('superadmin');
    const asOther = apiAs(backoffice.service.url, { authorization: `Bearer ${other.secret}` });
    expect(await asOther.put('/comments', { id, content: 'X' })).toEqual(
      errorResponse(403, 'Only its author can edit a comment.'),
    );
  });
});

describe('editing', () => {
  test("is the author's alone, and recorded", async () => {
    const id = await add({ content: 'Before' });
    expect(await backoffice.api.put('/comments', { id, content: 'X' })).toEqual(
      errorResponse(403, 'Only its author can edit a comment.'),
    );
    expect(await asUser.put('/comments', { id: `${id}`, content: 'After' })).toEqual(success);
    const [comment] = (await read(`id=${id}`)).comments;
    expect(comment?.content).toBe('After');
    expect(Date.parse(comment?.updated_at ?? '')).toBeGreaterThanOrEqual(
      Date.parse(comment?.created_at ?? ''),
    );
    expect(await auditRecordsOf(backoffice, 'comments.update')).toContainEqual({
      event: 'comment.updated',
      subject_id: String(id),
      before: { issue_id: issue, conversation_id: null, content: 'Before' },
      after: { issue_id: issue, conversation_id: null, content: 'After' },
    });
  });
});

describe('deleting', () => {
  test('is for the author and for admins', async () => {
    const id = await add({});
    const other = apiAs(backoffice.service.url, await backoffice.service.signIn('user'));
    const admin = apiAs(backoffice.service.url, await backoffice.service.signIn('admin'));
    expect(await other.delete(`/comments?id=${id}`)).toEqual(
      errorResponse(403, 'Only its author or an admin can delete a comment.'),
    );
    expect(await asUser.delete(`/comments?id=${id}`)).toEqual(success);
    expect(await read(`id=${id}`)).toEqual({ comments: [], nextCursor: null });
    expect((await auditRecordsOf(backoffice, 'comments.delete')).at(-1)).toEqual({
      event: 'comment.deleted',
      subject_id: String(id),
      before: { issue_id: issue, conversation_id: null, content: 'A note' },
      after: null,
    });
    const second = await add({});
    expect(await admin.delete(`/comments?id=${second}`)).toEqual(success);
    expect(await read(`issue_id=${issue}`)).toEqual({ comments: [], nextCursor: null });
  });
});

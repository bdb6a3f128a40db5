import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { messageNotice } from '../../web/src/app/notice.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { choose, dialog, hold, live, pressForeign, seen, startConversation, submit, undo } from './steps.ts';

const dashboard = webHere();
let id: string;

beforeEach(async () => {
  await dashboard.backoffice.sql('delete from conversations');
  id = await startConversation(dashboard.backoffice, 'Karim', 'Invoice', 'Where is it?');
});

const log = (page: Page) => page.getByRole('log');
const inLog = (page: Page, text: string) => log(page).getByText(text, { exact: true });
const item = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(name) });
const list = (page: Page) => page.getByRole('grid', { name: 'Conversations' });
const field = (page: Page) => page.getByRole('textbox', { name: 'Reply' });

const writeAsVisitor = (content: string) =>
  dashboard.backoffice.superadmin.client.call('messages.create', {
    conversation_id: id,
    content,
    sender_type: 'visitor',
  });

const unreadMessages = () =>
  dashboard.backoffice.sql(
    `select from conversation_messages where conversation_id = $1 and sender_type = 'visitor' and status = 'sent'`,
    [id],
  );

async function statuses() {
  const rows = await dashboard.backoffice.sql('select status from conversations order by visitor_name');
  return rows.map(({ status }) => status);
}

test('a message of the visitor comes to the screen, is counted in the title, and is read', async () => {
  const page = await dashboard.open('/');
  await live(page);
  await expect.poll(() => page.title()).toMatch(/^\(\d+\) Overview/);
  await page.goto(`${dashboard.backoffice.service.url}/conversations?id=${id}`);
  await live(page);
  await writeAsVisitor('Anybody?');
  await inLog(page, 'Anybody?').waitFor();
  await expect.poll(unreadMessages).toHaveLength(0);

  // A screen that nobody looks at reads nothing, until somebody is there again.
  await page.evaluate('{ const { now } = Date; Date.now = () => now() + 120_000; }');
  await writeAsVisitor('Still there?');
  await inLog(page, 'Still there?').waitFor();
  await item(page, 'Karim').getByText('1 unread').waitFor();
  expect(await unreadMessages()).toHaveLength(1);
  await page.mouse.move(500, 300);
  await expect.poll(unreadMessages).toHaveLength(0);
});

test('who reads above is not disturbed by earlier and by new messages', async () => {
  await dashboard.backoffice.sql(
    `insert into conversation_messages (conversation_id, sender_type, content, status, created_at)
     select $1, case when n % 2 = 0 then 'visitor' else 'admin' end, 'Message ' || n, case when n > 118 then 'sent' else 'read' end,
       now() + n * interval '1 millisecond'
     from generate_series(1, 120) n`,
    [id],
  );
  const page = await dashboard.open(`/conversations?id=${id}`);
  await inLog(page, 'Message 120').waitFor();
  // The line is above the first message that nobody has read.
  const line = log(page).getByText('new', { exact: true });
  const top = async (text: string) => (await inLog(page, text).boundingBox())?.y ?? Number.NaN;
  const isAbove = async (text: string) => ((await line.boundingBox())?.y ?? Number.NaN) < (await top(text));
  await expect.poll(() => isAbove('Message 120')).toBe(true);
  await expect.poll(unreadMessages).toHaveLength(0);

  const reading = inLog(page, 'Message 76');
  await page.evaluate(`document.querySelector('[role="log"]').scrollTo({ top: 150 })`);
  await reading.waitFor();
  const before = await top('Message 76');
  await inLog(page, 'Message 30').waitFor({ state: 'attached' });
  expect(Math.abs((await top('Message 76')) - before)).toBeLessThan(2);

  await live(page);
  await writeAsVisitor('Anybody?');
  await writeAsVisitor('Hello?');
  const toEnd = page.getByRole('button', { name: '2 new ↓' });
  await toEnd.waitFor();
  expect(Math.abs((await top('Message 76')) - before)).toBeLessThan(2);
  expect(await unreadMessages()).toHaveLength(2);
  await toEnd.click();
  await expect.poll(unreadMessages).toHaveLength(0);
});

test('earlier messages come, also if the conversation changes while they are on their way', async () => {
  await dashboard.backoffice.sql(
    `insert into conversation_messages (conversation_id, sender_type, content, status, created_at)
     select $1, 'visitor', 'Message ' || n, 'read', now() + n * interval '1 millisecond' from generate_series(1, 120) n`,
    [id],
  );
  const page = await dashboard.open(`/conversations?id=${id}`);
  await inLog(page, 'Message 120').waitFor();
  await live(page);
  const asked = page.waitForRequest(/cursor=/);
  const release = await hold(page, /cursor=/);
  await page.evaluate(`document.querySelector('[role="log"]').scrollTo({ top: 150 })`);
  await asked;
  const again = page.waitForResponse((response) => /messages\?(?!.*cursor=)/.test(response.url()));
  const { client } = dashboard.backoffice.superadmin;
  await client.call('conversations.update', { ids: [id], set: { status: 'pending' } });
  await again;
  release();
  await inLog(page, 'Message 30').waitFor({ state: 'attached' });
});

test('finds conversations, changes several at once, and undoes it', async () => {
  await startConversation(dashboard.backoffice, 'Lena', 'Refund', 'Please');
  await startConversation(dashboard.backoffice, 'Mia', 'Delivery', 'When?');
  const page = await dashboard.open('/conversations');
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('refu');
  await expect.poll(() => page.getByRole('row').count()).toBe(1);
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('');
  await item(page, 'Mia').waitFor();

  // The last that a low window shows is still seen above what comes below the list with a selection.
  await page.setViewportSize({ width: 1440, height: 500 });
  await list(page).focus();
  for (const key of ['j', 'j']) await page.keyboard.press(key);
  await pressForeign(page, 'ч', 'KeyX');
  const selected = page.getByRole('region', { name: 'Selected conversations' });
  await selected.waitFor();
  await seen(item(page, 'Karim'));
  await page.keyboard.press('x');
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const key of ['Home', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
  await selected.getByText('3 conversations selected').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await choose(page, 'Set status', 'Resolved');
  await page.getByText('3 conversations changed').waitFor();
  expect(await statuses()).toEqual(['resolved', 'resolved', 'resolved']);
  await undo(page, '3 conversations changed');
  await page.getByText('3 conversations restored.').waitFor();
  expect(await statuses()).toEqual(['open', 'open', 'open']);

  // All that the filter finds, by the filter, as one change.
  await page.getByRole('button', { name: 'Unread', exact: true }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?unread=true');
  await list(page).focus();
  await page.keyboard.press('Control+a');
  await selected.getByRole('button', { name: 'Mark as read' }).click();
  await page.getByRole('heading', { name: 'No conversation matches' }).waitFor();
  await undo(page, '3 conversations changed');
  await expect.poll(() => page.getByRole('row').count()).toBe(3);
});

test('keys change a conversation of the list, and resolving the open one goes to the next', async () => {
  await startConversation(dashboard.backoffice, 'Lena', 'Refund', 'Please');
  await startConversation(dashboard.backoffice, 'Mia', 'Delivery', 'When?');
  const page = await dashboard.open('/conversations?status=open');
  expect(await item(page, 'Mia').getAttribute('href')).toMatch(/[?&]id=/);
  await list(page).focus();
  await page.keyboard.press('m');
  await item(page, 'Mia').getByText('You', { exact: true }).waitFor();
  await page.keyboard.press('l');
  await dialog(page).getByLabel('Labels').fill('Billing');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await item(page, 'Mia').getByText('Billing', { exact: true }).waitFor();
  await expect.poll(() => dialog(page).count()).toBe(0);

  await page.keyboard.press('Enter');
  await inLog(page, 'When?').waitFor();
  await page.keyboard.press('e');
  await inLog(page, 'Please').waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  // The keys also act on the open conversation while the focus is elsewhere.
  await page
    .getByRole('region', { name: 'Conversations' })
    .getByText('Conversations', { exact: true })
    .click();
  await page.keyboard.press('e');
  await inLog(page, 'Where is it?').waitFor();
  await expect.poll(statuses).toEqual(['open', 'resolved', 'resolved']);
  await undo(page, 'The conversation with Lena is resolved');
  await item(page, 'Lena').waitFor();
});

test('what changes last comes first, but moves nothing below which one reads', async () => {
  await dashboard.backoffice.sql(`
    insert into conversations (id, visitor_name, visitor_email, subject, updated_at)
    select 'conv_' || n, 'Visitor ' || n, 'visitor' || n || '@example.com', 'Number ' || n, now() - n * interval '1 minute'
    from generate_series(1, 600) n`);
  const page = await dashboard.open('/conversations', { expected: [500] });
  await live(page);
  const first = page.getByRole('row').first();
  await first.getByText('Karim').waitFor();
  const writeIn = (n: number) =>
    dashboard.backoffice.superadmin.client.call('messages.create', {
      conversation_id: `conv_${n}`,
      content: `Hello from ${n}`,
      sender_type: 'visitor',
    });
  // One that is loaded, and one of the next page.
  await writeIn(20);
  await first.getByText('Hello from 20').waitFor();
  await writeIn(590);
  await first.getByText('Hello from 590').waitFor();

  await page.evaluate(`document.querySelector('[role="grid"]').scrollTo({ top: 800 })`);
  await item(page, 'Number 10$').waitFor();
  const top = async () => (await item(page, 'Number 10$').boundingBox())?.y;
  const before = await top();
  await writeIn(30);
  const news = page.getByRole('button', { name: '1 new' });
  await news.waitFor();
  expect(await top()).toBe(before);
  await news.click();
  await first.getByText('Hello from 30').waitFor();

  // A next page that fails is asked for again on demand, and not in a loop.
  let asked = 0;
  await page.route(/cursor=/, (route) => {
    asked += 1;
    return route.fulfill({ status: 500, json: { error: 'Out of order' } });
  });
  await list(page).focus();
  await page.keyboard.press('End');
  await page.getByRole('alert').getByText('Out of order').waitFor({ timeout: 20_000 });
  const { length } = Array.from({ length: asked });
  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  expect(asked).toBe(length);
  await page.unroute(/cursor=/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('an unread conversation that is read stays where it is until it is left, also as unread for somebody else', async () => {
  await startConversation(dashboard.backoffice, 'Lena', 'Refund', 'Please');
  const page = await dashboard.open('/conversations?unread=true');
  await item(page, 'Lena').click();
  await expect.poll(() => item(page, 'Lena').getByText('unread').count()).toBe(0);
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await item(page, 'Karim').click();
  await expect.poll(() => page.getByRole('row').count()).toBe(1);
  await expect.poll(unreadMessages).toHaveLength(0);
  await choose(page, /^Actions for the conversation/, 'Mark as unread');
  await expect.poll(unreadMessages).toHaveLength(1);
  await item(page, 'Karim').getByText('1 unread').waitFor();
  expect(new URL(page.url()).search).toBe('?unread=true');
});

test('assigns, changes the status, makes an issue, and deletes the conversation', async () => {
  await startConversation(dashboard.backoffice, 'Karim', 'Earlier question', 'Hm');
  const page = await dashboard.open(`/conversations?id=${id}`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('link', { name: 'Earlier question' }).waitFor();
  await details.getByRole('button', { name: 'Assign to me' }).click();
  await page.getByText('Conversation changed').waitFor();

  await details.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Pending', exact: true }).click();
  await expect.poll(statuses).toContain('pending');
  await page
    .getByRole('region', { name: /^Conversation with/ })
    .getByText('Pending')
    .waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(statuses).toEqual(['open', 'open']);
  await details.getByLabel('Labels').fill('regular');
  await page.keyboard.press('Enter');
  await item(page, 'Invoice.*regular').waitFor();
  await page.getByRole('button', { name: 'Resolve and next' }).click();
  await inLog(page, 'Hm').waitFor();
  await details.getByRole('link', { name: 'Invoice' }).click();
  await page.getByRole('button', { name: 'Reopen' }).click();
  await expect.poll(statuses).toEqual(['open', 'open']);

  await details.getByRole('button', { name: 'Make an issue' }).click();
  const description = dialog(page).getByLabel('Description');
  await expect.poll(() => description.inputValue()).toBe('Karim wrote:\n\n> Where is it?');
  await submit(dialog(page), { Title: 'Invoices are not sent' }, 'Report');
  await details.getByRole('link', { name: /Invoices are not sent/ }).waitFor();
  await details.getByRole('button', { name: /^Unlink issue/ }).click();
  await undo(page, 'unlinked');
  await details.getByRole('link', { name: /Invoices are not sent/ }).waitFor();

  await choose(page, /^Actions for the conversation/, 'Delete…');
  const question = dialog(page, 'Delete the conversation with Karim?');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(statuses).toEqual(['open']);
  await page.getByRole('heading', { name: 'Choose a conversation' }).waitFor();
});

test('a slash fills in a saved reply, and the old address of them leads to their page', async () => {
  const { client } = dashboard.backoffice.superadmin;
  const reply = { title: 'Greeting', content: 'Hello {{visitor_name}}, about {{conversation_id}}' };
  await client.call('savedReplies.create', { ...reply, shortcut: 'hello' });
  const page = await dashboard.open('/conversations?show=saved-replies');
  await page.getByRole('heading', { name: 'Saved replies' }).waitFor();
  await page.goto(`${dashboard.backoffice.service.url}/saved-replies?edit=99999`);
  await dialog(page).getByText('There is no such saved reply').waitFor();
  await page.goto(`${dashboard.backoffice.service.url}/conversations?id=${id}`);

  await field(page).pressSequentially('/hel');
  await page.getByRole('option', { name: /Greeting/ }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => field(page).inputValue()).toBe(`Hello Karim, about ${id}`);

  await field(page).fill('/shrug');
  await page.getByText('No saved reply matches.').waitFor();
  await field(page).press('Control+Enter');
  await inLog(page, '/shrug').waitFor();
});

test('texts of visitors have their own direction, and turn nothing beside them around', async () => {
  const hebrew = 'שלום עולם.';
  const { superadmin, sql } = dashboard.backoffice;
  await sql('update conversations set visitor_name = $2, subject = $3 where id = $1', [
    id,
    '\u202eKarim',
    hebrew,
  ]);
  await writeAsVisitor(hebrew);
  const comment = { conversation_id: id, content: hebrew };
  await superadmin.client.call('comments.create', comment);
  const page = await dashboard.open(`/conversations?id=${id}`);
  const drawn = (selector: string, text: string, what: string) =>
    page.evaluate(`
      [...document.querySelectorAll('${selector}')].filter((each) => each.textContent === '${text}').map((each) => {
        const leftOf = (index) => {
          const range = document.createRange();
          range.setStart(each.firstChild, index);
          range.setEnd(each.firstChild, index + 1);
          return range.getBoundingClientRect().left;
        };
        return ${what};
      })`);
  const direction = 'getComputedStyle(each).direction';
  // In the list twice, as the title, the message and the comment.
  await expect.poll(() => drawn('h2, p, span[dir]', hebrew, direction)).toEqual(Array(5).fill('rtl'));
  // Beside the name, which would turn it around, and in the details.
  expect(await drawn('bdi', 'karim@example.com', 'leftOf(0) < leftOf(16)')).toEqual([true, true]);
  await field(page).fill(hebrew);
  expect(await page.evaluate(`getComputedStyle(document.activeElement).direction`)).toBe('rtl');
});

test('a visitor has all their conversations, and none of somebody whose address ends alike', async () => {
  await dashboard.backoffice.sql(`
    insert into conversations (visitor_name, visitor_email, subject, created_at)
    select 'Fred', 'fred@example.com', 'Of Fred', now() from generate_series(1, 21)
    union all select 'Ed', mail, subject, now() - interval '1 year'
    from (values ('ed@example.com', 'Of Ed'), ('ED@example.com ', 'Earlier')) as given (mail, subject)
  `);
  const page = await dashboard.open('/conversations?q=Ed%20Of');
  await item(page, 'Of Ed').click();
  const visitor = page.getByRole('region', { name: 'Other conversations' });
  await visitor.getByRole('link', { name: 'Earlier' }).waitFor();
  expect(await visitor.getByRole('link', { name: 'Of Fred' }).count()).toBe(0);
  expect(await visitor.getByText('None').count()).toBe(0);
});

test('comments of the team are apart from the messages, and come from colleagues at once', async () => {
  const page = await dashboard.open(`/conversations?id=${id}`);
  await live(page);
  const internal = page.getByRole('region', { name: 'Internal, visitors never see this' });
  await internal.getByRole('textbox', { name: 'Comment' }).fill('A regular customer');
  await internal.getByRole('button', { name: 'Add comment' }).click();
  await internal.getByText('A regular customer').waitFor();
  const colleague = (await dashboard.backoffice.service.signIn('user')).client;
  await colleague.call('comments.create', { conversation_id: id, content: 'Be generous' });
  await internal.getByText('Be generous').waitFor();
  expect(
    await log(page)
      .getByText(/regular|generous/)
      .count(),
  ).toBe(0);

  // Escape leaves the form alone, and asks before what was typed is lost.
  await internal.getByRole('button', { name: 'Edit' }).click();
  const edited = internal.getByRole('textbox', { name: 'Comment' }).first();
  await edited.fill('An irregular customer');
  await page.keyboard.press('Escape');
  const question = dialog(page, 'Discard your changes to the comment?');
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await edited.inputValue()).toBe('An irregular customer');
  await edited.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => internal.getByRole('textbox', { name: 'Comment' }).count()).toBe(1);
  await internal.getByText('A regular customer').waitFor();
});

test('a phone shows the list, then the thread, then the details', async () => {
  const page = await dashboard.open('/conversations', { viewport: { width: 375, height: 812 } });
  await item(page, 'Karim').click();
  await inLog(page, 'Where is it?').waitFor();
  expect(await item(page, 'Karim').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Details' }).click();
  const drawer = dialog(page, 'Details');
  await drawer.getByText('Internal, visitors never see this').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  // In a wider window, the thread and the list beside the drawer stay usable.
  await page.setViewportSize({ width: 1024, height: 812 });
  await item(page, 'Karim').focus();
  expect(await page.evaluate(`document.activeElement.closest('[role="dialog"]')`)).toBeNull();
  await page.keyboard.press('Escape');
  await expect.poll(() => drawer.count()).toBe(0);
  await page.setViewportSize({ width: 375, height: 812 });
  await page.getByRole('link', { name: 'All' }).click();
  await item(page, 'Karim').waitFor();
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('link', { name: 'Mine' }).click();
  await expect.poll(() => item(page, 'Karim').count()).toBe(0);
  await views.getByRole('link', { name: 'All' }).click();
  await item(page, 'Karim').waitFor();
});

test('a notice names the visitor and what was written, on one line that is not long', async () => {
  await writeAsVisitor(`Two\nlines, ${'and more '.repeat(40)}`);
  const { conversations } = await dashboard.backoffice.superadmin.client.call('conversations.list', {});
  const body = expect.stringMatching(/^Two lines, .{149}…$/);
  const place = { tag: `conversation-${id}`, link: { to: '/conversations', search: { id } } };
  expect(conversations.map(messageNotice)).toEqual([{ title: '2 new messages from Karim', body, ...place }]);
});

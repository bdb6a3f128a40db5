import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SignedIn, startTestService, type TestService } from '../../support/here.ts';
import { type CommandOptions, inTerminal } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

let service: TestService;
let superadmin: SignedIn;
let id: string;

beforeAll(async () => {
  service = await startTestService();
  superadmin = await service.signIn('superadmin', 'grace@example.com');
});

afterAll(async () => {
  await service.stop();
});

beforeEach(async () => {
  const { conversation } = await superadmin.client.call('conversations.create', {
    visitor_email: 'ada@example.com',
    visitor_name: 'Ada\u001b[2J',
    subject: 'An invoice',
    initial_message: 'Where is it?\n\u001b[31mI need it. '.concat('Please. '.repeat(20)),
  });
  id = conversation.id;
});

const run = (args: string, { stdin, extra = [] }: CommandOptions & { extra?: string[] } = {}) =>
  backoffice(['conversations', ...args.split(' '), ...extra], {
    env: { DATABASE_URL: service.databaseUrl },
    ...(stdin === undefined ? {} : { stdin }),
  });
const threadOf = () => superadmin.client.call('messages.list', { conversation_id: id });

describe('backoffice conversations', () => {
  test('opens a conversation', async () => {
    const { stdout } = await run('create --email v@example.com --name Visitor --message Hello');
    expect(stdout).toMatch(/^Started conversation conv_\d+_[a-z0-9]{1,7}\.\n$/);
  });

  test('shows a thread, and marks it as read up to the newest message shown', async () => {
    await superadmin.client.call('issues.create', {
      title: 'Invoices',
      severity: 'High',
      conversation_id: id,
    });
    const { code, stdout, stderr } = await run(`show ${id} --read`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '\nMarked 1 message as read.\n' });
    expect(stdout.split('\n')).toEqual([
      'An invoice',
      'Ada\uFFFD[2J <ada@example.com>',
      `${id} · open · 1 unread`,
      expect.stringMatching(/^issue \d+: Invoices \(Open, High\)$/),
      '',
      expect.stringMatching(
        /^Ada\uFFFD\[2J · \d{4}-\d\d-\d\d \d\d:\d\d UTC, just now · message \d+ · unread$/,
      ),
      '  Where is it?',
      expect.stringMatching(/^ {2}\uFFFD\[31mI need it. Please\./),
      '',
    ]);
    expect((await threadOf()).conversation?.unread_count).toBe(0);
  });

  test.each([40, 72, 160])(
    'shows a thread within %i columns of a terminal, without control characters',
    async (columns) => {
      await superadmin.client.call('messages.create', { conversation_id: id, content: 'x'.repeat(200) });
      const args = ['conversations', 'show', id];
      const { code, text, raw } = await inTerminal(args, {
        columns,
        env: { DATABASE_URL: service.databaseUrl },
      });
      expect(code).toBe(0);
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(Math.min(columns, 100));
      expect(raw).not.toContain('\u001b[2J');
      expect(raw).not.toContain('\u001b[31mI need');
    },
  );

  test('shows the last messages, and how to show the previous ones', async () => {
    for (const content of ['one', 'two', 'three']) await run(`receive ${id} ${content}`);
    const last = await run(`show ${id} --limit 2`);
    expect(last.stdout).toMatch(/ {2}two\n.* {2}three\n$/s);
    expect(last.stdout).not.toContain('  one');
    const [before] = /--before \S+/.exec(last.stderr) ?? [];
    const earlier = await run(`show ${id} --limit 2 ${before}`);
    expect(earlier.stdout).toMatch(/Where is it\?.* {2}one\n$/s);
    expect((await run(`show ${id} --limit 0`)).stdout).toMatch(/Where is it\?.*three\n$/s);
    const { stdout } = await run(`show ${id} --json sender_type,content`);
    expect(JSON.parse(stdout).messages.slice(1)).toEqual(
      ['one', 'two', 'three'].map((content) => ({ sender_type: 'visitor', content })),
    );
  });

  test('replies with a given text or standard input, in the name of the operator', async () => {
    expect(await run(`reply ${id} Here.`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Sent message \d+ to Ada\uFFFD\[2J\.\n$/),
    });
    await run(`reply ${id}`, { stdin: 'Two\nlines\n' });
    await run(`reply ${id} -`, { stdin: 'Read' });
    const { messages } = await threadOf();
    expect(messages.slice(1).map(({ content }) => content)).toEqual(['Here.', 'Two\nlines', 'Read']);
    expect(new Set(messages.map(({ sent_by }) => sent_by)).size).toBe(2);
    expect(await run(`reply ${id}`)).toMatchObject({
      code: 2,
      stderr: 'backoffice: The reply is empty.\n',
    });
  });

  test('proposes, edits, approves and rejects drafts', async () => {
    const drafts = async () => (await threadOf()).messages.map(({ ai_draft }) => ai_draft);
    const none = await run(`draft approve ${id}`);
    expect(none).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('no draft') });
    expect(await run(`draft propose ${id}`, { stdin: 'On its way.' })).toMatchObject({ code: 0 });
    expect(await run(`draft propose ${id} Another`)).toMatchObject({ code: 1, stdout: '' });
    expect((await run(`show ${id}`)).stdout).toContain('  Draft, not sent:\n  | On its way.\n');
    expect(await run(`draft edit ${id} Soon.`)).toMatchObject({ code: 0 });
    expect(await drafts()).toEqual(['Soon.']);
    const shown = 'Ada\uFFFD[2J:\n  Soon.\n';
    expect((await run(`draft approve ${id} --dry-run`)).stdout).toBe(`Would send to ${shown}`);
    const unsent = await run(`draft approve ${id} --dry-run --json conversation_id`);
    expect(JSON.parse(unsent.stdout)).toEqual({ conversation_id: id });
    expect(await drafts()).toEqual(['Soon.']);
    expect((await run(`draft approve ${id}`)).stdout).toMatch(/^Sent message \d+ to .*:\n {2}Soon\.\n$/);
    const { messages } = await threadOf();
    expect(messages[1]).toMatchObject({ content: 'Soon.', from_draft_of: messages[0]?.id });

    expect(await run(`draft propose ${id} Text --message ${messages[1]?.id}`)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        `Message ${messages[1]?.id} does not exist in conversation ${id}, or it is not from its visitor.`,
      ),
    });
    await run(`receive ${id} More?`);
    await run(`draft propose ${id} Never`);
    expect(await drafts()).toEqual([null, null, 'Never']);
    expect(await run(`draft reject ${id} --message ${messages[0]?.id}`)).toMatchObject({ code: 3 });
    expect(await run(`draft reject ${id}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect(await drafts()).toEqual([null, null, 'Never']);
    expect(await run(`draft reject ${id} --yes`)).toMatchObject({ code: 0 });
    expect(await drafts()).toEqual([null, null, null]);
  });

  test('changes a status, marks as read, and deletes after a confirmation', async () => {
    expect(await run(`set-status ${id} resolved --expected pending`)).toMatchObject({
      code: 1,
      stderr: 'backoffice: Changed meanwhile: status is now open.\n',
    });
    expect(await run(`set-status ${id} resolved --expected open`)).toMatchObject({
      code: 0,
      stdout: `Conversation ${id} is resolved.\n`,
    });
    expect((await run(`read ${id} --up-to 1`)).stdout).toBe('Marked 0 messages as read.\n');
    expect((await run(`read ${id}`)).stdout).toBe('Marked 1 message as read.\n');
    expect((await run(`unread ${id}`)).stdout).toBe('Marked 1 message as unread.\n');
    expect((await run(`unread ${id} --from 1`)).stdout).toBe('Marked 0 messages as unread.\n');
    expect((await run(`read ${id}`)).stdout).toBe('Marked 1 message as read.\n');
    expect((await run(`delete ${id} --dry-run`)).stdout).toContain(id);
    expect(await run(`delete ${id}`)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect((await threadOf()).conversation).toMatchObject({ status: 'resolved', unread_count: 0 });
    expect(await run(`delete ${id} --yes`)).toMatchObject({ code: 0 });
    expect((await threadOf()).conversation).toBeNull();
  });

  test.each([
    'show',
    'reply',
    'receive',
    'read',
    'delete --yes',
    'draft reject',
    'draft propose',
    'draft approve',
  ])('`%s` ends with 3 for an unknown conversation', async (verb) => {
    expect(await run(`${verb} none`, { stdin: 'text' })).toEqual({
      code: 3,
      stdout: '',
      stderr: 'backoffice: No conversation none. Run `backoffice conversations list` to see all.\n',
    });
  });
});

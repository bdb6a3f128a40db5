import { afterEach, describe, expect, test } from 'vitest';
import { localAccess } from '../../../cli/access/local.ts';
import type { Client } from '../../../src/contract/client/client.ts';
import { createMail } from '../../../src/services/mail/mail.ts';
import type { MailContent } from '../../../src/services/mail/message.ts';
import { createSmtpClient } from '../../../src/services/mail/smtp.ts';
import { signInCodeMail } from '../../../src/services/mail/templates.ts';
import { signIn } from '../../support/here/accounts.ts';
import { password } from '../../support/here.ts';
import { mailHere, publicUrl } from '../../support/receivers.ts';

const own = mailHere();

const notice: MailContent = {
  kind: 'account-notice',
  subject: 'A notice',
  body: ['Something happened.'],
  isConfidential: false,
  usefulMinutes: 60,
};

const send = (to: string, content: Partial<MailContent> = {}) =>
  own.service.services.databases.primary.transaction((tx) =>
    own.service.services.mail.send(tx, to, () => ({ ...notice, ...content })),
  );

const queued = () =>
  own.sql<{ last_error: string | null }>(
    `select last_error from graphile_worker.jobs where task_identifier = 'send_mail'`,
  );
const failures = () => own.sql(`select kind, recipient, error from failed_mails`);

const refused = (status: number) =>
  `The mail server refused the sender or the address. It answered ${status}.`;

/** Makes the next attempt of the mails that have failed due now. */
async function retry(lastAttempt = false): Promise<void> {
  await expect.poll(queued).toMatchObject([{ last_error: expect.any(String) }]);
  await own.sql(
    `update graphile_worker._private_jobs set run_at = now(),
       attempts = case when $1 then max_attempts - 1 else attempts end where last_error is not null`,
    [lastAttempt],
  );
}

const accepting = { refuse: () => undefined, refuseSender: undefined };

afterEach(async () => {
  Object.assign(own.mailServer, accepting);
  await own.sql('delete from failed_mails');
});

describe('a mail', () => {
  test('is sent with a text and the same as HTML, once its transaction has committed', async () => {
    await send('grace@example.com', {
      body: [
        'Hello <b>Grace</b>.',
        { link: `${publicUrl}/x?a=1&b=2`, label: 'Open' },
        { facts: [['By', 'ada']] },
      ],
    });
    const mail = await own.mailServer.take('grace@example.com');
    expect(['From', 'To', 'Subject', 'Auto-Submitted', 'Message-ID'].map(mail.header)).toEqual([
      'Backoffice <backoffice@backoffice.example.com>',
      'grace@example.com',
      'A notice',
      'auto-generated',
      expect.stringMatching(/^<[0-9a-f-]{36}@backoffice\.example\.com>$/),
    ]);
    expect(mail.text).toBe(
      `Hello <b>Grace</b>.\n\n${publicUrl}/x?a=1&b=2\n\nBy: ada\n\nSent by Backoffice, ${publicUrl}\n\n`,
    );
    expect(mail.html).toContain('<p>Hello &lt;b&gt;Grace&lt;/b&gt;.</p>');
    expect(mail.html).toContain(`href="${publicUrl}/x?a=1&amp;b=2"`);
  });

  test('has no address of this machine in its footer, which the public URL is by default', async () => {
    const { databases, secretBox } = own.service.services;
    const from = { name: undefined, address: 'backoffice@example.com' };
    const options = { from, secretBox, smtp: undefined, replyTo: undefined, isPublicUrlSet: false };
    const mail = createMail({ ...options, publicUrl: 'http://localhost:3000' });
    await databases.primary.transaction((tx) => mail.send(tx, 'here@example.com', () => notice));
    const { text, html } = await own.mailServer.take('here@example.com');
    expect(text).toMatch(/\n\nSent by Backoffice\n/);
    expect(html).not.toContain('localhost');
  });

  test('is not sent if its transaction is rolled back', async () => {
    const { databases, mail } = own.service.services;
    const failing = databases.primary.transaction(async (tx) => {
      await mail.send(tx, 'rolled-back@example.com', () => notice);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await send('after@example.com');
    await own.mailServer.take('after@example.com');
    expect(own.mailServer.mails).toEqual([]);
  });

  test('with a secret is encrypted in the queue', async () => {
    own.mailServer.refuse = () => 451;
    await send('coded@example.com', signInCodeMail({ code: '246813', minutes: 5 })('Backoffice'));
    const rows = await own.sql(
      `select payload::text from graphile_worker._private_jobs where payload->>'kind' = 'sign-in-code'`,
    );
    expect(rows).toEqual([{ payload: expect.stringContaining('coded@example.com') }]);
    expect(JSON.stringify(rows)).not.toContain('246813');
    await expect.poll(queued).toMatchObject([{ last_error: expect.any(String) }]);
    own.mailServer.refuse = () => undefined;
    await retry();
    expect((await own.mailServer.take('coded@example.com')).text).toContain('246813');
    await expect.poll(queued).toEqual([]);
  });

  test('is sent to addresses of other languages, with their domains as mail servers know them', async () => {
    const [unicode, ascii] = ['m\u00fcnchen.example', 'xn--mnchen-3ya.example'];
    await send(`ada@${unicode}`);
    expect((await own.mailServer.take(`ada@${unicode}`)).header('To')).toBe(`ada@${ascii}`);
    // A letter before the @ needs a server that takes Unicode, and then the domain may be in Unicode too.
    await send(`j\u00f6rg@${unicode}`);
    expect((await own.mailServer.take(`j\u00f6rg@${unicode}`)).header('To')).toBe(`j\u00f6rg@${unicode}`);
    const from = { name: undefined, address: `desk@${unicode}` };
    const mail = { id: '1', to: 'ada@example.com', subject: 'A notice', text: 'Text', html: 'Text' };
    await createSmtpClient(own.mailServer.url, from)(mail);
    const sent = await own.mailServer.take('ada@example.com');
    expect([sent.header('From'), sent.header('Message-ID')]).toEqual([
      `Backoffice <desk@${ascii}>`,
      `<1@${ascii}>`,
    ]);
  });

  test('is not sent to what is no address', async () => {
    for (const to of ['grace@x.test\r\nBcc: eve@x.test', 'grace@x.test, eve@x.test', 'Grace <grace@x.test>'])
      await send(to);
    expect(await queued()).toEqual([]);
  });

  test('keeps its headers whatever its texts contain', async () => {
    const hostile = 'x\r\nBcc: eve@example.com\r\n\r\n<script>\u2028\u202egnp\u0000 Ünïcödé 😀';
    await send('safe@example.com', {
      subject: hostile + 'y'.repeat(5_000),
      body: [hostile, { code: hostile }],
    });
    const mail = await own.mailServer.take('safe@example.com');
    expect(mail.recipients).toEqual(['safe@example.com']);
    expect(mail.headerLines.filter((line) => /^(?:bcc|cc|to|from):/i.test(line))).toHaveLength(2);
    expect(mail.header('Subject')).toMatch(/^x Bcc: eve@example\.com <script> gnp Ünïcödé 😀y+…$/);
    expect([...(mail.header('Subject') ?? '')]).toHaveLength(150);
    expect(mail.text).toContain('x Bcc: eve@example.com <script> gnp Ünïcödé 😀\n');
    expect(mail.html).not.toContain('<script>');
  });

  test.for([
    ['takes it', 451, { refuse: () => 451 }],
    ['takes the sender, which an operator can mend', 550, { refuseSender: 550 }],
  ] as const)('is sent again until the mail server %s', async ([, status, refusal]) => {
    Object.assign(own.mailServer, refusal);
    await send('later@example.com');
    await retry();
    await expect.poll(queued).toMatchObject([{ last_error: refused(status) }]);
    Object.assign(own.mailServer, accepting);
    await retry();
    await own.mailServer.take('later@example.com');
    await expect.poll(queued).toEqual([]);
    expect(await failures()).toEqual([]);
  });

  test.for([
    ['the mail server refuses the address for good', 550, {}, refused(550)],
    ['its last attempt fails', 451, {}, refused(451)],
    ['it is no longer of use', undefined, { usefulMinutes: -1 }, 'It could not be sent in time.'],
  ] as const)('is given up if %s', async ([, status, content, error]) => {
    own.mailServer.refuse = () => status;
    await send('lost@example.com', content);
    if (status === 451) await retry(true);
    await expect.poll(failures).toEqual([{ kind: 'account-notice', recipient: 'lost@example.com', error }]);
    await expect.poll(queued).toEqual([]);
    expect(own.mailServer.mails).toEqual([]);
  });
});

describe('a notice of a change goes to the address that the account had', () => {
  const call: Client['call'] = (id, input) => own.superadmin.client.call(id, input);

  test('of its e-mail, activity or existence, with who made it and from where', async () => {
    const admin = await own.service.signIn('user');
    const { id } = admin;
    const email = `${id}@example.com`;
    const is = async (recipient: string, sentence: string) => {
      const mail = await own.mailServer.take(recipient);
      expect(mail.header('Subject')).toBe(`Your Backoffice account: ${sentence}`);
      const by = `^By: +${own.superadmin.email}\nWhen: .* UTC\nFrom: +127\\.0\\.0\\.1$`;
      expect(mail.text).toMatch(new RegExp(by, 'm'));
    };
    await call('admins.update', { id, email });
    await is(admin.email, `the e-mail address was changed to ${email}`);
    await call('admins.changeActivity', { id, is_active: 0 });
    await is(email, 'the account was deactivated');
    await call('admins.delete', { id });
    await is(email, 'the account was deleted');
  });

  test('under the name that the owner has given the service', async () => {
    const admin = await own.service.signIn('user');
    await call('settings.update', { key: 'site_name', value: 'Ada, Byron & Co' });
    await call('admins.update', { id: admin.id, role: 'admin' });
    const mail = await own.mailServer.take(admin.email);
    expect(mail.header('From')).toBe('"Ada, Byron & Co" <backoffice@backoffice.example.com>');
    expect(mail.header('Subject')).toContain('Your Ada, Byron & Co account: the role was changed');
    expect(mail.text).toContain('contact an administrator of Ada, Byron & Co now.');
    expect(mail.text).toContain(`Sent by Ada, Byron & Co, ${publicUrl}`);
    await call('settings.update', { remove: ['site_name'], updates: {} });
  });

  test('of several at once, in one mail, and of a command on the database', async () => {
    const admin = await own.service.signIn('user');
    const access = localAccess(own.service.services);
    await access.call('admins.update', { id: admin.id, role: 'admin', password: 'battery staple' });
    const mail = await own.mailServer.take(admin.email);
    expect(mail.header('Subject')).toBe('Your Backoffice account was changed');
    expect(mail.text).toContain('The role was changed from user to admin.\n\nThe password was changed.');
    expect(mail.text).toMatch(/^By: .*, on the server's command line$/m);
    expect(own.mailServer.mails).toEqual([]);
  });

  test('but not of its name, and not if nothing changes', async () => {
    const admin = await own.service.signIn('user');
    await call('admins.update', { id: admin.id, username: 'Grace', email: admin.email, role: 'user' });
    await call('admins.changeActivity', { id: admin.id, is_active: 1 });
    expect(await queued()).toEqual([]);
    expect(own.mailServer.mails).toEqual([]);
  });
});

test('a sign-in with a new browser is told to the account by mail, its first one and repeated ones are not', async () => {
  const admin = await own.service.signIn('user');
  const credentials = { email: admin.email, password };
  await signIn(own.service, credentials, { 'user-agent': 'curl/8.0' });
  await signIn(own.service, credentials, { 'user-agent': 'curl/8.0' });
  await expect.poll(queued).toEqual([]);
  const mails = own.mailServer.mails.filter(({ recipients }) => recipients.includes(admin.email));
  expect(mails.map((mail) => mail.header('Subject'))).toEqual(['Your Backoffice account: new sign-in']);
  expect(mails[0]?.text).toContain('with a device or from a network that it has not used lately: curl');
});

import { sign } from 'cookie-signature';
import { beforeAll, describe, expect, test } from 'vitest';
import { formClock } from '../../../src/http/contact/form.ts';
import { ask, json } from '../../support/here/requests.ts';
import { backofficeHere, instanceHere } from '../../support/here.ts';

const secret = 'a-secret-of-the-contact-tests-and-of-nobody-else';
const backoffice = backofficeHere({ SESSION_SECRET: secret, TRUST_PROXY: '1' });
/** Under a path, with the same database. */
const underPath = instanceHere(backoffice, { SESSION_SECRET: secret, BACKOFFICE_BASE_PATH: '/office' });
const clock = formClock([secret]);
const site = 'https://shop.example.com';

const set = (updates: Record<string, string>) =>
  backoffice.superadmin.client.call('settings.update', { updates });
const on = {
  contact_page: '1',
  contact_intro: 'We answer <b>soon</b>.',
  contact_origins: `${site}, https://b.example`,
};

/** Each test has a network of its own, and the limit of the site is forgotten before it. */
let networks = 0;
const nextNetwork = () => `203.0.113.${++networks}`;
const forgetLimits = () => backoffice.sql(`delete from rate_limits where key like '%contact-%'`);

const ada = { name: 'Ada', email: 'Ada@Example.com', message: 'Where is my parcel?\nIt was due.' };
/** A form that was shown a minute ago. */
const shown = () => clock.start(Date.now() - 60_000);

async function sendForm(fields: Record<string, string>, { from = nextNetwork(), path = '/contact' } = {}) {
  const response = await backoffice.service.fetch(path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': from },
    body: new URLSearchParams({ shown: shown(), ...fields }),
  });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const sendJson = (body: unknown, headers: Record<string, string> = {}) =>
  ask(backoffice.service, '/api/contact', {
    method: 'POST',
    headers: { ...json, 'x-forwarded-for': nextNetwork(), ...headers },
    body: body as object,
  });

const count = async (table: string) =>
  Number((await backoffice.sql<{ n: string }>(`select count(*) as n from ${table}`))[0]?.n);

test('is not there until it is switched on', async () => {
  for (const path of ['/contact', '/contact/thanks', '/api/contact']) {
    const before = await backoffice.service.fetch(path);
    const unknown = await backoffice.service.fetch(path.replace('contact', 'nothing'));
    expect([before.status, await before.text()]).toEqual([404, await unknown.text()]);
  }
  expect((await sendForm(ada)).status).toBe(404);
  expect((await sendJson(ada)).status).toBe(404);
});

describe('switched on', () => {
  beforeAll(async () => void (await set(on)));

  test('shows a form that may be framed by the origins of the setting only, with all texts escaped', async () => {
    await set({ site_name: 'Ada & <i>Co</i>' });
    const response = await backoffice.service.fetch('/contact?kind=problem&page=javascript:alert(1)', {
      headers: { referer: 'https://shop.example.com/"><script>' },
    });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('<h1>Contact Ada &amp; &lt;i&gt;Co&lt;/i&gt;</h1>');
    expect(html).toContain('We answer &lt;b&gt;soon&lt;/b&gt;.');
    expect(html).toContain('value="problem" checked');
    expect(html).toContain('name="page" value=""');
    expect(html).not.toMatch(/<script|<b>|javascript:/);
    expect(Buffer.byteLength(html)).toBeLessThan(30_000);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; base-uri 'none'/);
    expect(policy).toContain(`frame-ancestors ${site} https://b.example`);
    expect(response.headers.get('x-frame-options')).toBeNull();
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  test('makes a conversation of a question, once', async () => {
    await forgetLimits();
    const from = nextNetwork();
    const fields = { ...ada, page: `${site}/prices`, shown: shown() };
    const sent = [await sendForm(fields, { from }), await sendForm(fields, { from })];
    for (const { status, headers } of sent)
      expect([status, headers.get('location')]).toEqual([303, 'contact/thanks']);
    const { client } = backoffice.superadmin;
    const { conversations } = await client.call('conversations.list', { include: 'channel' });
    expect(conversations).toMatchObject([
      {
        visitor_name: 'Ada',
        visitor_email: 'ada@example.com',
        subject: 'Where is my parcel?',
        last_message: 'Where is my parcel?\nIt was due.',
        channel: 'contact',
        page: `${site}/prices`,
      },
    ]);
    const conversation_id = conversations[0]?.id ?? '';
    const thread = await client.call('messages.list', { conversation_id, include: 'channel' });
    expect(thread.conversation).toMatchObject({ channel: 'contact', page: `${site}/prices` });
    expect((await client.call('messages.list', { conversation_id })).conversation).not.toHaveProperty(
      'channel',
    );
    await expect.poll(() => count("audit_records where operation = 'contact.create'")).toBe(2);
    const records = await backoffice.sql(
      `select event, actor_kind, actor_name, address from audit_records where operation = 'contact.create' order by id`,
    );
    const visitor = { actor_kind: 'nobody', actor_name: 'visitor', address: '' };
    expect(records).toEqual([
      { event: 'conversation.created', ...visitor },
      { event: 'message.created', ...visitor },
    ]);
  });

  test('makes an issue of a problem, with its conversation', async () => {
    await forgetLimits();
    const problem = { ...ada, kind: 'problem', message: `${'x'.repeat(150)}\nmore`, steps: '1. Look' };
    expect((await sendForm(problem)).status).toBe(303);
    const { client } = backoffice.superadmin;
    const { issues } = (await backoffice.api.get('/issues')).body as {
      issues: { id: number; title: string }[];
    };
    const issue = issues[0] ?? { id: 0, title: '' };
    expect(issue).toMatchObject({
      title: `${'x'.repeat(100)}…`,
      category: 'Website',
      severity: 'Low',
      status: 'Open',
      description: problem.message,
      steps_to_reproduce: '1. Look',
    });
    const { links } = await client.call('links.list', { issue_id: issue.id });
    expect(links).toMatchObject([{ conversation_subject: issue.title, created_by: 'visitor' }]);
  });

  test('names each wrong field, and keeps what was typed', async () => {
    const hostile = '"><script>alert(1)</script>';
    const typed = {
      name: `a\r\nBcc: b@c.d ${hostile}`,
      email: hostile,
      message: 'é'.repeat(20_000),
      steps: '</textarea>',
    };
    const { status, html } = await sendForm({ ...typed, kind: 'problem' });
    expect(status).toBe(400);
    expect(html).not.toContain('<script');
    expect(html.match(/id="\w+-error">[^<]+/g)).toEqual([
      'id="name-error">Your name must not contain control characters.',
      'id="email-error">Your e-mail must be an e-mail address.',
      'id="message-error">Your message must be at most 10,000 characters.',
    ]);
    expect(html).toContain('é'.repeat(20_000));
    expect(html).toContain('&lt;/textarea&gt;</textarea>');
    const empty = await sendForm({});
    expect(empty.html.match(/\w+ is required\./g)).toEqual([
      'name is required.',
      'mail is required.',
      'message is required.',
    ]);
  });

  test('refuses what no person has filled in, and keeps what was typed', async () => {
    const cases: [Record<string, string>, string][] = [
      [{ website: 'x' }, 'A field that people do not see'],
      [{ shown: clock.start(Date.now() + 3_600_000) }, 'faster than people type'],
      [{ shown: clock.start(Date.now() - 25 * 3_600_000) }, 'open for too long'],
      [{ shown: formClock(['another secret']).start(Date.now() - 60_000) }, 'open for too long'],
      // Signed as the id of a session.
      [{ shown: sign('abc', secret) }, 'open for too long'],
      [{ shown: '' }, 'open for too long'],
    ];
    const before = await count('conversations');
    for (const [fields, sentence] of cases) {
      const { status, html } = await sendForm({ ...ada, ...fields });
      expect.soft([status, html]).toEqual([400, expect.stringContaining(sentence)]);
      expect.soft(html).toContain('Where is my parcel?');
    }
    expect(await count('conversations')).toBe(before);
  });

  test('a form can be sent from three seconds to a day after it was shown', () => {
    const start = clock.start(0);
    const dayMs = 24 * 3_600_000;
    expect([0, 2_999, 3_000, dayMs, dayMs + 1].map((now) => clock.problemOf(start, now))).toEqual([
      'early',
      'early',
      undefined,
      undefined,
      'old',
    ]);
  });

  test('answers broken bodies with a page', async () => {
    const { fetch } = backoffice.service;
    const post = async (
      body: string | FormData | Uint8Array<ArrayBuffer>,
      headers: Record<string, string>,
    ) => {
      const response = await fetch('/contact', { method: 'POST', body, headers });
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const html = 'text/html; charset=utf-8';
    const refused = expect.stringContaining('role="alert"');
    expect(await post(new Uint8Array([0x6e, 0x3d, 0xff]), form)).toEqual([415, html, refused]);
    expect(await post('name=a', { 'content-type': `${form['content-type']}; charset=latin1` })).toEqual([
      415,
      html,
      refused,
    ]);
    expect(await post(new FormData(), {})).toEqual([415, html, refused]);
    expect(await post(`message=${'x'.repeat(300_000)}`, form)).toEqual([413, html, refused]);
    expect(await post('name=%FF%00&email=%', form)).toEqual([400, html, refused]);
    expect(
      await post('name=a', { ...form, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
    ).toEqual([403, html, refused]);
  });

  test('takes five messages from a network and ten in a minute from all, and keeps what was typed', async () => {
    await forgetLimits();
    const from = nextNetwork();
    const before = await count('conversations');
    const send = (n: number, network: string) =>
      sendForm({ ...ada, message: `Message ${n}` }, { from: network });
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await send(n, from)).status);
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
    const many = await Promise.all(Array.from({ length: 9 }, (_, n) => send(10 + n, nextNetwork())));
    expect(await count('conversations')).toBe(before + 10);
    const refused = many.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.html).toMatch(/press Send again in a minute[\s\S]*>\nMessage \d+<\/textarea>/);
    await forgetLimits();
  });

  test('takes JSON from pages of the origins in the setting only', async () => {
    await forgetLimits();
    const fromSite = { origin: site, 'sec-fetch-site': 'cross-site' };
    const answer = await sendJson({ ...ada, subject: 'Hello' }, fromSite);
    expect([answer.status, answer.body]).toEqual([201, { success: true }]);
    expect(answer.headers.get('access-control-allow-origin')).toBe(site);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    const before = await count('conversations');
    const other = await sendJson(ada, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    expect([other.status, other.body]).toEqual([403, { error: expect.stringContaining('contact_origins') }]);
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    const wrong = await sendJson({ ...ada, message: 'x'.repeat(20_000) });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { error: 'message must be at most 10,000 characters.' },
    ]);
    expect(await count('conversations')).toBe(before);
    const preflight = await backoffice.service.fetch('/api/contact', {
      method: 'OPTIONS',
      headers: { origin: site, 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'Content-Type',
    ]);
  });

  test('works under a path', async () => {
    const page = await underPath.fetch('/office/contact');
    expect(page.status).toBe(200);
    const sent = await underPath.fetch('/office/contact', {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...ada, message: 'Under a path', shown: shown() }),
    });
    expect(sent.status).toBe(303);
    const thanks = new URL(sent.headers.get('location') ?? '', sent.url);
    expect(thanks.pathname).toBe('/office/contact/thanks');
    expect(await (await fetch(thanks)).text()).toContain('href="../contact"');
  });
});

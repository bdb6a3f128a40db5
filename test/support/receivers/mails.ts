// Mails in the shapes in which the programs of visitors write them, to test what becomes of them.

/** What should become of a mail: a message of the visitor's conversation, a new conversation, or nothing. */
export type Fate = 'same' | 'new' | 'none' | 'bounced';

export interface WrittenMail {
  readonly name: string;
  readonly raw: Buffer;
  readonly fate: Fate;
  /** The address of its sender. */
  readonly from: string;
  /** What its text has, if it is read. */
  readonly text?: string;
}

/** A visitor whose conversation has a code, and a reply that was sent. */
export interface Answering {
  readonly email: string;
  readonly code: string;
  readonly mailId: string;
}

interface Shape {
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

let written = 0;

/** Joins a header and a body, with the line ends of mails. */
export function writeMail({ headers = [], body = 'Hello!' }: Shape): Buffer {
  const head = headers.filter((line) => line !== '').join('\r\n');
  const bytes = typeof body === 'string' ? Buffer.from(body.replaceAll('\n', '\r\n')) : body;
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), bytes]);
}

/** The program, its way to name itself and a Message-ID, and how it quotes. */
const programs = {
  Gmail: {
    own: [],
    id: (n: number) => `CAK${n}x+Jq@mail.gmail.com`,
    html: true,
    quote: (text: string) =>
      `On Fri, Nov 27, 2026 at 9:00 AM Support <support@example.com> wrote:\n\n> ${text}\n`,
  },
  Outlook: {
    own: ['Thread-Index: AdcAAQ==', 'X-MS-Has-Attach:', 'X-MS-TNEF-Correlator:'],
    id: (n: number) => `AM0PR${n}@AM0PR01.eurprd01.prod.outlook.com`,
    html: true,
    quote: (text: string) =>
      `________________________________\nFrom: Support <support@example.com>\nSent: Friday\n\n${text}\n`,
  },
  'Apple Mail': {
    own: ['X-Mailer: Apple Mail (2.3826)', 'Mime-Version: 1.0 (Mac OS X Mail 16.0)'],
    id: (n: number) => `8B1F${n}-41@example.net`,
    html: false,
    quote: (text: string) =>
      `> On 27 Nov 2026, at 09:00, Support <support@example.com> wrote:\n> \n> ${text}\n`,
  },
  Thunderbird: {
    own: ['User-Agent: Mozilla Thunderbird'],
    id: (n: number) => `f00d${n}@example.net`,
    html: false,
    quote: (text: string) => `On 27/11/2026 09:00, Support wrote:\n> ${text}\n`,
  },
  iPhone: {
    own: ['X-Mailer: iPhone Mail (23B85)', 'Mime-Version: 1.0 (1.0)'],
    id: (n: number) => `C0FFEE-${n}@icloud.com`,
    html: true,
    quote: (text: string) =>
      `Sent from my iPhone\n\n> On 27 Nov 2026, at 09:00, Support wrote:\n> \n> ${text}\n`,
  },
  Android: {
    own: ['X-Mailer: Android Mail'],
    id: (n: number) => `a${n}.1@android.example`,
    html: true,
    quote: (text: string) =>
      `-------- Original message --------\nFrom: Support <support@example.com>\n${text}\n`,
  },
} as const;

type Program = (typeof programs)[keyof typeof programs];

interface Letter {
  readonly from: string;
  readonly to?: string;
  readonly subject?: string;
  readonly answers?: readonly string[];
  readonly text?: string;
  readonly extra?: readonly string[];
}

/** Writes a mail as a program does: with a plain part and one in HTML, or only a plain one. */
function letter(
  { own, id, html, quote }: Program,
  { from, to, subject, answers = [], text, extra = [] }: Letter,
): Buffer {
  const said = text ?? 'Thank you, that helps.';
  const plain = `${said}\n\n${quote('It is in your inbox.')}`;
  const [first = ''] = answers;
  const headers = [
    ...extra,
    `From: ${from}`,
    `To: Support <${to ?? 'support@example.com'}>`,
    `Subject: ${subject ?? 'Re: An invoice'}`,
    'Date: Fri, 27 Nov 2026 10:00:00 +0100',
    `Message-ID: <${id(++written)}>`,
    first === '' ? '' : `In-Reply-To: <${first}>`,
    first === '' ? '' : `References: ${answers.map((answer) => `<${answer}>`).join('\r\n ')}`,
    'MIME-Version: 1.0',
    ...own,
  ];
  if (!html)
    return writeMail({ headers: [...headers, 'Content-Type: text/plain; charset=utf-8'], body: plain });
  const body = [
    `--b1\nContent-Type: text/plain; charset="UTF-8"\n\n${plain}`,
    `--b1\nContent-Type: text/html; charset="UTF-8"\n\n<div>${said}</div><blockquote>It is in your inbox.</blockquote>`,
    '--b1--\n',
  ].join('\n');
  return writeMail({ headers: [...headers, 'Content-Type: multipart/alternative; boundary="b1"'], body });
}

/** Texts, and their bytes in character sets that Node does not write. */
const charsets = [
  ['utf-8', 'Grüße aus Köln ✓', '4772c3bcc39f6520617573204bc3b66c6e20e29c93'],
  ['iso-8859-1', 'Grüße aus Köln', '4772fcdf6520617573204bf66c6e'],
  ['iso-8859-2', 'Zażółć gęślą', '5a61bff3b3e62067eab66cb1'],
  ['iso-8859-15', 'Prix: 5 € à Noël', '507269783a203520a420e0204e6feb6c'],
  ['windows-1252', '“Quoted” – 5 €', '9351756f74656494209620352080'],
  ['windows-1251', 'Привет, где счёт', 'cff0e8e2e5f22c20e3e4e520f1f7b8f2'],
  ['koi8-r', 'Привет, где счет', 'f0d2c9d7c5d42c20c7c4c520d3dec5d4'],
  ['iso-2022-jp', '請求書はどこですか', '1b2442404135613d71244f2449243324472439242b1b2842'],
  ['shift_jis', '請求書はどこですか', '90bf8b818f9182cd82c782b182c582b782a9'],
  ['euc-kr', '청구서는 어디에', 'c3bbb1b8bcadb4c220beeeb5f0bfa1'],
  ['gb18030', '发票在哪里', 'b7a2c6b1d4dac4c4c0ef'],
  ['big5', '發票在哪裡', 'b56fb2bca662adfeb8cc'],
] as const;

const stranger = 'mallory@example.org';

/** Writes the 120 mails. Each answers the conversation of one visitor, or nothing. */
export function writeMails({ email, code, mailId }: Answering): WrittenMail[] {
  const coded = `support+${code}@example.com`;
  const mails: WrittenMail[] = [];
  const add = (name: string, fate: Fate, raw: Buffer, from = email, text?: string) =>
    mails.push({ name, fate, raw, from, ...(text === undefined ? {} : { text }) });
  for (const [name, program] of Object.entries(programs)) {
    const of = (given: Partial<Letter>) => letter(program, { from: `Ada <${email}>`, ...given });
    const text = 'Thank you, that helps.';
    add(`${name}: code and references`, 'same', of({ to: coded, answers: [mailId] }), email, text);
    add(`${name}: code`, 'same', of({ to: coded }), email, text);
    add(`${name}: references`, 'same', of({ answers: ['other@example.net', mailId] }), email, text);
    add(`${name}: another case`, 'same', of({ from: `"Byron, Ada" <${email.toUpperCase()}>`, to: coded }));
    add(`${name}: code in Delivered-To`, 'same', of({ extra: [`Delivered-To: ${coded}`] }));
    add(`${name}: code of another`, 'new', of({ from: stranger, to: coded }), stranger, text);
    add(`${name}: references of another`, 'new', of({ from: stranger, answers: [mailId] }), stranger);
    add(`${name}: only the subject`, 'new', of({}), email);
    add(`${name}: forward`, 'new', of({ from: stranger, subject: 'Fwd: An invoice' }), stranger);
  }
  for (const [charset, text, hex] of charsets) {
    const type = [`Content-Type: text/plain; charset=${charset}`, 'Content-Transfer-Encoding: 8bit'];
    const subject = `Subject: =?${charset}?B?${Buffer.from(hex, 'hex').toString('base64')}?=`;
    const headers = [`From: ${email}`, subject, `Message-ID: <${charset}@example.net>`, ...type];
    const body = Buffer.from(hex, 'hex');
    add(`in ${charset}`, 'same', writeMail({ headers: [`To: ${coded}`, ...headers], body }), email, text);
  }
  const automatic: Record<string, readonly string[]> = {
    'out of office': ['Auto-Submitted: auto-replied', 'Subject: Out of office'],
    'Exchange out of office': ['Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All'],
    'auto-notified': ['Auto-Submitted: auto-notified; owner-email="a@example.net"'],
    bulk: ['Precedence: bulk'],
    junk: ['Precedence: junk'],
    auto_reply: ['Precedence: auto_reply', 'X-Autoreply: yes'],
    list: ['List-Id: <news.example.net>'],
    newsletter: ['List-Unsubscribe: <https://example.net/u>'],
    'list mail': ['Precedence: list', 'List-Post: <mailto:l@example.net>'],
    'empty return path': ['Return-Path: <>'],
    autoresponder: ['X-Autorespond: away'],
    vacation: ['X-Autoreply: yes'],
  };
  for (const [name, headers] of Object.entries(automatic)) {
    add(
      name,
      'none',
      writeMail({ headers: [...headers, `From: ${email}`, `To: ${coded}`, `In-Reply-To: <${mailId}>`] }),
    );
  }
  for (const [name, type] of [
    ['Postfix', 'message/rfc822'],
    ['Exim', 'text/rfc822-headers'],
    ['Exchange', 'message/rfc822-headers'],
    ['Gmail', 'message/global'],
  ] as const)
    add(
      `bounce of ${name}`,
      type === 'message/rfc822-headers' ? 'none' : 'bounced',
      bounce(mailId, { type }),
    );
  add('delayed', 'none', bounce(mailId, { action: 'delayed' }));
  add('read receipt', 'none', bounce(mailId, { report: 'disposition-notification' }));
  const broken: Record<string, Shape> = {
    'no last boundary': { headers: ['Content-Type: multipart/mixed; boundary=b'], body: '--b\n\nHello' },
    'no boundary at all': { headers: ['Content-Type: multipart/mixed'], body: 'Hello' },
    'boundary that never comes': { headers: ['Content-Type: multipart/mixed; boundary=zz'], body: 'Hello' },
    'wrong base64': { headers: ['Content-Transfer-Encoding: base64'], body: '%%%SGVsbG8=%%%' },
    'half a quoted-printable': { headers: ['Content-Transfer-Encoding: quoted-printable'], body: 'Hello =E' },
    'unknown encoding': { headers: ['Content-Transfer-Encoding: x-uue'], body: 'Hello' },
    'unknown charset': { headers: ['Content-Type: text/plain; charset=klingon'], body: 'Hello' },
    NULs: { body: 'Hello\0\0there' },
    'no body': { body: '' },
    'bytes in a header': { headers: ['Subject: Gr\u00fc\u00dfe \u0001'], body: 'Hello' },
    'a line without a colon': { headers: ['this is no header'], body: 'Hello' },
    'two subjects': { headers: ['Subject: One', 'Subject: Two'], body: 'Hello' },
    'type without a slash': { headers: ['Content-Type: text'], body: 'Hello' },
    page: {
      headers: ['Content-Type: text/html'],
      body: '<script>alert(1)</script><img src=x onerror=alert(1)><p>Hello</p>',
    },
    'file name with line breaks': {
      headers: ['Content-Type: multipart/mixed; boundary=b'],
      body: '--b\n\nHello\n--b\nContent-Disposition: attachment; filename="=?utf-8?Q?a=0D=0Ab=00/../c.html?="\n\n<script>\n--b--',
    },
    'nested parts': {
      headers: ['Content-Type: multipart/mixed; boundary=b0'],
      body: `${Array.from(
        { length: 40 },
        (_, at) => `--b${at}\nContent-Type: multipart/mixed; boundary=b${at + 1}\n\n`,
      ).join('')}--b40\n\nHello`,
    },
    'mbox line': { body: 'Hello from a pipe' },
  };
  for (const [name, { headers = [], body }] of Object.entries(broken)) {
    const ofCode = [`From: ${email}`, `To: ${coded}`, `Message-ID: <broken${++written}@example.net>`];
    const raw = writeMail({ headers: [...ofCode, ...headers], ...(body === undefined ? {} : { body }) });
    add(
      `broken: ${name}`,
      'same',
      name === 'mbox line' ? Buffer.concat([Buffer.from('From ada Fri Nov 27\n'), raw]) : raw,
    );
  }
  const others: Record<string, Shape> = {
    'no sender': { headers: ['Subject: Hm'] },
    'sender without an address': { headers: ['From: Ada'] },
    'sender in a group': { headers: ['From: Team: mallory@example.org;'] },
    'only a text': { headers: ['X: y'], body: 'Hi' },
    'new conversation by pipe': { headers: [`From: ${stranger}`, `Message-ID: <p${++written}@x.example>`] },
    'code that does not exist': { headers: [`From: ${email}`, `To: support+${'z'.repeat(26)}@example.com`] },
    'no line break after the header': { headers: [`From: ${stranger}`], body: '' },
  };
  for (const [name, shape] of Object.entries(others)) {
    const isStranger = shape.headers?.some((line) => line.includes(stranger));
    add(
      name,
      'new',
      writeMail(shape),
      isStranger ? stranger : name.startsWith('code') ? email : 'unknown@invalid',
    );
  }
  for (const at of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    add(
      `attached mail ${at}`,
      at % 2 === 0 ? 'same' : 'new',
      withMail(at % 2 === 0 ? coded : 'support@example.com', email),
    );
  return mails;
}

/** Writes a mail that another one is attached to. */
function withMail(to: string, from: string): Buffer {
  const body = `--b\n\nSee below.\n--b\nContent-Type: message/rfc822\n\nFrom: bob@example.org\nSubject: Old\n\nOld text\n--b--\n`;
  const id = `Message-ID: <fwd${++written}@example.net>`;
  return writeMail({
    headers: [`From: ${from}`, `To: ${to}`, id, 'Content-Type: multipart/mixed; boundary=b'],
    body,
  });
}

/** Writes what a mail server sends if it could not deliver a mail. */
export function bounce(
  mailId: string,
  { type = 'message/rfc822', action = 'failed', report = 'delivery-status' } = {},
): Buffer {
  const body = [
    '--b\nContent-Type: text/plain\n\nI am sorry.',
    `--b\nContent-Type: message/${report}\n\nReporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; ada@example.com\nAction: ${action}\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such\n user`,
    `--b\nContent-Type: ${type}\n\nMessage-ID: <${mailId}>\nSubject: Re: An invoice\n\nHello`,
    '--b--\n',
  ].join('\n');
  const headers = [
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.example.net',
    `Message-ID: <bounce${++written}@mx.example.net>`,
    `Content-Type: multipart/report; report-type=${report}; boundary=b`,
  ];
  return writeMail({ headers, body });
}

import { domainToASCII, domainToUnicode } from 'node:url';
import { describe, expect, test } from 'vitest';
import { conversations } from '../../src/contract/fields/conversations.ts';
import { defineNoun } from '../../src/contract/fields/field.ts';
import { issues } from '../../src/contract/fields/issues.ts';
import { savedReplies } from '../../src/contract/fields/saved-replies.ts';
import { webhooks } from '../../src/contract/fields/webhooks.ts';
import { changeShape, eventSetOf, exampleOf, type Row, rowOf } from '../../src/contract/of-noun.ts';
import { type InputOf, type OutputOf, operationOf } from '../../src/contract/registry.ts';
import { fillPlaceholders, unknownPlaceholders } from '../../src/contract/saved-reply-text.ts';
import { isMailAddress } from '../../src/contract/schemas/mail-address.ts';
import { emailForms, storedEmail } from '../../src/contract/schemas/stored-email.ts';

const nouns = [issues, conversations, savedReplies, webhooks];

test.for(nouns)('$id: the event of a change says every field that a change may set', (noun) => {
  expect(Object.keys(eventSetOf(noun).shape)).toEqual(Object.keys(changeShape(noun)));
});

test.for(nouns)('$id: the example is a row', (noun) => {
  expect(rowOf(noun).safeParse(exampleOf(noun)).error).toBeUndefined();
});

test('types are exact', () => {
  const reply: OutputOf<'savedReplies.list'>['saved_replies'][number] = exampleOf(savedReplies);
  const status: Row<typeof issues>['status'] = 'In Progress';
  const created: InputOf<'savedReplies.create'> = { shortcut: 'a', title: 'b', content: 'c' };
  // @ts-expect-error title is required
  const lacking: InputOf<'savedReplies.create'> = { shortcut: 'a', content: 'c' };
  // @ts-expect-error no such status
  const wrong: Row<typeof issues>['status'] = 'Done';
  // @ts-expect-error no such kind
  const noun = defineNoun({ ...savedReplies, fields: { id: { kind: 'number', label: 'Id', example: 1 } } });
  expect([reply.id, status, created.title, lacking, wrong, noun.id]).toHaveLength(6);
});

describe('placeholders in a text', () => {
  test('are only those that are known and have a value', () => {
    const text =
      '{{order}} {visitor_name} {{ visitor_name }} {{Visitor_name}} {{constructor}} {{admin_name}}';
    expect(fillPlaceholders(text, { visitor_name: 'Ada' })).toBe(text);
  });

  test('are filled in once, wherever they are, with values as they are', () => {
    const values = { visitor_name: '{{admin_name}} $& $1', admin_name: 'Grace\\ $$' };
    const text = '{{visitor_name}}{{admin_name}} {{{admin_name}}}';
    expect(fillPlaceholders(text, values)).toBe('{{admin_name}} $& $1Grace\\ $$ {Grace\\ $$}');
  });

  test('are told from what looks like one and is none', () => {
    const text = '{{vistor_name}} {{admin_name}} {{ visitor_name }} {{vistor_name}} {{}} {x}';
    expect(unknownPlaceholders(text)).toEqual(['{{vistor_name}}', '{{ visitor_name }}']);
  });
});

/** Returns the text of the 400 of each operation that takes a password, or undefined if it is accepted. */
const refusals = (password: unknown) =>
  [
    operationOf('admins.create').input.safeParse({ email: 'a@example.com', password }),
    operationOf('admins.update').input.safeParse({ id: 'admin_1', username: 'a', password }),
  ].map(({ error }) => error?.issues[0]?.message);

test.for(['x', ' ', '🔑'])('a password has 6 to 1,024 characters such as %j', (character) => {
  const ofLengths = [5, 6, 1_024, 1_025].map((length) => refusals(character.repeat(length)));
  const tooShort = 'Password must be at least 6 characters.';
  const tooLong = 'Password must be at most 1,024 characters.';
  expect(ofLengths).toEqual([tooShort, undefined, undefined, tooLong].map((text) => [text, text]));
});

test.for([[''], [null], [undefined]])('no password, as %j, is an error only in a creation', ([password]) => {
  expect(refusals(password)).toEqual(['Email and password are required.', undefined]);
});

test.each([
  ...['grace.hopper+back-office@mail.example.co.uk', "o'brien@example.com", '用户@例子.广告'],
  ...['admin@localhost', `${'a'.repeat(64)}@example.com`],
])('%s is an address', (text) => expect(isMailAddress(text)).toBe(true));

test.each([
  ...['', 'grace', 'grace@', '@example.com', 'grace@@example.com', 'grace@example..com'],
  ...['grace@-example.com', 'grace@example.com.', '.grace@example.com', 'gr..ace@a.com'],
  ...['grace hopper@example.com', 'grace@exam ple.com', 'grace@example.com\n'],
  ...['grace@example.com\r\nBcc: eve@example.com', 'a@example.com,b@example.com'],
  ...['\u0000', '\u200b', '\u202e', '\u00a0'].map((character) => `grace${character}@example.com`),
  ...['<grace@example.com>', '"grace"@example.com', 'grace@[127.0.0.1]'],
  ...[`${'a'.repeat(65)}@example.com`, `grace@${'a'.repeat(64)}.com`, `grace@${'a.'.repeat(130)}com`],
])('%j is no address', (text) => expect(isMailAddress(text)).toBe(false));

const munich = 'xn--mnchen-3ya.example';

describe('an e-mail is stored', () => {
  test.each([
    [' Grace@EXAMPLE.com ', 'grace@example.com'],
    ['ju\u0308rgen@example.org', 'j\u00fcrgen@example.org'],
    [`ada@${munich}`, 'ada@m\u00fcnchen.example'],
    [`Ada@XN--MNCHEN-3YA.example`, 'ada@m\u00fcnchen.example'],
    ['ada@mu\u0308nchen.example', 'ada@m\u00fcnchen.example'],
    ['ada@xn--fa-hia.de', 'ada@fa\u00df.de'],
    ['ada@例え。ｊｐ', 'ada@例え.jp'],
    ['ada@xn--r8jz45g.xn--zckzah', 'ada@例え.テスト'],
    ['ada@I❤.ws', 'ada@xn--i-7iq.ws'],
  ])('%s as %s', (typed, stored) => expect(storedEmail(typed)).toBe(stored));

  test.each([
    ...[
      'admin@localhost',
      'a@xn--.example',
      'a@xn--example-.com',
      'a@xn--9999999999.com',
      'xn--mnchen-3ya',
      '',
    ],
    ...[
      'a@münchen.example/x',
      'a@münchen.example:80',
      'a@mün chen.example',
      'a@mün\tchen.example',
      'a@münchen%2e',
    ],
    ...[`${munich}@example.com`, `a@xn--${'a'.repeat(300)}`, 'a@xn--99999b.com', 'a@xn--a-zz.com'],
  ])('%j as it is', (text) => expect(storedEmail(text)).toBe(text));

  test('the same however often it is read, and as Node turns domains into Unicode', () => {
    for (const letter of ['ä', 'ñ', 'ß', 'ж', 'خ', 'ก', '例', 'ế', '𠮷']) {
      const domain = `${letter}.${letter}${letter}.example`;
      const stored = storedEmail(`ada@${domainToASCII(domain)}`);
      expect(stored).toBe(`ada@${domainToUnicode(domainToASCII(domain))}`);
      expect([storedEmail(stored), storedEmail(`ada@${domain}`)]).toEqual([stored, stored]);
    }
  });

  test('and found in the forms that others have written', () => {
    expect(emailForms('grace@example.com')).toEqual(['grace@example.com']);
    expect(emailForms('ju\u0308rgen@m\u00fcnchen.example')).toEqual([
      'ju\u0308rgen@m\u00fcnchen.example',
      'j\u00fcrgen@m\u00fcnchen.example',
      `j\u00fcrgen@${munich}`,
      'ju\u0308rgen@mu\u0308nchen.example',
      `ju\u0308rgen@${munich}`,
    ]);
  });
});

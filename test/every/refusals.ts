import { manyTexts } from './fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

const longerThan = (length: string | undefined) => Number(length?.replaceAll(',', '')) + 1;
/** Returns the same field with each of the values. */
const each =
  (...values: readonly unknown[]) =>
  (name: string): Fields[] =>
    values.map((value) => ({ [name]: value }));

/** Returns what changes of many rows have: the same field of their `set` with each of the values. */
const eachSet =
  (...values: readonly unknown[]) =>
  (name: string): Fields[] =>
    values.map((value) => ({ set: { [name]: value } }));

/** What is no time in a query. */
const wrongTimes = [
  ...['yesterday', '7', '2026', '2026-02-31', '2026-13-01', '2026-02-29', '2026-03-01T25:00Z', '2026-3-1'],
  ...['2026-03-01 10:00', '2026-03-01T10:00 PST', '2026-03-01(x)', '2026-03-01T10:00+0200', ' 2026-03-01'],
  ...['0000-01-01', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '+012026-03-01', 'infinity'],
];
const wrongLimits = ['0', '1001', '-1', '1.5', '1e2', '0x10', ' 5', 'ten', 'NaN', '९', '9'.repeat(400)];
/** Characters that write to a terminal, end a line, or hide what comes after them. */
const controls = ['\u001b[31m', '\u009b2J', '\r\n', '\t', '\u0085', '\u007f', '\u202e', '\u2066'].map(
  (control) => `a${control}b`,
);

const longTexts = (length: string | undefined) => ['x', '🐛'].map((unit) => unit.repeat(longerThan(length)));
const missing = each(undefined, '', null);
const noList = ['urgent', {}, manyTexts(21)];

/** The sentences of errors that say by themselves which value of which field gets them. */
const sentences: readonly [pattern: RegExp, inputs: (name: string, bound?: string) => readonly Fields[]][] = [
  [/^(\w+) is required\.?$/, missing],
  [/^\w+ (ID) is required\.$/, missing],
  [
    /^(\w+) and (\w+) are required\.?$/,
    (name, other = '') => [...missing(name), ...missing(other), { [name]: undefined, [other]: undefined }],
  ],
  [/^(\w+) must be one of: /, each('nonsense')],
  [/^(\w+) must be (?:true or false|0 or 1|1 or 0)\.$/, each('maybe', '2', 'yes', 'TRUE', ' true', 'null')],
  [/^(types) must be event types separated by commas: /, each('issue.exploded', 'issue.created,issue')],
  [/^(\w+) has only commas\. /, each(',', ',,')],
  [/^(\w+) must not be blank\./, each('', ' \n')],
  [/^(\w+) must not contain control characters\.$/, each(...controls)],
  [/^(\w+) must be (?:the id of an? [\w ]+|a message id)\.$/, each({}, [])],
  [/^(\w+) must be an e-mail address\.$/, each('nobody', 'a@b c', 'a@b.c\r\nBcc: d@e.f')],
  [/^(Password) must be at least 6 characters\.$/, each('12345', '🐛🐛🐛🐛🐛')],
  [/^(q) must be at most (\d+) characters\. Search/, (name, bound) => each(...longTexts(bound))(name)],
  [/^(\w+) must be at most ([\d,]+) characters\.$/, (name, bound) => each(...longTexts(bound))(name)],
  [
    /^(\w+) must be at most ([\d,]+) ids separated by commas\.$/,
    (name, bound) => each(','.repeat(longerThan(bound)))(name),
  ],
  [/^(since|until) must be an ISO 8601 time\.$/, each(...wrongTimes)],
  [/^(\w+) must be an ISO 8601 time\.$/, each('yesterday', '2026-02-31', 1_769_851_800)],
  [/^(limit) must be a whole number from 1 to 1,000\.$/, each(...wrongLimits)],
  [/^(\w+) must be a whole number from 0 to 1,000,000,000\.$/, each('5', 1.5, -1, 1e9 + 1, 2 ** 31)],
  [/^(\w+) is required: a text of at most 200 characters\.$/, each(undefined, null, '', 5, 'x'.repeat(201))],
  [/^(\w+) must be a text of at most 200 characters\.$/, each(5, 'x'.repeat(201))],
  [
    /^(cursor) must be the nextCursor of an earlier page\.$/,
    each(
      ...['nonsense', 'a', '!!!', '🐛é', 'A'.repeat(8_000)],
      ...['%', '%ff%fe', '{', 'null'].map((text) => btoa(text)),
    ),
  ],
  [/^(ids) must be a list of 1 to 10,000 ids\.$/, each([], 7, '1,2', [{}], [true], manyTexts(10_001))],
  [/^(labels) must be a list of at most 20 labels\.$/, each(...noList)],
  [/^(expected) must be an object of the fields that you saw\.$/, each('all', 7)],
  [/^(set) must have at least one field to change: /, each(undefined, {}, { status: null })],
  [/^set\.(\w+) must be a text that is not empty\.$/, eachSet('', 7)],
  [/^set\.(\w+) must be the id of an admin, or null\.$/, eachSet('', 7, {})],
  [/^set\.(\w+) must be a list of at most 20 labels\.$/, eachSet(...noList)],
  [/^set\.(\w+) must be at most ([\d,]+) characters\.$/, (name, bound) => eachSet(longTexts(bound)[0])(name)],
  [
    /^set\.(\w+)\[0\] must be at most ([\d,]+) characters\.$/,
    (name, bound) => eachSet([longTexts(bound)[0]])(name),
  ],
  [/^(\w+)\[0\] must be at most ([\d,]+) characters\.$/, (name, bound) => each([longTexts(bound)[0]])(name)],
  [/^(expires_days) must be a whole number from 1 to 36,500, or null\.$/, each(0, 36_501, 1.5, 'soon')],
];

/** Returns fields that an operation refuses with a text, as the text itself says, or undefined if it does not. */
export function fieldsRefusedWith(text: string): readonly Fields[] | undefined {
  for (const [pattern, inputs] of sentences) {
    const [, name, bound] = pattern.exec(text) ?? [];
    if (name !== undefined) return inputs(name.toLowerCase(), bound);
  }
  return undefined;
}

/** Documented texts that need more than an input, or more than one call. A test names each of them. */
export const testedElsewhere: readonly string[] = [
  'The search took too long. Search for a longer or rarer word, or in a shorter period with since and until.',
  'assignee=me needs an account, which API tokens and local operators do not have. Use the id of an admin.',
  'Visitors get no e-mail: the setting visitor_mail is off.',
  'Visitors get no e-mail: SMTP_URL is not set.',
  'Password must be at least 12 characters.',
  'This password is one of the 10,000 most common. Choose another.',
  'The password is the e-mail of the account or its first part. Choose another.',
  'The browser did not prove a passkey of this site. Start again.',
  'More than 10,000 messages match. Choose a shorter period with since and until.',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
  'cursor belongs to another sort. Repeat the sort of its page.',
];

type Fields = Readonly<Record<string, unknown>>;

const longerThan = (length: string | undefined) => Number(length?.replaceAll(',', '')) + 1;
/** Returns the same field with each of the values. */
const each =
  (...values: readonly unknown[]) =>
  (name: string): Fields[] =>
    values.map((value) => ({ [name]: value }));

const asSet = (set: Fields): Fields => ({ set });

/** What is no time in a query. */
const wrongTimes = [
  ...['yesterday', '7', '2026', '2026-02-31', '2026-13-01', '2026-02-29', '2026-03-01T25:00Z', '2026-3-1'],
  ...['2026-03-01 10:00', '2026-03-01T10:00 PST', '2026-03-01(x)', '2026-03-01T10:00+0200', ' 2026-03-01'],
  ...['0000-01-01', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '+012026-03-01', 'infinity'],
];
const wrongLimits = ['0', '1001', '-1', '1.5', '1e2', '0x10', ' 5', 'ten', 'NaN', '९', '9'.repeat(400)];
/** Characters that write to a terminal, end a line, or hide what comes after them. */
const controls = [
  '\u001b[31mb',
  'a\u009b2Jb',
  'a\r\nb',
  'a\tb',
  'a\u0085b',
  'a\u007fb',
  'a\u202eb',
  'a\u2066b',
];

/** The sentences of errors that say by themselves which value of which field gets them. */
const sentences: readonly [pattern: RegExp, inputs: (name: string, bound?: string) => readonly Fields[]][] = [
  [/^(\w+) is required\.?$/, each(undefined, '', null)],
  [/^(\w+) must be one of: /, each('nonsense')],
  [/^(\w+) must be (?:true or false|0 or 1|1 or 0)\.$/, each('maybe', '2', 'yes', 'TRUE', ' true', 'null')],
  [/^(types) must be event types separated by commas: /, each('issue.exploded', 'issue.created,issue')],
  [/^(\w+) must not be blank\./, each('', ' \n')],
  [/^(\w+) must not contain control characters\.$/, each(...controls)],
  [
    /^(q) must be at most (\d+) characters\. Search/,
    (name, bound) => each('🐛'.repeat(longerThan(bound)))(name),
  ],
  [
    /^(\w+) must be at most ([\d,]+) characters\.$/,
    (name, bound) => each('x'.repeat(longerThan(bound)), '🐛'.repeat(longerThan(bound)))(name),
  ],
  [/^(since|until) must be an ISO 8601 time\.$/, each(...wrongTimes)],
  [/^(limit) must be a whole number from 1 to 1,000\.$/, each(...wrongLimits)],
  [
    /^(cursor) must be the nextCursor of an earlier page\.$/,
    each(
      'nonsense',
      'a',
      '!!!',
      '🐛é',
      'A'.repeat(8_000),
      btoa('%'),
      btoa('%ff%fe'),
      btoa('{'),
      btoa('null'),
    ),
  ],
  [/^(expected) must be an object of the fields that you saw\.$/, each('all', 7)],
  [/^set\.(\w+) must be a text that is not empty\.$/, (name) => each('', 7)(name).map(asSet)],
  [
    /^set\.(\w+) must be at most ([\d,]+) characters\.$/,
    (name, bound) => [asSet({ [name]: 'x'.repeat(longerThan(bound)) })],
  ],
  [
    /^set\.(\w+)\[0\] must be at most ([\d,]+) characters\.$/,
    (name, bound) => [asSet({ [name]: ['x'.repeat(longerThan(bound))] })],
  ],
  [
    /^(\w+)\[0\] must be at most ([\d,]+) characters\.$/,
    (name, bound) => [{ [name]: ['x'.repeat(longerThan(bound))] }],
  ],
  [/^(expires_days) must be a whole number from 1 to 36,500, or null\.$/, each(0, 36_501, 1.5, 'soon')],
];

/** Returns fields that an operation refuses with a text, as the text itself says, or undefined if it does not. */
export function fieldsRefusedWith(text: string): readonly Fields[] | undefined {
  for (const [pattern, inputs] of sentences) {
    const [, name, bound] = pattern.exec(text) ?? [];
    if (name !== undefined) return inputs(name, bound);
  }
  return undefined;
}

const weakPasswords = 'test/http/sessions/sign-in.test.ts';
const device = 'test/http/operations/device.test.ts';

/** Documented texts that need more than an input, each with the test that causes it. */
export const testedElsewhere: Readonly<Record<string, string>> = {
  'The search took too long. Search for a longer or rarer word, or in a shorter period with since and until.':
    'test/http/lists/search.test.ts',
  'assignee=me needs an account, which API tokens and local operators do not have. Use the id of an admin.':
    'test/http/operations/assignees.test.ts',
  'Password must be at least 12 characters.': weakPasswords,
  'This password is one of the 10,000 most common. Choose another.': weakPasswords,
  'The password is the e-mail of the account or its first part. Choose another.': weakPasswords,
  'The browser did not prove a passkey of this site. Start again.': 'test/http/operations/factors.test.ts',
  'More than 10,000 messages match. Choose a shorter period with since and until.':
    'test/jobs/webhook-messages.test.ts',
  authorization_pending: device,
  slow_down: device,
  expired_token: device,
  access_denied: device,
  'cursor belongs to another sort. Repeat the sort of its page.': 'test/every/lists.test.ts',
};

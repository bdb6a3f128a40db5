import { InvalidArgumentError } from 'commander';
import { tokens as noun } from '../../src/contract/fields/tokens.ts';
import { rolesHelp } from '../../src/contract/roles.ts';
import { timeColumn } from '../terminal/columns.ts';
import { change } from '../verb/change.ts';
import { list } from '../verb/list.ts';
import { flag, option, or, parsed, required } from '../verb/parameters.ts';
import { verbs } from '../verb/verb.ts';
import { token } from './kinds.ts';

const { name, role, scope } = noun.fields;

/** Commander takes null for a missing value. */
const never = 'never';

const expires = parsed('the number of days until it expires, or never', 'days', (value) => {
  if (value === never) return never;
  const days = Number(value);
  if (Number.isInteger(days) && days >= 1 && days <= 36_500) return days;
  throw new InvalidArgumentError('Must be a number of days from 1 to 36500, or never.');
});

/** Bearer tokens of scripts. */
export const tokens = verbs('backoffice tokens list', {
  list: list('tokens.list', 'tokens', {
    about: 'list tokens, without their secrets',
    of: noun,
    search: 'only if the name, the role or the owner contains these words',
    columns: [
      ...(['id', 'name'] as const),
      {
        heading: 'role',
        value: ({ role, read_only, scope }) =>
          scope ? 'only sends in' : read_only ? `${role}, only reads` : role,
      },
      'state',
      { heading: 'owner', value: ({ owner }) => owner?.email ?? owner?.id ?? '', cut: true, dropAs: 3 },
      timeColumn('expires', 'expires_at', { none: 'never' }),
      timeColumn('last used', 'last_used_at', { none: 'never', dropAs: 1 }),
      ['created_by', 2],
    ],
    web: { page: 'tokens', takes: [['search', 'q']] },
    examples: ['backoffice tokens list --json name,last_used_at'],
  }),

  create: change('tokens.create', {
    about: 'create a token and show its secret once',
    params: {
      name: required(option(name, 'the purpose of the token')),
      role: or(option(role, `the role: ${rolesHelp}`), 'user'),
      expires: or(expires, 90),
      readOnly: flag('only for reading'),
      scope: or(option(scope, 'what it may do: everything that its role may, or only send data in'), 'all'),
    },
    input: ({ expires, readOnly, ...given }) => ({
      ...given,
      expires_days: expires === never ? null : expires,
      read_only: readOnly === true,
    }),
    done({ token: { id, role, read_only, scope, expires_at }, secret }) {
      const limits = read_only ? ', only for reading' : scope ? ', only for sending data in' : '';
      const until = expires_at === null ? 'never expires' : `expires on ${expires_at.slice(0, 10)}`;
      return {
        remark: `Created token ${id} with the role ${role}${limits}. It ${until}. Its secret, shown only once:`,
        text: secret,
      };
    },
    notes:
      'A token that is created on the database belongs to nobody. One that is created on a server belongs to the owner of\n' +
      'your token, and is revoked with it.',
    examples: [
      'backoffice tokens create --name nightly-report --role user --expires 365',
      'backoffice tokens create --name dashboard --role admin --read-only',
      'backoffice tokens create --name website --scope intake --expires never',
    ],
  }),

  revoke: change('tokens.revoke', {
    about: 'revoke a token immediately, and the tokens that it has created',
    of: token,
    input: (_given, { id }) => ({ id }),
    ask: ({ id }) => `Revoke token ${id}? Scripts that use it stop working.`,
    done: (_answer, { id }) => `Revoked token ${id}.`,
    examples: ['backoffice tokens revoke 7'],
  }),
});

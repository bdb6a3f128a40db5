import { invitations as noun } from '../../src/contract/fields/invitations.ts';
import { change } from '../verb/change.ts';
import { list } from '../verb/list.ts';
import { verbs } from '../verb/verb.ts';
import { invitation } from './kinds.ts';

/** The links that create an account each. `admins invite` makes them. */
export const invitations = verbs('backoffice invitations list', {
  list: list('invitations.list', 'invitations', {
    about: 'list open invitations, newest first',
    of: { ...noun, many: 'open invitations' },
    columns: ['id', 'email', 'role', ['invited_by', 1], 'created_at', ['expires_at', 2]],
    web: { page: 'admins' },
    examples: ['backoffice invitations list'],
  }),

  revoke: change('invitations.revoke', {
    about: 'revoke an invitation, whose link then stops working',
    of: invitation,
    input: (_given, { id }) => ({ id }),
    done: (_answer, { email }) => `Revoked the invitation of ${email}.`,
    examples: ['backoffice invitations revoke grace@example.com'],
  }),
});

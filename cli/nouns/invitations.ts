import { invitations as noun } from '../../src/contract/fields/invitations.ts';
import { emitChange } from '../output/emit.ts';
import { print } from '../terminal/terminal.ts';
import { list } from '../verb/list.ts';
import { findRow } from '../verb/rows.ts';
import { type Noun, verb } from '../verb/verb.ts';
import { invitation } from './kinds.ts';

/** The links that create an account each. `admins invite` makes them. */
export const invitations: Noun = {
  example: 'backoffice invitations list',
  verbs: {
    list: list('invitations.list', 'invitations', {
      about: 'list open invitations, newest first',
      of: { ...noun, many: 'open invitations' },
      columns: ['id', 'email', 'role', ['invited_by', 1], 'created_at', ['expires_at', 2]],
      web: { page: 'admins' },
      examples: ['backoffice invitations list'],
    }),

    revoke: verb({
      about: 'revoke an invitation, whose link then stops working',
      params: { invitation: invitation.key },
      operations: ['invitations.revoke'],
      examples: ['backoffice invitations revoke grace@example.com'],
      async run({ given, format, open }) {
        const { storedEmail } = await import('../../src/contract/schemas/stored-email.ts');
        await open(async (access) => {
          const { id, email } = await findRow(invitation, access, storedEmail(given.invitation));
          const done = await access.call('invitations.revoke', { id });
          await emitChange(done, format, () => print(`Revoked the invitation of ${email}.`));
        });
      },
    }),
  },
};

import { sessions as noun } from '../../src/contract/fields/sessions.ts';
import { NotFoundError } from '../errors.ts';
import { confirm } from '../input/prompts.ts';
import { remark } from '../terminal/terminal.ts';
import { counted, grouped } from '../terminal/text.ts';
import { emitDone, yes } from '../verb/change.ts';
import { list } from '../verb/list.ts';
import { argument, text } from '../verb/parameters.ts';
import { calling, verbs } from '../verb/verb.ts';

const session = argument(
  text(
    "a session's ID or at least its first 8 characters, or an admin's e-mail",
    'session',
    'signed-in admins',
  ),
);

/** Who is signed in. */
export const sessions = verbs('backoffice sessions list', {
  list: list('sessions.list', 'sessions', {
    about: 'list active sessions, most recently used first',
    of: { ...noun, many: 'active sessions' },
    search: 'only if the ID or the admin contains these words',
    columns: [
      { heading: 'id', value: ({ id }) => id, cut: true },
      ...(['email', ['role', 2], 'last_seen_at', ['created_at', 1]] as const),
    ],
    web: { page: 'sessions', takes: [['search', 'q']] },
    examples: ['backoffice sessions list --json email,last_seen_at'],
  }),

  revoke: calling('sessions.revoke', {
    about: 'end a session, or all sessions of an admin',
    params: { session, yes },
    examples: ['backoffice sessions revoke grace@example.com --yes'],
    async run({ given: { session, yes }, format, access }) {
      const { storedEmail } = await import('../../src/contract/schemas/stored-email.ts');
      const { sessions } = await access.call('sessions.list');
      const found = sessions.filter(
        ({ id, email }) =>
          (session.length >= 8 && id.startsWith(session)) || storedEmail(email) === storedEmail(session),
      );
      if (found.length === 0)
        throw new NotFoundError(
          `No ${session.includes('@') ? 'sessions of' : 'session'} ${session}. Run \`backoffice sessions list\` to see all.`,
        );
      const emails = [...new Set(found.map(({ email }) => email))].join(', ');
      const what = `${counted(found.length, 'session')} of ${emails}`;
      await confirm(`End ${what}?`, yes);
      for (const [ended, { id }] of found.entries())
        await access.call('sessions.revoke', { id }).catch((error: unknown) => {
          if (ended > 0) remark(`Ended ${grouped(ended)} of ${what}.`);
          throw error;
        });
      await emitDone({ success: true }, format, `Ended ${what}.`);
    },
  }),
});

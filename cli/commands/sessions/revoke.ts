import { Command } from 'commander';
import { storedEmail } from '../../../src/contract/schemas/stored-email.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';

/** `backoffice sessions revoke`. */
export function revokeSessionsCommand(): Command {
  const command = new Command('revoke')
    .description('end a session, or all sessions of an admin')
    .argument('<session>', "a session's ID or at least its first 8 characters, or an admin's e-mail")
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice sessions revoke grace@example.com --yes');
  return runs(withFormats(command), 'sessions.revoke').action(
    async (session: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { sessions } = await access.call('sessions.list');
        const found = sessions.filter(
          ({ id, email }) =>
            (session.length >= 8 && id.startsWith(session)) || storedEmail(email) === storedEmail(session),
        );
        if (found.length === 0) {
          if (session.includes('@'))
            throw new NotFoundError(
              `No sessions of ${session}. Run \`backoffice sessions list\` to see all.`,
            );
          throw new NotFoundError(`No session ${session}. Run \`backoffice sessions list\` to see all.`);
        }
        const emails = [...new Set(found.map(({ email }) => email))].join(', ');
        const what = `${counted(found.length, 'session')} of ${emails}`;
        await confirm(`End ${what}?`, yes);
        for (const { id } of found) await access.call('sessions.revoke', { id });
        await emitChange({ success: true }, format, () => print(`Ended ${what}.`));
      });
    },
  );
}

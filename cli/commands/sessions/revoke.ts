import { Command } from 'commander';
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
    .description('end a session, or every session of an admin')
    .argument('<session>', 'the ID of a session or its first 8 characters or more, or the e-mail of an admin')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice sessions revoke grace@example.com --yes');
  return runs(withFormats(command), 'sessions.revoke').action(
    async (which: string, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { sessions } = await access.call('sessions.list');
        const found = sessions.filter(
          ({ id, email }) => (which.length >= 8 && id.startsWith(which)) || email === which.toLowerCase(),
        );
        if (found.length === 0) {
          if (which.includes('@')) throw new NotFoundError(`There is no session of ${which}.`);
          throw new NotFoundError(`There is no session ${which}: see backoffice sessions list.`);
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

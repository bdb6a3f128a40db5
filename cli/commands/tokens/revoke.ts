import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';

/** `backoffice tokens revoke`. */
export function revokeTokenCommand(): Command {
  const command = new Command('revoke')
    .description('revoke a token immediately, and the tokens that it has created')
    .argument('<id>', 'the number of the token', wholeNumber(1))
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice tokens revoke 7');
  return runs(withFormats(command), 'tokens.revoke').action(
    async (id: number, { yes, ...format }: Format & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const { tokens } = await access.call('tokens.list');
        if (!tokens.some((token) => token.id === id)) {
          throw new NotFoundError(`No token ${id}. Run \`backoffice tokens list\` to see all.`);
        }
        await confirm(`Revoke token ${id}? Scripts that use it stop working.`, yes);
        const done = await access.call('tokens.revoke', { id });
        await emitChange(done, format, () => print(`Revoked token ${id}.`));
      });
    },
  );
}

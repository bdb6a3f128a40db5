import { Command } from 'commander';
import { withServices } from '../../access/database.ts';
import { NotFoundError } from '../../errors.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';

/** `backoffice tokens revoke`. */
export function revokeTokenCommand(): Command {
  const command = new Command('revoke')
    .description('revoke a token immediately')
    .argument('<id>', 'the number of the token', wholeNumber(1))
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice tokens revoke 7');
  return withFormats(command).action(async (id: number, { yes, ...format }: Format & { yes?: boolean }) => {
    const { revokeApiToken } = await import('../../../src/services/sign-in/api-tokens.ts');
    const { operatorName } = await import('../../access/local.ts');
    await confirm(`Revoke token ${id}? Scripts that use it stop working.`, yes);
    const revoked = await withServices(command, ({ databases }) =>
      revokeApiToken(databases.primary, id, operatorName()),
    );
    if (!revoked) throw new NotFoundError(`No token ${id}. Run \`backoffice tokens list\` to see all.`);
    await emitChange({ success: true }, format, () => print(`Revoked token ${id}.`));
  });
}

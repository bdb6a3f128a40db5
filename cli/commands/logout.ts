import { Command } from 'commander';
import { runs } from '../access/operations.ts';
import type { Context } from '../contexts/contexts-file.ts';
import { namedTarget } from '../contexts/named-target.ts';
import { NotFoundError } from '../errors.ts';
import { printable } from '../output/text.ts';
import { print, remark } from '../terminal.ts';

/** `backoffice logout`. */
export function logoutCommand(): Command {
  const command = new Command('logout')
    .argument('[context]', 'the name of a context; by default, the one in use')
    .addHelpText('after', '\nExamples:\n  backoffice logout\n  backoffice logout staging');
  return runs(command, 'session.show', 'tokens.revoke').action(async (given: string | undefined) => {
    const { checkContext, ownContexts } = await import('./context/find.ts');
    const { removeContext } = await import('../contexts/contexts-file.ts');
    const { readConfig } = await import('../../src/config.ts');
    const { findTarget } = await import('../contexts/target.ts');
    const name = given ?? (await findTarget(namedTarget(command), readConfig()))?.context;
    if (name === undefined)
      throw new NotFoundError(
        'No context is in use. Name the one to sign out of: `backoffice context list` shows all.',
      );
    const { file, current, contexts } = await ownContexts();
    checkContext({ current, contexts }, name);
    const { [name]: ended } = contexts;
    if (ended !== undefined) await revoke(ended);
    await removeContext(file, name);
    print(printable(`Signed out of ${ended?.server}.`));
  });
}

/** Revokes the token of a context. What is signed out of here must not stay signed in there unnoticed. */
async function revoke(context: Context): Promise<void> {
  const { openRemote } = await import('../access/with-access.ts');
  const { isSignedOut, sentenceOf } = await import('../failures.ts');
  const access = await openRemote(context);
  try {
    const { token: own } = await access.call('session.show', { include: 'token' });
    if (own) await access.call('tokens.revoke', { id: own.id });
  } catch (error) {
    // Without authority, it has ended already.
    if (isSignedOut(error)) return;
    remark(printable(`${sentenceOf(error)} The token was not revoked. Revoke it on the page Tokens.`));
  }
}

import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';

/** `backoffice conversations resend`: sends the failed mail of a reply again. */
export function resendReplyCommand(): Command {
  const command = new Command('resend')
    .description('send the e-mail of a reply again that failed, to the address that the visitor has now')
    .argument('<message>', 'the ID of the reply, which `conversations show` prints', wholeNumber(1))
    .addHelpText('after', '\nExample:\n  backoffice conversations resend 42');
  return runs(withFormats(command), 'messages.retry').action(async (id: number, format: Format) => {
    await withAccess(command, async (access) => {
      const answer = await access.call('messages.retry', { id });
      await emitChange(answer, format, () => print(`Queued the e-mail of message ${id} again.`));
    });
  });
}

import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';
import { findWebhook } from './find.ts';

/** `backoffice webhooks delete`. */
export function deleteWebhookCommand(): Command {
  const command = new Command('delete')
    .description('delete a webhook; its delivery log is kept for the usual time')
    .argument('<webhook>', 'the number of the webhook', wholeNumber(1))
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice webhooks delete 1');
  return runs(withFormats(command), 'webhooks.delete').action(
    async (id: number, { yes, ...format }: Format & { yes?: boolean }) => {
      const done = await withAccess(command, async (access) => {
        const { url } = await findWebhook(access, id);
        await confirm(`Delete webhook ${id} to ${printable(url)}?`, yes);
        return await access.call('webhooks.delete', { id });
      });
      await emitChange(done, format, () => print(`Deleted webhook ${id}.`));
    },
  );
}

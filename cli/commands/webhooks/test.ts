import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { FailedError } from '../../errors.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';
import { noWebhook } from './find.ts';

/** `backoffice webhooks test`. */
export function testWebhookCommand(): Command {
  const command = new Command('test')
    .description('send a message of the type webhook.tested to a webhook; exit code 1 if it is not accepted')
    .argument('<webhook>', 'the number of the webhook', wholeNumber(1))
    .addHelpText('after', '\nExample:\n  backoffice webhooks test 1');
  return runs(withFormats(command), 'webhooks.test').action(async (id: number, format: Format) => {
    const tested = await withAccess(command, (access) => access.call('webhooks.test', { id }));
    const { delivery } = tested;
    if (delivery === null) throw noWebhook(id);
    await emitChange(tested, format, () => {
      if (delivery.error !== null) return;
      print(
        `Delivered message ${delivery.message_id}: ${delivery.response_status} in ${delivery.duration_ms} ms.`,
      );
    });
    if (delivery.error !== null) throw new FailedError(delivery.error);
  });
}

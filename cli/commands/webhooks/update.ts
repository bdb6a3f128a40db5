import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { emitChange, withFormats } from '../../output/emit.ts';
import { splitFormat } from '../../output/formats.ts';
import { print, remark } from '../../terminal.ts';
import { givenFields, parseEventTypes, type WebhookFieldOptions } from './fields.ts';
import { findWebhook } from './find.ts';

interface UpdateOptions extends WebhookFieldOptions {
  readonly url?: string;
  readonly activate?: true;
  readonly deactivate?: true;
  readonly rotateSecret?: true;
}

/** `backoffice webhooks update`. */
export function updateWebhookCommand(): Command {
  const command = new Command('update')
    .description('change a webhook, activate or deactivate it, or rotate its secret')
    .argument('<webhook>', 'the number of the webhook', wholeNumber(1))
    .option('--url <url>', 'the new address that receives the messages')
    .option('--events <types>', 'only these event types, or all', parseEventTypes)
    .option('--description <text>', 'the purpose of the webhook')
    .option('--content', 'send the texts of messages and issues too')
    .option('--no-content', 'send no texts')
    .option('--activate', 'start sending messages')
    .option('--deactivate', 'stop sending messages, and cancel pending deliveries')
    .option(
      '--rotate-secret',
      'create a new secret and show it once; the old one also signs for one more day',
    )
    .addHelpText('after', '\nExample:\n  backoffice webhooks update 1 --events all --activate');
  return runs(withFormats(command), 'webhooks.update').action(async (id: number, options: UpdateOptions) => {
    const { format, others } = splitFormat(options);
    const { activate, deactivate, rotateSecret, ...fields } = others;
    if (activate && deactivate) throw new UsageError('Use either --activate or --deactivate, not both.');
    const changes = {
      ...givenFields(fields),
      ...(activate ? { is_active: 1 as const } : {}),
      ...(deactivate ? { is_active: 0 as const } : {}),
      ...(rotateSecret ? { rotate_secret: true } : {}),
    };
    const changed = await withAccess(command, async (access) => {
      await findWebhook(access, id);
      return await access.call('webhooks.update', { id, ...changes });
    });
    await emitChange(changed, format, () => {
      if (changed.secret === undefined) return print(`Changed webhook ${id}.`);
      remark(`Changed webhook ${id}. Its new secret, shown only once:`);
      print(changed.secret);
    });
  });
}

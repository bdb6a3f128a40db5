import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitChange, withFormats } from '../../output/emit.ts';
import { splitFormat } from '../../output/formats.ts';
import { print, remark } from '../../terminal.ts';
import { givenFields, parseEventTypes, type WebhookFieldOptions } from './fields.ts';

/** `backoffice webhooks create`. */
export function createWebhookCommand(): Command {
  const command = new Command('create')
    .description('create a webhook and show its secret once')
    .argument('<url>', 'the address that receives the messages')
    .option('--events <types>', 'only these event types: issue.created,issue.updated', parseEventTypes)
    .option('--description <text>', 'the purpose of the webhook')
    .option('--content', 'send the texts of messages and issues too')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice webhooks create https://example.com/hooks --events issue.created,message.created',
    );
  return runs(withFormats(command), 'webhooks.create').action(
    async (url: string, options: WebhookFieldOptions) => {
      const { format, others: fields } = splitFormat(options);
      const created = await withAccess(command, (access) =>
        access.call('webhooks.create', { url, ...givenFields(fields) }),
      );
      await emitChange(created, format, () => {
        remark(`Created webhook ${created.webhook.id}. Its secret, shown only once:`);
        print(created.secret);
      });
    },
  );
}

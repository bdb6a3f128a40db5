import { Command } from 'commander';
import { createWebhookCommand } from './create.ts';
import { deleteWebhookCommand } from './delete.ts';
import { listDeliveriesCommand } from './deliveries.ts';
import { listWebhooksCommand } from './list.ts';
import { replayWebhookCommand } from './replay.ts';
import { testWebhookCommand } from './test.ts';
import { updateWebhookCommand } from './update.ts';

/** `backoffice webhooks`: other services that receive events. */
export function webhooksCommand(): Command {
  const command = new Command('webhooks');
  const verbs = [
    listWebhooksCommand(),
    createWebhookCommand(),
    updateWebhookCommand(),
    testWebhookCommand(),
    listDeliveriesCommand(),
    replayWebhookCommand(),
    deleteWebhookCommand(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}

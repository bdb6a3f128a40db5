import { Command } from 'commander';
import { createWebhookCommand } from './create.ts';
import { deleteWebhookCommand } from './delete.ts';
import { listDeliveriesCommand } from './deliveries.ts';
import { listWebhooksCommand } from './list.ts';
import { replayWebhookCommand } from './replay.ts';
import { testWebhookCommand } from './test.ts';
import { updateWebhookCommand } from './update.ts';

/** `backoffice webhooks`: who else is told what happens. */
export function webhooksCommand(): Command {
  const command = new Command('webhooks').description('tell other services what happens');
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

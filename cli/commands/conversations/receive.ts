import { Command } from 'commander';
import { sendsMessage } from './send-message.ts';

/** `backoffice conversations receive`: adds a message from the visitor, as the website does. */
export function receiveMessageCommand(): Command {
  const command = new Command('receive')
    .description('add a message from the visitor, as the website does')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations receive conv_1769851800000_k3x9a2b "Thank you!"',
    );
  return sendsMessage(
    command,
    'visitor',
    'message',
    (id, visitor) => `Received message ${id} from ${visitor}.`,
  );
}

import { Command } from 'commander';
import { sendsMessage } from './send-message.ts';

/** `backoffice conversations reply`: replies to a visitor. */
export function replyToConversationCommand(): Command {
  const command = new Command('reply')
    .description('reply to a visitor')
    .option('--saved <shortcut>', 'send this saved reply, with its placeholders filled in')
    .option('--edit', 'change the saved reply in your editor before it is sent')
    .addHelpText(
      'after',
      `
Examples:
  backoffice conversations reply conv_1769851800000_k3x9a2b "It is in your inbox."
  backoffice conversations reply conv_1769851800000_k3x9a2b --saved on-its-way --edit
  backoffice conversations reply conv_1769851800000_k3x9a2b < answer.txt`,
    );
  return sendsMessage(command, 'admin', 'reply', (id, visitor) => `Sent message ${id} to ${visitor}.`);
}

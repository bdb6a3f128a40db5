import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { readText } from '../../prompts.ts';
import { print } from '../../terminal.ts';

/** `backoffice conversations reply`: answers a visitor. */
export function replyToVisitor(): Command {
  const command = new Command('reply').description('reply to a visitor').addHelpText(
    'after',
    `
Examples:
  backoffice conversations reply conv_1769851800000_k3x9a2b "It is in your inbox."
  backoffice conversations reply conv_1769851800000_k3x9a2b < answer.txt`,
  );
  return sends(command, 'admin', (id, visitor) => `Sent message ${id} to ${visitor}.`);
}

/** `backoffice conversations receive`: delivers what a visitor wrote, as the website does. */
export function receiveMessage(): Command {
  const command = new Command('receive')
    .description('deliver a message of the visitor, as the website does')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations receive conv_1769851800000_k3x9a2b "Thank you!"',
    );
  return sends(command, 'visitor', (id, visitor) => `Received message ${id} from ${visitor}.`);
}

function sends(
  command: Command,
  sender_type: 'admin' | 'visitor',
  describe: (id: number, visitor: string) => string,
): Command {
  command
    .argument('<conversation>', 'the ID of the conversation')
    .argument('[text]', 'what the message says; - or nothing for standard input');
  return runs(withFormats(command), 'messages.create').action(
    async (conversation_id: string, given: string | undefined, format: Format) => {
      await withAccess(command, async (access) => {
        // First, so that nobody writes a text for a conversation that is not there.
        const { conversation } = await readThread(access, conversation_id, 1);
        const content = await readText(given);
        const sent = await access.call('messages.create', { conversation_id, content, sender_type });
        await emitChange(sent, format, () => print(describe(sent.id, printable(conversation.visitor_name))));
      });
    },
  );
}

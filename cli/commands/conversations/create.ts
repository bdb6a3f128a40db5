import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { readTexts } from '../../input/long-text.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { print } from '../../terminal.ts';

interface CreateOptions extends Format {
  readonly email: string;
  readonly name: string;
  readonly subject?: string;
  readonly message?: string;
}

/** `backoffice conversations create`. */
export function createConversationCommand(): Command {
  const command = new Command('create')
    .description('start a conversation with a visitor')
    .requiredOption('--email <email>', "the visitor's e-mail")
    .requiredOption('--name <name>', "the visitor's name")
    .option('--subject <text>', 'the subject')
    .option('--message <text>', "the visitor's first message; - for standard input")
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations create --email ada@example.com --name "Ada Byron" --message "Hello?"',
    );
  return runs(withFormats(command), 'conversations.create').action(async (options: CreateOptions) => {
    const { email, name, subject, message, ...format } = await readTexts(options, ['message']);
    const created = await withAccess(command, (access) =>
      access.call('conversations.create', {
        visitor_email: email,
        visitor_name: name,
        subject,
        initial_message: message,
      }),
    );
    await emitChange(created, format, () => print(`Started conversation ${created.conversation.id}.`));
  });
}

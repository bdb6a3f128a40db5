import type { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { UsageError } from '../../errors.ts';
import { textArgument, withEditedText, withText } from '../../input/long-text.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';
import { maxQuotedMessages, quotedThread } from './quoted-thread.ts';
import { readSavedReply } from './saved-reply.ts';
import { remarkUnsentMail } from './visitor-mail-note.ts';

interface SendOptions extends Format {
  /** The shortcut of a saved reply. Only replies have it. */
  readonly saved?: string;
  /** Whether to change it first. */
  readonly edit?: true;
}

/** Completes a command that adds a message to a conversation. */
export function sendsMessage(
  command: Command,
  sender_type: 'admin' | 'visitor',
  noun: string,
  describe: (id: number, visitor: string) => string,
): Command {
  command
    .argument('<conversation>', 'the ID of the conversation')
    .addArgument(textArgument(`the text of the ${noun}`));
  return runs(withFormats(command), 'messages.create').action(
    async (conversation_id: string, given: string | undefined, { saved, edit, ...format }: SendOptions) => {
      if (given !== undefined && saved !== undefined) throw new UsageError('Use either a text or --saved.');
      if (edit && saved === undefined) throw new UsageError('--edit needs --saved.');
      await withAccess(command, async (access) => {
        // First, so that nobody types a text for a conversation that does not exist.
        const thread = await readThread(access, conversation_id, maxQuotedMessages);
        const { conversation } = thread;
        const send = async (content: string) => {
          const sent = await access.call('messages.create', { conversation_id, content, sender_type });
          await emitChange(sent, format, async () => {
            print(describe(sent.id, printable(conversation.visitor_name)));
            if (sender_type === 'admin') await remarkUnsentMail(access);
          });
        };
        const text = { what: noun, about: quotedThread(thread) };
        if (saved === undefined) return await withText(given, text, send);
        const reply = await readSavedReply(access, saved, conversation);
        await (edit ? withEditedText({ ...text, initial: reply, mayStay: true }, send) : send(reply));
      });
    },
  );
}

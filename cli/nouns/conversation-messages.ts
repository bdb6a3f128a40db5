import { noVisitorMail } from '../../src/contract/deliveries.ts';
import { fillPlaceholders } from '../../src/contract/saved-reply-text.ts';
import { printableLines } from '../../src/shared/text.ts';
import type { Access } from '../access/access.ts';
import { type FoundThread, readThread } from '../access/pages.ts';
import { UsageError } from '../errors.ts';
import { withEditedText, withText } from '../input/long-text.ts';
import { emitChange } from '../output/emit.ts';
import { print, remark } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { dateAndTime } from '../terminal/time.ts';
import { change, emitDone } from '../verb/change.ts';
import { argument, flag, maybeWritten, number, text } from '../verb/parameters.ts';
import { findRow } from '../verb/rows.ts';
import { calling } from '../verb/verb.ts';
import { conversation, savedReply } from './kinds.ts';

/** How many messages are shown to a person who writes an answer. */
const maxQuotedMessages = 3;

/** Answers a visitor. */
export const reply = calling('messages.create', {
  about: 'reply to a visitor',
  params: {
    conversation: conversation.key,
    text: maybeWritten('the text of the reply'),
    saved: text('send this saved reply, with its placeholders filled in', 'shortcut', 'saved replies'),
    edit: flag('change the saved reply in your editor before it is sent'),
  },
  examples: [
    'backoffice conversations reply conv_1769851800000_k3x9a2b "It is in your inbox."',
    'backoffice conversations reply conv_1769851800000_k3x9a2b --saved on-its-way --edit',
    'backoffice conversations reply conv_1769851800000_k3x9a2b < answer.txt',
  ],
  async run({ given: { conversation: id, text: given, saved, edit }, format, access }) {
    if (given !== undefined && saved !== undefined) throw new UsageError('Use either a text or --saved.');
    if (edit && saved === undefined) throw new UsageError('--edit needs --saved.');
    // First, so that nobody types a text for a conversation that does not exist.
    const thread = await readThread(access, id, maxQuotedMessages);
    const { conversation } = thread;
    const send = async (content: string) => {
      const message = { conversation_id: id, content, sender_type: 'admin' } as const;
      const sent = await access.call('messages.create', message);
      await emitChange(sent, format, async () => {
        print(`Sent message ${sent.id} to ${printable(conversation.visitor_name)}.`);
        await remarkUnsentMail(access);
      });
    };
    const written = { what: 'reply', about: quotedThread(thread) };
    if (saved === undefined) return await withText(given, written, send);
    const initial = await readSavedReply(access, saved, conversation);
    await (edit ? withEditedText({ ...written, initial, mayStay: true }, send) : send(initial));
  },
});

/** Adds a message from the visitor. */
export const receive = calling('messages.create', {
  about: 'add a message from the visitor, as the website does',
  params: { conversation: conversation.key, text: maybeWritten('the text of the message') },
  examples: ['backoffice conversations receive conv_1769851800000_k3x9a2b "Thank you!"'],
  async run({ given: { conversation: id, text: given }, format, access }) {
    const thread = await readThread(access, id, maxQuotedMessages);
    await withText(given, { what: 'message', about: quotedThread(thread) }, async (content) => {
      const message = { conversation_id: id, content, sender_type: 'visitor' } as const;
      const sent = await access.call('messages.create', message);
      const { visitor_name } = thread.conversation;
      await emitDone(sent, format, `Received message ${sent.id} from ${visitor_name}.`);
    });
  },
});

/** Sends the failed mail of a reply again. */
export const resend = change('messages.retry', {
  about: 'send the failed e-mail of a reply again, to the address that the visitor has now',
  params: {
    message: {
      ...argument(number('the ID of the reply, which `conversations show` prints', 1)),
      term: 'message',
    },
  },
  input: ({ message: id }) => ({ id }),
  done: (_answer, _row, { message }) => `Queued the e-mail of message ${message} again.`,
  examples: ['backoffice conversations resend 42'],
});

/** Returns the last messages of a conversation, oldest first, to show below an answer that is being written. */
function quotedThread({ conversation, messages }: FoundThread): readonly string[] {
  const { visitor_name, visitor_email, subject } = conversation;
  const lines = messages.flatMap(({ sender_type, sent_by, content, created_at }) => {
    const who = sender_type === 'visitor' ? visitor_name : (sent_by ?? 'the team');
    return ['', `${who}, ${dateAndTime(created_at)}:`, ...content.split(/\r?\n/).map((line) => `  ${line}`)];
  });
  return [`${visitor_name} <${visitor_email}>: ${subject === '' ? '(no subject)' : subject}`, ...lines].map(
    printableLines,
  );
}

/**
 * Returns the text of a saved reply to a conversation.
 *
 * @throws UsageError if the reply has the name of the sender, who has none
 */
async function readSavedReply(
  access: Access,
  shortcut: string,
  { id, visitor_name }: FoundThread['conversation'],
): Promise<string> {
  const { content } = await findRow(savedReply, access, shortcut);
  const { admin } = await access.call('session.show');
  if (admin === null && content.includes('{{admin_name}}'))
    throw new UsageError(
      'The saved reply has {{admin_name}}, and API tokens and local operators have no name. Send the text itself.',
    );
  const sender = admin === null ? {} : { admin_name: admin.username };
  return fillPlaceholders(content, { visitor_name, conversation_id: id, ...sender });
}

/** Says on standard error if the reply that was just stored is not sent to its visitor. */
export async function remarkUnsentMail(access: Access): Promise<void> {
  // A server of an older version does not know what it is asked, and sends none.
  const session = await access.call('session.show', { include: 'visitor_mail' }).catch(() => undefined);
  const mode = session?.visitor_mail;
  if (mode !== undefined && mode !== 'on') remark(noVisitorMail[mode]);
}

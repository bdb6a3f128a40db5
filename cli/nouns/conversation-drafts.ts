import { printableLines } from '../../src/shared/text.ts';
import type { Access } from '../access/access.ts';
import { readThread, type ThreadMessage } from '../access/pages.ts';
import { FailedError, NotFoundError } from '../errors.ts';
import { withText } from '../input/long-text.ts';
import { confirm } from '../input/prompts.ts';
import { emit, emitChange } from '../output/emit.ts';
import { outputWidth, print } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { emitDone, yes } from '../verb/change.ts';
import { flag, type Given, maybeWritten, number } from '../verb/parameters.ts';
import { calling, verbs } from '../verb/verb.ts';
import { remarkUnsentMail } from './conversation-messages.ts';
import { conversation } from './kinds.ts';

/** The message of a conversation that a draft answers. */
const messageOr = (newest: string) => ({
  conversation: conversation.key,
  message: number(`the message that it answers; by default, ${newest}`, 1),
});

const ofDraft = messageOr('the newest one with a draft');
const hasDraft: Wanted = { matches: ({ ai_draft }) => ai_draft !== null, none: 'has no draft' };

/** Replies that wait for approval. */
export const draft = verbs('backoffice conversations draft approve conv_1769851800000_k3x9a2b', {
  propose: calling('messages.updateDraft', {
    about: 'propose a reply for approval',
    params: { ...messageOr("the visitor's newest message"), text: maybeWritten('the draft') },
    examples: ['backoffice conversations draft propose conv_1769851800000_k3x9a2b "It is on its way."'],
    async run({ given, format, access }) {
      const target = await findMessage(access, given, {
        matches: ({ sender_type }) => sender_type === 'visitor',
        none: 'has no message from its visitor',
        not: 'is not from its visitor',
      });
      const { id, ai_draft } = target;
      if (ai_draft !== null)
        throw new FailedError(`Message ${id} already has a draft. Edit or reject it first.`);
      await withDraft(given.text, target, async (written) => {
        await emitDone(await setDraft(access, target, written), format, `Proposed a reply to message ${id}.`);
      });
    },
  }),

  edit: calling('messages.updateDraft', {
    about: 'replace the text of a draft',
    params: { ...ofDraft, text: maybeWritten('the new draft') },
    examples: ['backoffice conversations draft edit conv_1769851800000_k3x9a2b "It arrives on Monday."'],
    async run({ given, format, access }) {
      const target = await findMessage(access, given, hasDraft);
      await withDraft(given.text, target, async (written) => {
        const done = await setDraft(access, target, written);
        await emitDone(done, format, `Changed the draft on message ${target.id}.`);
      });
    },
  }),

  approve: calling('messages.create', {
    about: 'send a draft to the visitor, in your name',
    params: { ...ofDraft, dryRun: flag('only show what would be sent') },
    examples: ['backoffice conversations draft approve conv_1769851800000_k3x9a2b --dry-run'],
    async run({ given, format, access }) {
      const { conversation: conversation_id, dryRun } = given;
      const { id: approve, ai_draft, visitor_name } = await findMessage(access, given, hasDraft);
      const visitor = printable(visitor_name);
      const { indented } = await import('../terminal/thread.ts');
      const content = ai_draft ?? '';
      const show = (what: string) => print([what, ...indented(content, '  ', outputWidth())].join('\n'));
      if (dryRun) {
        const unsent = { conversation_id, message_id: approve, content };
        return await emit(unsent, format, undefined, () => show(`Would send to ${visitor}:`));
      }
      const approval = { approve, conversation_id, expected: { ai_draft } };
      const sent = await access.call('messages.create', approval);
      await emitChange(sent, format, async () => {
        show(`Sent message ${sent.id} to ${visitor}:`);
        await remarkUnsentMail(access);
      });
    },
  }),

  reject: calling('messages.updateDraft', {
    about: 'delete a draft without sending it',
    params: { ...ofDraft, yes },
    examples: ['backoffice conversations draft reject conv_1769851800000_k3x9a2b --yes'],
    async run({ given, format, access }) {
      const target = await findMessage(access, given, hasDraft);
      await confirm(`Reject the draft on message ${target.id}? Its text is lost.`, given.yes);
      const done = await setDraft(access, target, null);
      await emitDone(done, format, `Rejected the draft on message ${target.id}.`);
    },
  }),
});

/** Does something with the given text of a draft, or with the one that the user writes below the message. */
const withDraft = (
  given: string | undefined,
  { content, ai_draft }: ThreadMessage,
  use: (text: string) => Promise<void>,
) => {
  const about = ['The message of the visitor:', '', ...printableLines(content).split('\n')];
  return withText(given, { what: 'draft', initial: ai_draft ?? '', about }, use);
};

/** Sets the draft on a message, or removes it with null, unless somebody has changed it since the message was read. */
const setDraft = (access: Access, { id, ai_draft: seen }: ThreadMessage, ai_draft: string | null) =>
  access.call('messages.updateDraft', { id, ai_draft, expected: { ai_draft: seen } });

/** Which message is looked for. */
interface Wanted {
  matches(message: ThreadMessage): boolean;
  /** The ends of the two errors: for a conversation without such a message, and for a message that does not match. */
  readonly none: string;
  readonly not?: string;
}

/**
 * Finds the newest message of a conversation that matches, or the one with a number.
 *
 * @throws NotFoundError if there is none
 */
async function findMessage(
  access: Access,
  { conversation: id, message }: Given<typeof ofDraft>,
  { matches, none, not = none }: Wanted,
) {
  const { conversation, messages } = await readThread(access, id, 0);
  const found = messages.findLast((each) => (message === undefined || each.id === message) && matches(each));
  if (found !== undefined) return { ...found, visitor_name: conversation.visitor_name };
  const what =
    message === undefined
      ? `Conversation ${id} ${none}.`
      : `Message ${message} does not exist in conversation ${id}, or it ${not}.`;
  throw new NotFoundError(`${what} Run \`backoffice conversations show ${id}\` to see it.`);
}

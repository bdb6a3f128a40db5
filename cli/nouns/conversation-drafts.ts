import { printableLines } from '../../src/shared/text.ts';
import type { Access } from '../access/access.ts';
import { readThread, type ThreadMessage } from '../access/pages.ts';
import { FailedError, NotFoundError } from '../errors.ts';
import { withText } from '../input/long-text.ts';
import { confirm } from '../input/prompts.ts';
import { emit, emitChange } from '../output/emit.ts';
import type { Format } from '../output/formats.ts';
import { outputWidth, print } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { yes } from '../verb/change.ts';
import { flag, maybeWritten, number } from '../verb/parameters.ts';
import { dataVerb, type Noun } from '../verb/verb.ts';
import { remarkUnsentMail } from './conversation-messages.ts';
import { conversation } from './kinds.ts';

/** Most searches find the message on the first page. */
const pageSize = 100;

const messageOf = (fallback: string) => number(`the message that it answers; by default, ${fallback}`, 1);

/** A draft that exists, which a verb changes or sends. */
const ofDraft = { conversation: conversation.key, message: messageOf('the newest one with a draft') };

/** Replies that wait for approval. */
export const draft: Noun = {
  about: 'propose, edit, approve or reject the draft of a reply',
  example: 'backoffice conversations draft approve conv_1769851800000_k3x9a2b',
  verbs: {
    propose: dataVerb({
      about: 'propose a reply for approval',
      params: {
        conversation: conversation.key,
        message: messageOf("the visitor's newest message"),
        text: maybeWritten('the draft'),
      },
      operations: ['messages.updateDraft'],
      examples: ['backoffice conversations draft propose conv_1769851800000_k3x9a2b "It is on its way."'],
      async use(access, { given: { conversation: id, message, text }, format }) {
        const target = await findMessage(access, id, message, {
          matches: ({ sender_type }) => sender_type === 'visitor',
          none: 'has no message from its visitor',
          not: 'is not from its visitor',
        });
        if (target.ai_draft !== null)
          throw new FailedError(`Message ${target.id} already has a draft. Edit or reject it first.`);
        await withText(text, { what: 'draft', about: quoted(target) }, (written) =>
          changeDraft(access, target, written, format, `Proposed a reply to message ${target.id}.`),
        );
      },
    }),

    edit: dataVerb({
      about: 'replace the text of a draft',
      params: { ...ofDraft, text: maybeWritten('the new draft') },
      operations: ['messages.updateDraft'],
      examples: ['backoffice conversations draft edit conv_1769851800000_k3x9a2b "It arrives on Monday."'],
      async use(access, { given: { conversation: id, message, text }, format }) {
        const target = await findDraft(access, id, message);
        const draft = { what: 'draft', initial: target.ai_draft ?? '', about: quoted(target) };
        await withText(text, draft, (written) =>
          changeDraft(access, target, written, format, `Changed the draft on message ${target.id}.`),
        );
      },
    }),

    approve: dataVerb({
      about: 'send a draft to the visitor, in your name',
      params: { ...ofDraft, dryRun: flag('only show what would be sent') },
      operations: ['messages.create'],
      examples: ['backoffice conversations draft approve conv_1769851800000_k3x9a2b --dry-run'],
      async use(access, { given: { conversation: id, message, dryRun }, format }) {
        const { conversation } = await readThread(access, id, 1);
        const { id: approve, ai_draft } = await findDraft(access, id, message);
        const visitor = printable(conversation.visitor_name);
        const { indented } = await import('../terminal/thread.ts');
        const content = ai_draft ?? '';
        const show = (what: string) => print([what, ...indented(content, '  ', outputWidth())].join('\n'));
        if (dryRun) {
          const unsent = { conversation_id: id, message_id: approve, content };
          return await emit(unsent, format, undefined, () => show(`Would send to ${visitor}:`));
        }
        const approval = { approve, conversation_id: id, expected: { ai_draft } };
        const sent = await access.call('messages.create', approval);
        await emitChange(sent, format, async () => {
          show(`Sent message ${sent.id} to ${visitor}:`);
          await remarkUnsentMail(access);
        });
      },
    }),

    reject: dataVerb({
      about: 'delete a draft without sending it',
      params: { ...ofDraft, yes },
      operations: ['messages.updateDraft'],
      examples: ['backoffice conversations draft reject conv_1769851800000_k3x9a2b --yes'],
      async use(access, { given: { conversation: id, message, yes }, format }) {
        const target = await findDraft(access, id, message);
        await confirm(`Reject the draft on message ${target.id}? Its text is lost.`, yes);
        await changeDraft(access, target, null, format, `Rejected the draft on message ${target.id}.`);
      },
    }),
  },
};

const quoted = ({ content }: ThreadMessage) => [
  'The message of the visitor:',
  '',
  ...printableLines(content).split('\n'),
];

/** Sets the draft on a message, or removes it with null, unless somebody has changed it since the message was read. */
async function changeDraft(
  access: Access,
  { id, ai_draft: seen }: ThreadMessage,
  ai_draft: string | null,
  format: Format,
  sentence: string,
): Promise<void> {
  const done = await access.call('messages.updateDraft', { id, ai_draft, expected: { ai_draft: seen } });
  await emitChange(done, format, () => print(sentence));
}

const findDraft = (access: Access, id: string, message: number | undefined) =>
  findMessage(access, id, message, {
    matches: ({ ai_draft }) => ai_draft !== null,
    none: 'has no draft',
    not: 'has no draft',
  });

/** Which message is looked for. */
interface Wanted {
  matches(message: ThreadMessage): boolean;
  /** The ends of the two errors: for a conversation without such a message, and for a message that does not match. */
  readonly none: string;
  readonly not: string;
}

/**
 * Finds the newest message of a conversation that matches, or the one with a number.
 *
 * @throws NotFoundError if there is none
 */
async function findMessage(
  access: Access,
  id: string,
  message: number | undefined,
  { matches, none, not }: Wanted,
): Promise<ThreadMessage> {
  let before: string | null | undefined;
  do {
    const { messages, nextCursor } = await readThread(access, id, pageSize, { before });
    const found = messages.findLast(
      (each) => (message === undefined || each.id === message) && matches(each),
    );
    if (found !== undefined) return found;
    before = nextCursor;
  } while (before !== null);
  const what =
    message === undefined
      ? `Conversation ${id} ${none}.`
      : `Message ${message} does not exist in conversation ${id}, or it ${not}.`;
  throw new NotFoundError(`${what} Run \`backoffice conversations show ${id}\` to see it.`);
}

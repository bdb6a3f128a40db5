import { Command } from 'commander';
import type { Access } from '../../../access/access.ts';
import { readThread, type ThreadMessage } from '../../../access/thread.ts';
import { NotFoundError } from '../../../errors.ts';
import { wholeNumber } from '../../../input/arguments.ts';
import { emitChange, type Format, withFormats } from '../../../output/emit.ts';
import { print } from '../../../terminal.ts';

/** Most searches find the message on the first page. */
const pageSize = 100;

/** Describes the message that a verb uses by default. */
export const newestDraft = 'the newest one with a draft';

export const hasDraft = ({ ai_draft }: ThreadMessage) => ai_draft !== null;

export interface DraftOptions extends Format {
  readonly message?: number;
}

/** Creates a command that takes a conversation and, optionally, the number of a message. */
export function draftVerb(verb: string, description: string, defaultMessage: string): Command {
  const command = new Command(verb)
    .description(description)
    .argument('<conversation>', 'the ID of the conversation')
    .option(
      '--message <number>',
      `the message that it answers; by default, ${defaultMessage}`,
      wholeNumber(1),
    );
  return withFormats(command);
}

/** Sets the draft on a message, or removes it with null, unless somebody has changed it since the message was read. */
export async function changeDraft(
  access: Access,
  { id, ai_draft: seen }: ThreadMessage,
  ai_draft: string | null,
  format: Format,
  sentence: string,
): Promise<void> {
  const done = await access.call('messages.updateDraft', { id, ai_draft, expected: { ai_draft: seen } });
  await emitChange(done, format, () => print(sentence));
}

export const findDraft = (access: Access, id: string, message: number | undefined) =>
  findMessage(access, id, message, hasDraft, { conversation: 'has no draft', message: 'has no draft' });

/**
 * Finds the newest message of a conversation that matches, or the one with a number.
 *
 * @param reasons - the ends of the two errors: for a conversation without such a message, and for a message that does
 *   not match
 * @throws NotFoundError if there is none
 */
export async function findMessage(
  access: Access,
  id: string,
  message: number | undefined,
  matches: (message: ThreadMessage) => boolean,
  reasons: { readonly conversation: string; readonly message: string },
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
  throw new NotFoundError(
    message === undefined
      ? `Conversation ${id} ${reasons.conversation}. Run \`backoffice conversations show ${id}\` to see it.`
      : `Message ${message} does not exist in conversation ${id}, or it ${reasons.message}. Run \`backoffice conversations show ${id}\` to see it.`,
  );
}

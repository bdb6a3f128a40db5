import { Command } from 'commander';
import type { Access } from '../../../access/access.ts';
import { readThread, type ThreadMessage } from '../../../access/thread.ts';
import { NotFoundError } from '../../../errors.ts';
import { wholeNumber } from '../../../input/arguments.ts';
import { emitChange, type Format, withFormats } from '../../../output/emit.ts';
import { print } from '../../../terminal.ts';

/** Mostly it is found on the first page. */
const pageSize = 100;

export const newestDraft = 'the newest with a draft';

export const hasDraft = ({ ai_draft }: ThreadMessage) => ai_draft !== null;

export interface DraftOptions extends Format {
  readonly message?: number;
}

/** Every verb takes the conversation; without a number it means the message that such a verb is mostly about. */
export function draftVerb(verb: string, description: string, usualMessage: string): Command {
  const command = new Command(verb)
    .description(description)
    .argument('<conversation>', 'the ID of the conversation')
    .option('--message <number>', `the message that it answers; by default, ${usualMessage}`, wholeNumber(1));
  return withFormats(command);
}

export async function changeDraft(
  access: Access,
  { id }: ThreadMessage,
  ai_draft: string | null,
  format: Format,
  sentence: string,
): Promise<void> {
  const done = await access.call('messages.updateDraft', { id, ai_draft });
  await emitChange(done, format, () => print(sentence));
}

export const findDraft = (access: Access, id: string, message: number | undefined) =>
  findMessage(access, id, message, hasDraft, 'has no draft that waits');

/**
 * The newest message of a conversation that is meant: that of a number, or one of a kind.
 *
 * @param lack - what is said of a conversation that has none
 */
export async function findMessage(
  access: Access,
  id: string,
  message: number | undefined,
  isMeant: (message: ThreadMessage) => boolean,
  lack: string,
): Promise<ThreadMessage> {
  let before: string | null | undefined;
  do {
    const { messages, nextCursor } = await readThread(access, id, pageSize, before);
    const found = messages.findLast(
      (each) => (message === undefined || each.id === message) && isMeant(each),
    );
    if (found !== undefined) return found;
    before = nextCursor;
  } while (before !== null);
  throw new NotFoundError(
    message === undefined
      ? `The conversation ${id} ${lack}: see backoffice conversations show.`
      : `Message ${message} of the conversation ${id} is not there, or not of that kind: see backoffice conversations show.`,
  );
}

import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { readThread, type ThreadMessage } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../arguments.ts';
import { FailedError, NotFoundError } from '../../errors.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { printable } from '../../output/text.ts';
import { confirm, readText } from '../../prompts.ts';
import { outputWidth, print } from '../../terminal.ts';

/** Mostly it is found on the first page. */
const pageSize = 100;

interface DraftOptions extends Format {
  readonly message?: number;
}

/** `backoffice conversations draft`: replies that wait for somebody's approval. */
export function conversationDraftCommand(): Command {
  const command = new Command('draft').description('propose, edit, approve or reject the draft of a reply');
  for (const verb of [propose(), edit(), approve(), reject()]) command.addCommand(verb);
  return command;
}

/** Every verb takes the conversation; without a number it means the message that such a verb is mostly about. */
function draftVerb(verb: string, description: string, usualMessage: string): Command {
  const command = new Command(verb)
    .description(description)
    .argument('<conversation>', 'the ID of the conversation')
    .option('--message <number>', `the message that it answers; by default, ${usualMessage}`, wholeNumber(1));
  return withFormats(command);
}

const waits = 'the newest with a draft';
const hasDraft = ({ ai_draft }: ThreadMessage) => ai_draft !== null;

function propose(): Command {
  const command = draftVerb('propose', 'propose a reply, for somebody to approve', "the visitor's newest")
    .argument('[text]', 'the draft; - or nothing for standard input')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations draft propose conv_1769851800000_k3x9a2b "It is on its way."',
    );
  return runs(command, 'messages.updateDraft').action(
    async (id: string, given: string | undefined, { message, ...format }: DraftOptions) => {
      await withAccess(command, async (access) => {
        const isVisitors = ({ sender_type }: ThreadMessage) => sender_type === 'visitor';
        const asked = await find(access, id, message, isVisitors, 'has no message of its visitor');
        if (hasDraft(asked)) {
          throw new FailedError(
            `A draft waits on message ${asked.id} already: use draft edit, or reject it.`,
          );
        }
        await change(
          access,
          asked,
          await readText(given),
          format,
          `Proposed a reply to message ${asked.id}.`,
        );
      });
    },
  );
}

function edit(): Command {
  const command = draftVerb('edit', 'write a draft anew', waits)
    .argument('[text]', 'the new draft; - or nothing for standard input')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations draft edit conv_1769851800000_k3x9a2b "It arrives on Monday."',
    );
  return runs(command, 'messages.updateDraft').action(
    async (id: string, given: string | undefined, { message, ...format }: DraftOptions) => {
      await withAccess(command, async (access) => {
        const asked = await findDraft(access, id, message);
        await change(
          access,
          asked,
          await readText(given),
          format,
          `Changed the draft on message ${asked.id}.`,
        );
      });
    },
  );
}

function reject(): Command {
  const command = draftVerb('reject', 'reject a draft: it is gone, and nothing is sent', waits)
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations draft reject conv_1769851800000_k3x9a2b --yes',
    );
  return runs(command, 'messages.updateDraft').action(
    async (id: string, { message, yes, ...format }: DraftOptions & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const asked = await findDraft(access, id, message);
        await confirm(`Reject the draft on message ${asked.id}? Its text is lost.`, yes);
        await change(access, asked, null, format, `Rejected the draft on message ${asked.id}.`);
      });
    },
  );
}

function approve(): Command {
  const command = draftVerb('approve', 'send a draft to the visitor, in your name', waits)
    .option('--dry-run', 'only show what would be sent')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations draft approve conv_1769851800000_k3x9a2b --dry-run',
    );
  return runs(command, 'messages.create').action(
    async (id: string, { message, dryRun, ...format }: DraftOptions & { dryRun?: boolean }) => {
      await withAccess(command, async (access) => {
        const { conversation } = await readThread(access, id, 1);
        const { id: approved, ai_draft } = await findDraft(access, id, message);
        const visitor = printable(conversation.visitor_name);
        const { indented } = await import('../../output/thread.ts');
        const draft = ai_draft ?? '';
        const show = (what: string) => print([what, ...indented(draft, '  ', outputWidth())].join('\n'));
        if (dryRun) return show(`Would send to ${visitor}:`);
        // The text that was looked at, also where somebody edits the draft at this moment.
        const sent = await access.call('messages.create', {
          approve: approved,
          conversation_id: id,
          content: draft,
        });
        await emitChange(sent, format, () => show(`Sent message ${sent.id} to ${visitor}:`));
      });
    },
  );
}

async function change(
  access: Access,
  { id }: ThreadMessage,
  ai_draft: string | null,
  format: Format,
  sentence: string,
): Promise<void> {
  const done = await access.call('messages.updateDraft', { id, ai_draft });
  await emitChange(done, format, () => print(sentence));
}

const findDraft = (access: Access, id: string, message: number | undefined) =>
  find(access, id, message, hasDraft, 'has no draft that waits');

/**
 * The newest message of a conversation that is meant: that of a number, or one of a kind.
 *
 * @param lack - what is said of a conversation that has none
 */
async function find(
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

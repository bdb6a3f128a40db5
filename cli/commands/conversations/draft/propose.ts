import type { Command } from 'commander';
import { runs } from '../../../access/operations.ts';
import type { ThreadMessage } from '../../../access/thread.ts';
import { withAccess } from '../../../access/with-access.ts';
import { FailedError } from '../../../errors.ts';
import { readText } from '../../../input/prompts.ts';
import { changeDraft, type DraftOptions, draftVerb, findMessage, hasDraft } from './message.ts';

/** `backoffice conversations draft propose`. */
export function proposeDraftCommand(): Command {
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
        const asked = await findMessage(access, id, message, isVisitors, 'has no message of its visitor');
        if (hasDraft(asked)) {
          throw new FailedError(
            `A draft waits on message ${asked.id} already: use draft edit, or reject it.`,
          );
        }
        await changeDraft(
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

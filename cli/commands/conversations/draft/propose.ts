import type { Command } from 'commander';
import { printableLines } from '../../../../src/shared/text.ts';
import { runs } from '../../../access/operations.ts';
import type { ThreadMessage } from '../../../access/thread.ts';
import { withAccess } from '../../../access/with-access.ts';
import { FailedError } from '../../../errors.ts';
import { textArgument, withText } from '../../../input/long-text.ts';
import { changeDraft, type DraftOptions, draftVerb, findMessage, hasDraft } from './message.ts';

/** `backoffice conversations draft propose`. */
export function proposeDraftCommand(): Command {
  const command = draftVerb('propose', 'propose a reply for approval', "the visitor's newest message")
    .addArgument(textArgument('the draft'))
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations draft propose conv_1769851800000_k3x9a2b "It is on its way."',
    );
  return runs(command, 'messages.updateDraft').action(
    async (id: string, given: string | undefined, { message, ...format }: DraftOptions) => {
      await withAccess(command, async (access) => {
        const isFromVisitor = ({ sender_type }: ThreadMessage) => sender_type === 'visitor';
        const target = await findMessage(access, id, message, isFromVisitor, {
          conversation: 'has no message from its visitor',
          message: 'is not from its visitor',
        });
        if (hasDraft(target)) {
          throw new FailedError(`Message ${target.id} already has a draft. Edit or reject it first.`);
        }
        const about = [`The message of the visitor:`, '', ...printableLines(target.content).split('\n')];
        await withText(given, { what: 'draft', about }, (draft) =>
          changeDraft(access, target, draft, format, `Proposed a reply to message ${target.id}.`),
        );
      });
    },
  );
}

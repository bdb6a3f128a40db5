import type { Command } from 'commander';
import { runs } from '../../../access/operations.ts';
import { withAccess } from '../../../access/with-access.ts';
import { confirm } from '../../../input/prompts.ts';
import { changeDraft, type DraftOptions, draftVerb, findDraft, newestDraft } from './message.ts';

/** `backoffice conversations draft reject`. */
export function rejectDraftCommand(): Command {
  const command = draftVerb('reject', 'delete a draft without sending it', newestDraft)
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations draft reject conv_1769851800000_k3x9a2b --yes',
    );
  return runs(command, 'messages.updateDraft').action(
    async (id: string, { message, yes, ...format }: DraftOptions & { yes?: boolean }) => {
      await withAccess(command, async (access) => {
        const target = await findDraft(access, id, message);
        await confirm(`Reject the draft on message ${target.id}? Its text is lost.`, yes);
        await changeDraft(access, target, null, format, `Rejected the draft on message ${target.id}.`);
      });
    },
  );
}

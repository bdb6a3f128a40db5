import type { Command } from 'commander';
import { runs } from '../../../access/operations.ts';
import { withAccess } from '../../../access/with-access.ts';
import { readText } from '../../../input/prompts.ts';
import { changeDraft, type DraftOptions, draftVerb, findDraft, newestDraft } from './message.ts';

/** `backoffice conversations draft edit`. */
export function editDraftCommand(): Command {
  const command = draftVerb('edit', 'replace the text of a draft', newestDraft)
    .argument('[text]', 'the new draft; omit it or use - for standard input')
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations draft edit conv_1769851800000_k3x9a2b "It arrives on Monday."',
    );
  return runs(command, 'messages.updateDraft').action(
    async (id: string, given: string | undefined, { message, ...format }: DraftOptions) => {
      await withAccess(command, async (access) => {
        const target = await findDraft(access, id, message);
        await changeDraft(
          access,
          target,
          await readText(given),
          format,
          `Changed the draft on message ${target.id}.`,
        );
      });
    },
  );
}

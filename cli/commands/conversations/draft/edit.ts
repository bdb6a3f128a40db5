import type { Command } from 'commander';
import { printableLines } from '../../../../src/shared/text.ts';
import { runs } from '../../../access/operations.ts';
import { withAccess } from '../../../access/with-access.ts';
import { textArgument, withText } from '../../../input/long-text.ts';
import { changeDraft, type DraftOptions, draftVerb, findDraft, newestDraft } from './message.ts';

/** `backoffice conversations draft edit`. */
export function editDraftCommand(): Command {
  const command = draftVerb('edit', 'replace the text of a draft', newestDraft)
    .addArgument(textArgument('the new draft'))
    .addHelpText(
      'after',
      '\nExample:\n  backoffice conversations draft edit conv_1769851800000_k3x9a2b "It arrives on Monday."',
    );
  return runs(command, 'messages.updateDraft').action(
    async (id: string, given: string | undefined, { message, ...format }: DraftOptions) => {
      await withAccess(command, async (access) => {
        const target = await findDraft(access, id, message);
        const about = [`The message of the visitor:`, '', ...printableLines(target.content).split('\n')];
        await withText(given, { what: 'draft', initial: target.ai_draft ?? '', about }, (draft) =>
          changeDraft(access, target, draft, format, `Changed the draft on message ${target.id}.`),
        );
      });
    },
  );
}

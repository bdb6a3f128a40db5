import type { Command } from 'commander';
import { runs } from '../../../access/operations.ts';
import { readThread } from '../../../access/thread.ts';
import { withAccess } from '../../../access/with-access.ts';
import { emit, emitChange } from '../../../output/emit.ts';
import { printable } from '../../../output/text.ts';
import { outputWidth, print } from '../../../terminal.ts';
import { remarkUnsentMail } from '../visitor-mail-note.ts';
import { type DraftOptions, draftVerb, findDraft, newestDraft } from './message.ts';

/** `backoffice conversations draft approve`. */
export function approveDraftCommand(): Command {
  const command = draftVerb('approve', 'send a draft to the visitor, in your name', newestDraft)
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
        const { indented } = await import('../../../output/thread.ts');
        const draft = ai_draft ?? '';
        const show = (what: string) => print([what, ...indented(draft, '  ', outputWidth())].join('\n'));
        if (dryRun) {
          const unsent = { conversation_id: id, message_id: approved, content: draft };
          return await emit(unsent, format, undefined, () => show(`Would send to ${visitor}:`));
        }
        const sent = await access.call('messages.create', {
          approve: approved,
          conversation_id: id,
          expected: { ai_draft },
        });
        await emitChange(sent, format, async () => {
          show(`Sent message ${sent.id} to ${visitor}:`);
          await remarkUnsentMail(access);
        });
      });
    },
  );
}

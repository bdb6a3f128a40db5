import { Command } from 'commander';
import type { InputOf } from '../../../src/contract/registry.ts';
import { conversationStatuses } from '../../../src/contract/vocabulary.ts';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitBulk } from '../../bulk/batches.ts';
import { UsageError } from '../../errors.ts';
import { type ExpectedStatus, expectedStatus, withExpected } from '../../input/expected-status.ts';
import { endsWith, splitLast } from '../../input/last-word.ts';
import { wordArgument } from '../../input/words.ts';
import { remarkUndo } from '../../output/bulk-change.ts';
import { emitChange, withFormats } from '../../output/emit.ts';
import { isForPeople } from '../../output/formats.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';
import { changeConversations } from './change-conversations.ts';
import {
  type ConversationSelectionOptions,
  readConversationSelection,
  withConversationSelection,
} from './selection.ts';

type Status = InputOf<'conversations.update'>['set']['status'];

/** `backoffice conversations set-status`. */
export function setConversationStatusCommand(): Command {
  const command = withConversationSelection(
    new Command('set-status').description('change the status of conversations'),
  )
    .addOption(expectedStatus(conversationStatuses))
    .addHelpText(
      'after',
      `
Examples:
  backoffice conversations set-status conv_1769851800000_k3x9a2b resolved
  backoffice conversations set-status closed --filter 'status:resolved older:90d'`,
    );
  endsWith(command, wordArgument('<status>', 'the new status', conversationStatuses));
  return runs(withFormats(command), 'conversations.update', 'conversations.changeStatus').action(
    async (words: readonly string[], options: ConversationSelectionOptions & ExpectedStatus) => {
      const { others, last: status } = splitLast(command, words);
      const { expected, dryRun, yes } = options;
      const selection = await readConversationSelection(others, options);
      const [only] = 'ids' in selection && others.length === 1 && others[0] !== '-' ? selection.ids : [];
      if (expected !== undefined && only === undefined)
        throw new UsageError('--expected needs the ID of one conversation.');
      await withAccess(command, async (access) => {
        if (only !== undefined) await readThread(access, only, 1);
        const say = () => print(`Conversation ${printable(only ?? '')} is ${status}.`);
        if (only !== undefined && expected !== undefined && !dryRun) {
          // The history then names the conversation.
          const change = { id: only, status, expected: { status: expected } };
          return await emitChange(await access.call('conversations.changeStatus', change), options, say);
        }
        const done = await changeConversations(access, selection, {
          set: { status: status as Status },
          question: (conversations) => `Set ${conversations} to ${status}?`,
          ...withExpected(expected),
          dryRun,
          yes,
        });
        if (only === undefined || dryRun) return await emitBulk(done, options, 'conversation', dryRun);
        await emitChange(done.answer, options, say);
        if (isForPeople(options)) remarkUndo(done.changes);
      });
    },
  );
}

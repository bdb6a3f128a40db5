import { Command } from 'commander';
import { BackofficeError } from '../../../src/contract/errors.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { ownActor } from '../../access/own-actor.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { repeated, wholeNumber } from '../../input/arguments.ts';
import { confirm } from '../../input/prompts.ts';
import { remarkUndo } from '../../output/bulk-change.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { grouped } from '../../output/number.ts';
import { print, remark } from '../../terminal.ts';
import { findLastChange } from './last-change.ts';

interface UndoOptions extends Format {
  readonly yes?: boolean;
}

/** `backoffice changes undo`. */
export function undoChangeCommand(): Command {
  const command = new Command('undo')
    .description('put back what changes set, except what was changed since')
    .argument(
      '[change...]',
      'the numbers of the changes, as commands and `issues history` show them; by default, the last one you made',
      repeated(wholeNumber(1)),
    )
    .option('--yes', 'do not ask before the last change is undone')
    .addHelpText(
      'after',
      `
Examples:
  backoffice changes undo
  backoffice changes undo 17`,
    );
  return runs(
    withFormats(command),
    'changes.undo',
    'events.list',
    'issues.history',
    'conversations.history',
  ).action(async (given: readonly number[], { yes, ...format }: UndoOptions) => {
    await withAccess(command, async (access) => {
      const changes = given.length > 0 ? given : [await askForLast(access, command, yes)];
      const answers: OutputOf<'changes.undo'>[] = [];
      let failure: unknown;
      try {
        for (const change_id of changes) answers.push(await undo(access, change_id));
      } catch (error) {
        if (answers.length === 0) throw error;
        // What is done comes first.
        failure = error;
      }
      const done = answers.reduce((sum, { restored, left, ...answer }) => ({
        ...answer,
        restored: sum.restored + restored,
        left: sum.left + left,
      }));
      await emitChange(done, format, () => {
        const { restored, left } = done;
        print(
          restored === 0
            ? 'Nothing to put back.'
            : `Put back ${grouped(restored)} of ${grouped(restored + left)}.`,
        );
        if (left > 0) remark(`Left ${grouped(left)} that changed since.`);
        remarkUndo(answers.map(({ change_id }) => change_id).filter((id) => id !== null));
      });
      if (failure !== undefined) throw failure;
    });
  });
}

async function askForLast(access: Access, command: Command, yes: boolean | undefined): Promise<number> {
  const { id, description } = await findLastChange(access, await ownActor(access, command));
  await confirm(`Undo change ${id} (${description})?`, yes);
  return id;
}

async function undo(access: Access, change_id: number) {
  try {
    return await access.call('changes.undo', { change_id });
  } catch (error) {
    if (!isUnknown(error)) throw error;
    throw new NotFoundError(
      `No change ${change_id}. Run \`backoffice issues history <issue>\` to see those of an issue.`,
    );
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof BackofficeError && error.code === 'invalid' && error.param === 'change_id';
}

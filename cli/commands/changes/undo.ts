import { Command } from 'commander';
import { BackofficeError } from '../../../src/contract/errors.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { remarkUndo } from '../../output/bulk-change.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { grouped } from '../../output/number.ts';
import { print, remark } from '../../terminal.ts';

/** `backoffice changes undo`. */
export function undoChangeCommand(): Command {
  const command = new Command('undo')
    .description('put back what a change set, except what was changed since')
    .argument('<change>', 'the number of the change, as `issues history` shows it', wholeNumber(1))
    .addHelpText('after', '\nExample:\n  backoffice changes undo 17');
  return runs(withFormats(command), 'changes.undo').action(async (change_id: number, format: Format) => {
    const done = await withAccess(command, async (access) => {
      try {
        return await access.call('changes.undo', { change_id });
      } catch (error) {
        if (!isUnknown(error)) throw error;
        throw new NotFoundError(
          `No change ${change_id}. Run \`backoffice issues history <issue>\` to see those of an issue.`,
        );
      }
    });
    await emitChange(done, format, () => {
      const { restored, left } = done;
      print(
        restored === 0
          ? 'Nothing to put back.'
          : `Put back ${grouped(restored)} of ${grouped(restored + left)}.`,
      );
      if (left > 0) remark(`Left ${grouped(left)} that changed since.`);
      remarkUndo(done.change_id);
    });
  });
}

function isUnknown(error: unknown): boolean {
  return error instanceof BackofficeError && error.code === 'invalid' && error.param === 'change_id';
}

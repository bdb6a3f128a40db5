import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
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
    const done = await withAccess(command, (access) => access.call('changes.undo', { change_id }));
    await emitChange(done, format, () => {
      print(done.restored === 0 ? 'Nothing to put back.' : `Put back ${grouped(done.restored)}.`);
      if (done.left > 0) remark(`Left ${grouped(done.left)} that changed since.`);
      remarkUndo(done.change_id);
    });
  });
}

import { BackofficeError } from '../../src/contract/errors.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { NotFoundError } from '../errors.ts';
import { repeated, wholeNumber } from '../input/arguments.ts';
import { emitChange } from '../output/emit.ts';
import { print, remark } from '../terminal/terminal.ts';
import { grouped } from '../terminal/text.ts';
import { remarkUndo, remarkUnknown } from '../verb/batches.ts';
import type { Parameter } from '../verb/parameters.ts';
import { calling, verbs } from '../verb/verb.ts';

const numbers: Parameter<readonly number[]> = {
  place: 'words',
  about: 'the numbers of the changes, as commands and `issues history` show them',
  term: 'change',
  isRequired: true,
  parse: repeated(wholeNumber(1)),
};

/** What was changed of issues and conversations. */
export const changes = verbs('backoffice changes undo 17', {
  undo: calling('changes.undo', {
    about: 'undo changes, except values edited since',
    params: { changes: numbers },
    examples: ['backoffice changes undo 17'],
    async run({ given, format, access }) {
      const { answers, unknown, failure } = await undoAll(access, given.changes);
      if (answers.length > 0) {
        const done = answers.reduce((sum, { restored, left, ...answer }) => ({
          ...answer,
          restored: sum.restored + restored,
          left: sum.left + left,
        }));
        const { restored, left } = done;
        await emitChange(done, format, () => {
          const sum = `Restored ${grouped(restored)} of ${grouped(restored + left)}.`;
          print(restored === 0 ? 'Nothing to restore.' : sum);
          if (left > 0) remark(`Left ${grouped(left)} that changed since.`);
          remarkUndo(answers.flatMap(({ change_id }) => change_id ?? []));
        });
      }
      if (failure !== undefined) {
        remarkUnknown(unknown);
        throw failure;
      }
      if (unknown.length > 0)
        throw new NotFoundError(
          `No change ${unknown.join(', ')}. Run \`backoffice issues history <issue>\` to see those of an issue.`,
        );
    },
  }),
});

/** Undoes changes until one fails. Returns that failure too, and the numbers that no change has. */
async function undoAll(access: Access, changes: readonly number[]) {
  const answers: OutputOf<'changes.undo'>[] = [];
  const unknown: number[] = [];
  for (const change_id of changes) {
    try {
      answers.push(await access.call('changes.undo', { change_id }));
    } catch (failure) {
      if (!isUnknown(failure)) return { answers, unknown, failure };
      unknown.push(change_id);
    }
  }
  return { answers, unknown, failure: undefined };
}

const isUnknown = (error: unknown) =>
  error instanceof BackofficeError && error.code === 'invalid' && error.param === 'change_id';

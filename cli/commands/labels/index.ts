import { Argument, Command } from 'commander';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { NotFoundError } from '../../errors.ts';
import { confirm } from '../../input/prompts.ts';
import { remarkUndo } from '../../output/bulk-change.ts';
import { emitChange, emitList, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { listIn } from '../../output/rows/list-of.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';
import { print } from '../../terminal.ts';

type Label = OutputOf<'labels.list'>['labels'][number];

const columns: readonly Column<Label>[] = [
  { heading: 'label', field: 'name', value: ({ name }) => name, cut: true },
  { heading: 'issues', value: ({ issues }) => String(issues), align: 'right' },
  { heading: 'conversations', value: ({ conversations }) => String(conversations), align: 'right' },
];

const list = listIn('labels.list', 'labels', 'name');

function listLabelsCommand(): Command {
  const command = new Command('list')
    .description('list the labels of issues and conversations')
    .option('--search <words>', 'only if the label contains these words')
    .addHelpText('after', '\nExample:\n  backoffice labels list --search bill');
  withTable(command, list);
  return runs(command, 'labels.list').action(
    async ({ search: q, ...format }: Format & { readonly search?: string }) => {
      const document = await withAccess(command, (access) => access.call('labels.list', { q }));
      const none = q === undefined ? 'No labels.' : 'No labels match.';
      await emitList(document, format, list, columns, { none });
    },
  );
}

const labelArgument = () => new Argument('<label>', 'the label, in upper or lower case');

/**
 * Finds a label, ignoring case.
 *
 * @throws NotFoundError if there is none
 */
async function findLabel(access: Access, name: string): Promise<Label> {
  const { labels } = await access.call('labels.list', { q: name });
  const plain = (text: string) => text.trim().toLowerCase();
  const found =
    labels.find((label) => plain(label.name) === plain(name)) ??
    labels.find((label) => plain(label.name).normalize() === plain(name).normalize());
  if (found === undefined)
    throw new NotFoundError(`No label ${name}. Run \`backoffice labels list\` to see all.`);
  return found;
}

const rowsOf = ({ issues, conversations }: Pick<Label, 'issues' | 'conversations'>) =>
  `${counted(issues, 'issue')} and ${counted(conversations, 'conversation')}`;

type Options = Format & { readonly yes?: boolean };

function renameLabelCommand(): Command {
  const command = new Command('rename')
    .description('rename a label, or merge it into another')
    .addArgument(labelArgument())
    .argument('<new-label>', 'its new name; if that label exists already, the two become one')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice labels rename invoices billing');
  return runs(withFormats(command), 'labels.rename').action(
    async (name: string, new_name: string, options: Options) =>
      await change(command, name, options, {
        question: (label) => `Rename the label ${label.name} of ${rowsOf(label)} to ${new_name}?`,
        call: (access, label) => access.call('labels.rename', { name: label.name, new_name }),
        done: (label) => `Renamed the label ${label.name} to ${new_name}`,
      }),
  );
}

function deleteLabelCommand(): Command {
  const command = new Command('delete')
    .description('delete a label, which takes it off every issue and conversation')
    .addArgument(labelArgument())
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  backoffice labels delete billing');
  return runs(withFormats(command), 'labels.delete').action(
    async (name: string, options: Options) =>
      await change(command, name, options, {
        question: (label) => `Delete the label ${label.name} of ${rowsOf(label)}?`,
        call: (access, label) => access.call('labels.delete', { name: label.name }),
        done: (label) => `Deleted the label ${label.name}`,
      }),
  );
}

interface LabelChange {
  readonly question: (label: Label) => string;
  readonly call: (
    access: Access,
    label: Label,
  ) => Promise<OutputOf<'labels.rename'> | OutputOf<'labels.delete'>>;
  readonly done: (label: Label) => string;
}

async function change(
  command: Command,
  name: InputOf<'labels.delete'>['name'],
  { yes, ...format }: Options,
  { question, call, done }: LabelChange,
): Promise<void> {
  const { label, result } = await withAccess(command, async (access) => {
    const found = await findLabel(access, name);
    await confirm(question(found), yes);
    return { label: found, result: await call(access, found) };
  });
  await emitChange(result, format, () => {
    print(`${done(label)}: ${rowsOf(result)}.`);
    remarkUndo(result.change_ids);
  });
}

/** `backoffice labels`: words of the team's own for issues and conversations. */
export function labelsCommand(): Command {
  const command = new Command('labels');
  for (const verb of [listLabelsCommand(), renameLabelCommand(), deleteLabelCommand()])
    command.addCommand(verb);
  return command;
}

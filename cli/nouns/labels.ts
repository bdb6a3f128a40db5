import { labels as noun } from '../../src/contract/fields/labels.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { confirm } from '../input/prompts.ts';
import { emitChange } from '../output/emit.ts';
import { print } from '../terminal/terminal.ts';
import { remarkUndo } from '../verb/batches.ts';
import { yes } from '../verb/change.ts';
import { list } from '../verb/list.ts';
import { argument, text } from '../verb/parameters.ts';
import { findRow } from '../verb/rows.ts';
import { type Noun, verb, dataVerb } from '../verb/verb.ts';
import { label, rowsOfLabel } from './kinds.ts';

/** Says what was done to a label, of how many rows, and how to undo that. */
function say(done: string, answer: OutputOf<'labels.rename' | 'labels.delete'>): void {
  print(`${done}: ${rowsOfLabel(answer)}.`);
  remarkUndo(answer.change_ids);
}

/** Words of the team's own for issues and conversations. */
export const labels: Noun = {
  example: 'backoffice labels list',
  verbs: {
    list: list('labels.list', 'labels', {
      about: 'list the labels of issues and conversations',
      of: noun,
      key: 'name',
      search: 'only if the label contains these words',
      columns: ['name', 'issues', 'conversations'],
      examples: ['backoffice labels list --search bill'],
    }),

    rename: verb({
      about: 'rename a label, or merge it into another',
      params: {
        label: label.key,
        newLabel: argument(
          text('its new name; if that label exists already, the two become one', 'new-label'),
        ),
        yes,
      },
      operations: ['labels.rename'],
      examples: ['backoffice labels rename invoices billing'],
      async run({ given, format, open }) {
        const { newLabel: new_name } = given;
        await open(async (access) => {
          const { name, ...rows } = await findRow(label, access, given.label);
          await confirm(`Rename the label ${name} of ${rowsOfLabel(rows)} to ${new_name}?`, given.yes);
          const done = await access.call('labels.rename', { name, new_name });
          await emitChange(done, format, () => say(`Renamed the label ${name} to ${new_name}`, done));
        });
      },
    }),

    delete: dataVerb({
      about: 'delete a label, which takes it off every issue and conversation',
      params: { label: label.key, yes },
      operations: ['labels.delete'],
      examples: ['backoffice labels delete billing'],
      async use(access, { given, format }) {
        const { name, ...rows } = await findRow(label, access, given.label);
        await confirm(`Delete the label ${name} of ${rowsOfLabel(rows)}?`, given.yes);
        const done = await access.call('labels.delete', { name });
        await emitChange(done, format, () => say(`Deleted the label ${name}`, done));
      },
    }),
  },
};

import { labels as noun } from '../../src/contract/fields/labels.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { change } from '../verb/change.ts';
import { list } from '../verb/list.ts';
import { argument, text } from '../verb/parameters.ts';
import { verbs } from '../verb/verb.ts';
import { label, rowsOfLabel } from './kinds.ts';

/** Says what was done to a label, of how many rows, and how to undo that. */
const said = (done: string, answer: OutputOf<'labels.rename' | 'labels.delete'>) => ({
  text: `${done}: ${rowsOfLabel(answer)}.`,
  undo: answer.change_ids,
});

/** Words of the team's own for issues and conversations. */
export const labels = verbs('backoffice labels list', {
  list: list('labels.list', 'labels', {
    about: 'list the labels of issues and conversations',
    of: noun,
    key: 'name',
    search: 'only if the label contains these words',
    columns: ['name', 'issues', 'conversations'],
    examples: ['backoffice labels list --search bill'],
  }),

  rename: change('labels.rename', {
    about: 'rename a label, or merge it into another',
    of: label,
    params: {
      newLabel: argument(text('its new name; if that label exists already, the two become one', 'new-label')),
    },
    input: ({ newLabel: new_name }, { name }) => ({ name, new_name }),
    ask: (row, { newLabel }) => `Rename the label ${row.name} of ${rowsOfLabel(row)} to ${newLabel}?`,
    done: (answer, { name }, { newLabel }) => said(`Renamed the label ${name} to ${newLabel}`, answer),
    examples: ['backoffice labels rename invoices billing'],
  }),

  delete: change('labels.delete', {
    about: 'delete a label, which takes it off every issue and conversation',
    of: label,
    input: (_given, { name }) => ({ name }),
    ask: (row) => `Delete the label ${row.name} of ${rowsOfLabel(row)}?`,
    done: (answer, { name }) => said(`Deleted the label ${name}`, answer),
    examples: ['backoffice labels delete billing'],
  }),
});

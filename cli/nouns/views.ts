import { views as noun, type ViewList, viewLists } from '../../src/contract/fields/views.ts';
import type { SavedView } from '../../src/contract/operations/views.ts';
import { filterOf, parametersOf, viewTerms } from '../input/terms.ts';
import { change } from '../verb/change.ts';
import { list } from '../verb/list.ts';
import { argument, flag, text, word } from '../verb/parameters.ts';
import { throwNotFound } from '../verb/rows.ts';
import { verbs } from '../verb/verb.ts';

const terms = (of: string) => viewTerms[of as ViewList];
const named = {
  list: { ...argument(word('the list that the view is of', viewLists)), term: 'list' },
  name: argument(text('the name of the view', 'name')),
};

/** Filters, orders and columns of lists with names. Each account has its own. */
export const views = verbs('backoffice views list', {
  list: list('views.list', 'views', {
    about: 'list your views, by list and name',
    of: noun,
    key: 'name',
    columns: [
      'list',
      'name',
      {
        heading: 'filter',
        cut: true,
        value: ({ list, filter }: SavedView) => filterOf(filter, terms(list)),
      },
      { heading: 'sort', value: ({ sort }: SavedView) => sort ?? '', dropAs: 1 },
      {
        heading: 'first',
        field: 'is_first',
        value: ({ is_first }: SavedView) => (is_first ? 'yes' : 'no'),
      },
    ],
    examples: ['backoffice views list', 'backoffice views list --json list,name,filter'],
  }),

  save: change('views.save', {
    about: 'save a view, or change or rename it',
    params: {
      ...named,
      filter: text("what it shows, such as 'severity:high status:open older:30d'; '' for all", 'filter'),
      sort: text("the order, such as -created_at; '' for the usual one", 'field'),
      fields: text("the columns, such as id,title,status; '' for the usual ones", 'names'),
      first: flag('open the list with it'),
      newName: text('rename it', 'name'),
    },
    input: ({ list, name, filter, sort, fields, first, newName: new_name }) => ({
      list,
      name,
      new_name,
      is_first: first,
      filter: filter === undefined ? undefined : parametersOf(filter, terms(list)),
      sort: sort === '' ? null : sort,
      columns: fields === '' ? null : fields?.split(',').map((field) => field.trim()),
    }),
    done: (_answer, _row, { name, newName }) => `Saved the view ${newName ?? name}.`,
    notes: 'Only what is given changes. Both dashboards show it. A new view needs a filter.',
    examples: [
      "backoffice views save issues 'My criticals' --filter 'severity:critical assignee:me newer:30d'",
      "backoffice views save issues 'My criticals' --new-name Mine --first",
    ],
  }),

  delete: change('views.delete', {
    about: 'delete a view',
    params: named,
    input: (given) => given,
    async ask(_row, { list, name }, access) {
      const { views } = await access.call('views.list', { list });
      if (!views.some((view) => view.name === name)) throwNotFound(noun, name);
      return `Delete the view ${name} of ${list}?`;
    },
    done: (_answer, _row, { name }) => `Deleted the view ${name}.`,
    examples: ["backoffice views delete issues 'My criticals'"],
  }),
});

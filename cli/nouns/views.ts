import { views as noun, type ViewList, viewLists } from '../../src/contract/fields/views.ts';
import type { SavedView } from '../../src/contract/operations/views.ts';
import { confirm } from '../input/prompts.ts';
import { filterOf, parametersOf, viewTerms } from '../input/terms.ts';
import { emitChange } from '../output/emit.ts';
import { print } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { yes } from '../verb/change.ts';
import { list } from '../verb/list.ts';
import { argument, flag, text, word } from '../verb/parameters.ts';
import { throwNotFound } from '../verb/rows.ts';
import { type Noun, verb, dataVerb } from '../verb/verb.ts';

const terms = (of: string) => viewTerms[of as ViewList];
const named = {
  list: { ...argument(word('the list that the view is of', viewLists)), term: 'list' },
  name: argument(text('the name of the view', 'name')),
};
const orNone = (given: string | undefined) => (given === '' ? null : given);

/** Filters, orders and columns of lists with names. Each account has its own. */
export const views: Noun = {
  example: 'backoffice views list',
  verbs: {
    list: list('views.list', 'views', {
      about: 'list your views, by list and name',
      of: noun,
      key: 'name',
      columns: [
        'list',
        'name',
        {
          ...{ heading: 'filter', cut: true },
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

    save: verb({
      about: 'save a view, or change or rename it',
      params: {
        ...named,
        filter: text("what it shows, such as 'severity:high status:open older:30d'; '' for all", 'filter'),
        sort: text("the order, such as -created_at; '' for the usual one", 'field'),
        fields: text("the columns, such as id,title,status; '' for the usual ones", 'names'),
        first: flag('open the list with it'),
        newName: text('rename it', 'name'),
      },
      operations: ['views.save'],
      notes: 'Only what is given changes. Both dashboards show it. A new view needs a filter.',
      examples: [
        "backoffice views save issues 'My criticals' --filter 'severity:critical assignee:me newer:30d'",
        "backoffice views save issues 'My criticals' --new-name Mine --first",
      ],
      async run({ given: { list, name, filter, sort, fields, first, newName: new_name }, format, open }) {
        const view = {
          ...{ list, name, new_name, is_first: first },
          filter: filter === undefined ? undefined : parametersOf(filter, terms(list)),
          sort: orNone(sort),
          columns: fields === '' ? null : fields?.split(',').map((field) => field.trim()),
        };
        const done = await open((access) => access.call('views.save', view));
        await emitChange(done, format, () => print(printable(`Saved the view ${new_name ?? name}.`)));
      },
    }),

    delete: dataVerb({
      about: 'delete a view',
      params: { ...named, yes },
      operations: ['views.delete'],
      examples: ["backoffice views delete issues 'My criticals'"],
      async use(access, { given: { list, name, yes }, format }) {
        const { views } = await access.call('views.list', { list });
        if (!views.some((view) => view.name === name)) throwNotFound(noun, name);
        await confirm(`Delete the view ${name} of ${list}?`, yes);
        const done = await access.call('views.delete', { list, name });
        await emitChange(done, format, () => print(printable(`Deleted the view ${name}.`)));
      },
    }),
  },
};

import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { conflict, type DocumentedError, invalidField } from '../errors.ts';
import { viewLists } from '../fields/views.ts';
import { anySession, defineOperation } from '../operation.ts';
import { atMost, plainLine } from '../schemas/bounds.ts';
import { requiredText, requiredWord, rowWithExample, shownAs } from '../schemas/fields.ts';
import { oneOf } from '../schemas/filters.ts';

const path = '/api/admin/views';

export const maxViews = 100;
const maxNameLength = 100;
const maxFilterLength = 4_000;
const maxColumns = 50;
const maxColumnLength = 50;

export const viewErrors = {
  unknown: invalidField('name', 'There is no view with this name. Send a filter to create it.'),
  nameTaken: conflict('There is a view with this name already.', 'new_name'),
  tooMany: conflict(`You have ${maxViews} views already. Delete one first.`),
} as const satisfies Readonly<Record<string, DocumentedError>>;

const listRequired = `list must be one of: ${viewLists.join(', ')}.`;
const list = requiredWord(viewLists, listRequired, listRequired).describe('The list that the view is of.');

const newName = (name: string, wrong: string) =>
  plainLine(
    atMost(z.string({ error: wrong }).trim().normalize().min(1, { error: wrong }), maxNameLength),
    name,
  );
const shownName = { type: 'string', pattern: '\\S', maxLength: maxNameLength };

const wrongFilter = `filter must be an object of texts, with at most ${groupDigits(maxFilterLength)} characters together.`;
const filter = z
  .record(z.string(), z.string({ error: wrongFilter }), { error: wrongFilter })
  .refine((given) => JSON.stringify(given).length <= maxFilterLength, { error: wrongFilter })
  .optional()
  .meta(
    shownAs({
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Parameters of the list that select rows, such as `status`, `label` or `q`; `{}` selects all. `since` and `until` may be ' +
        'relative: `30d`, `yesterday`, `last monday`. A new view needs it.',
    }),
  );

const wrongSort = 'sort must be an order of the list, or null.';
const wrongColumns = `columns must be a list of at most ${maxColumns} names of fields, or null.`;
const columns = z
  .array(atMost(z.string({ error: wrongColumns }), maxColumnLength).meta({ maxLength: maxColumnLength }), {
    error: wrongColumns,
  })
  .max(maxColumns, { error: wrongColumns })
  .nullable()
  .optional()
  .describe('The fields to show. Null: the usual ones.');

const { schema: viewSchema, example: exampleView } = rowWithExample('View', {
  list: [z.string(), 'issues'],
  name: [z.string(), 'My criticals'],
  filter: [
    z.record(z.string(), z.string()).describe('Parameters of the list. `since` and `until` may be relative.'),
    { severity: 'Critical', assignee: 'me', since: '30d' } as Record<string, string>,
  ],
  sort: [z.string().nullable().describe('Null: the usual order.'), '-updated_at'],
  columns: [z.array(z.string()).nullable().describe('Null: the usual ones.'), ['id', 'title', 'status']],
  is_first: [z.boolean().describe('Whether the list opens with it.'), true],
});

export type SavedView = z.infer<typeof viewSchema>;

export const viewOperations = [
  /** Beyond the contract, like all below. */
  defineOperation('GET', path, anySession, {
    id: 'views.list',
    summary: 'List your saved views',
    description:
      'A view is a filter, an order and columns of a list, with a name. In the order of their lists and names. Callers without ' +
      'an account, which are local operators and tokens of the command line, share theirs.',
    input: z.object({ list: oneOf('list', viewLists, undefined, 'Only views of this list.') }),
    output: z.strictObject({ views: z.array(viewSchema) }),
    failure: 'Failed to load the views.',
    example: { output: { views: [exampleView] } },
  }),

  defineOperation('PUT', path, anySession, {
    id: 'views.save',
    summary: 'Save a view, or change or rename it',
    description:
      'Creates the view, or changes the fields that are present of the one with that name. The filter and the order are checked as ' +
      `the list checks them. A list opens with one view at most. You can have ${maxViews} views.`,
    changes: ['view.saved'],
    input: z.object({
      list,
      name: newName('name', 'name is required.').meta(shownAs(shownName)),
      new_name: newName('new_name', 'new_name must not be blank.')
        .optional()
        .meta(shownAs({ ...shownName, description: 'Renames the view.' })),
      filter,
      sort: atMost(z.string({ error: wrongSort }), maxNameLength)
        .meta({ maxLength: maxNameLength })
        .nullable()
        .optional()
        .describe('An order of the list, such as `-created_at`. Null: the usual one.'),
      columns,
      is_first: z
        .boolean({ error: 'is_first must be true or false.' })
        .optional()
        .describe('Whether the list opens with it, instead of the one that it has opened with.'),
    }),
    errors: Object.values(viewErrors),
    failure: 'Failed to save the view.',
    example: {
      input: {
        list: 'issues',
        name: 'My criticals',
        filter: { severity: 'Critical', assignee: 'me', since: '30d' },
        sort: '-updated_at',
        columns: ['id', 'title', 'status'],
      },
    },
    otherExamples: {
      'Rename it': { input: { list: 'issues', name: 'My criticals', new_name: 'Mine' } },
      'Open it first': { input: { list: 'issues', name: 'My criticals', is_first: true } },
    },
  }),

  defineOperation('DELETE', path, anySession, {
    id: 'views.delete',
    summary: 'Delete a view',
    description: 'A view that does not exist succeeds.',
    changes: ['view.deleted'],
    input: z.object({ list, name: requiredText('name is required.').describe('The name of the view.') }),
    failure: 'Failed to delete the view.',
    example: { input: { list: 'issues', name: 'My criticals' } },
  }),
] as const;

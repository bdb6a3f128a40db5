import { invalid } from '../errors.ts';
import { refusals } from '../refusals.ts';
import { adminIdentitySchema, exampleAdmin } from './admins.ts';
import { requiredText } from './fields.ts';
import { filterText, filterWords } from './filters.ts';

/** The fields that a caller may add to the rows of a list. */
export type Included = readonly ('assignee' | 'labels')[];

/** What a caller may add to a conversation or its messages. */
export const threadInclude = filterWords(
  'include',
  ['assignee', 'labels', 'attachments'],
  'Fields to add to the conversation, or to each message.',
);

export const includeParameter = filterWords('include', ['assignee', 'labels'], 'Fields to add to each row.');

export const meWithoutAccount = invalid(
  'assignee=me needs an account, which API tokens and local operators do not have. Use the id of an admin.',
);

/** Refuses to assign rows to an admin who does not exist or is not active. */
export const unknownAssignee = invalid('There is no active admin with that id.');

export const assigneeId = requiredText('set.assignee_id must be the id of an admin, or null.')
  .nullable()
  .optional()
  .describe('The id of an active admin. Null unassigns the rows.')
  .register(refusals, { errors: [unknownAssignee] });

export const assigneeParameter = filterText(
  'Only rows assigned to this admin: its id, `me`, or `none` for rows that are not assigned.',
).register(refusals, { errors: [meWithoutAccount] });

/** Who works on a row, in answers that include it. */
export const assignee = adminIdentitySchema
  .pick({ id: true, email: true, username: true })
  .meta({ id: 'Assignee' })
  .nullable()
  .optional()
  .describe('With `include=assignee`: who works on it; null if nobody does.');

const { id, email, username } = exampleAdmin;
export const exampleAssignee = { id, email, username };

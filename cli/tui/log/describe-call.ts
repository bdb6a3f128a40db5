import { type OperationId, operationOf } from '../../../src/contract/registry.ts';
import { cut } from '../../output/cells.ts';
import { counted } from '../../output/number.ts';

type Input = Readonly<Record<string, unknown>>;

const maxTextCells = 40;

/** Fields that say which row a call is about, or what the user saw of it. */
const aboutFields = ['id', 'ids', 'filter', 'expected', 'change_id', 'check', 'dry_run'];
/** Fields whose values are long, or a secret. */
const unquotedFields = [
  'description',
  'steps_to_reproduce',
  'password',
  'current_password',
  'value',
  'updates',
];

/** How the calls of the dashboard are described: what is changed, then how. */
const descriptions: Readonly<Partial<Record<OperationId, (input: Input) => string>>> = {
  'issues.create': ({ title }) => `Report an issue: ${quoted(title)}`,
  'issues.update': (input) => `${rowsOf(input, 'issue')}: ${fieldsOf(input.set as Input)}`,
  'issues.changeStatus': (input) => `${rowsOf(input, 'issue')}: ${fieldsOf(input)}`,
  'issues.delete': (input) => `Delete ${rowsOf(input, 'issue')}`,
  'conversations.create': ({ visitor_name }) => `Start a conversation with ${quoted(visitor_name)}`,
  'conversations.update': (input) => `${rowsOf(input, 'conversation')}: ${fieldsOf(input.set as Input)}`,
  'conversations.changeStatus': (input) => `${rowsOf(input, 'conversation')}: ${fieldsOf(input)}`,
  'conversations.read': (input) => `Mark the messages of ${rowsOf(input, 'conversation')} as read`,
  'conversations.delete': (input) => `Delete ${rowsOf(input, 'conversation')}`,
  'messages.create': ({ approve, conversation_id, content }) =>
    approve === undefined
      ? `Reply in conversation ${conversation_id}: ${quoted(content)}`
      : `Send the draft of message ${approve}`,
  'messages.updateDraft': ({ id, ai_draft }) =>
    `${ai_draft === null ? 'Reject' : 'Change'} the draft of message ${id}`,
  'comments.create': ({ issue_id, conversation_id, content }) =>
    `Comment on ${issue_id === undefined ? `conversation ${conversation_id}` : `#${issue_id}`}: ${quoted(content)}`,
  'comments.update': ({ id, content }) => `Edit comment ${id}: ${quoted(content)}`,
  'comments.delete': ({ id }) => `Delete comment ${id}`,
  'settings.update': ({ updates }) => `Set ${Object.keys((updates ?? {}) as Input).join(', ')}`,
  'settings.delete': ({ key }) => `Delete the setting ${key}`,
  'admins.create': ({ email, role }) => `Create ${role} ${email}`,
  'admins.update': (input) => `Admin ${input.id}: ${fieldsOf(input)}`,
  'admins.changeActivity': ({ id, is_active }) =>
    `${is_active === 1 ? 'Activate' : 'Deactivate'} admin ${id}`,
  'admins.delete': ({ id }) => `Delete admin ${id}`,
};

/** Describes a call that changes something, in a line. Texts may come from visitors. */
export function describeCall(id: OperationId, input: unknown): string {
  return descriptions[id]?.((input ?? {}) as Input) ?? operationOf(id).summary;
}

/** Returns the rows that a call is about: `#7`, `12 issues`. */
function rowsOf({ id, ids }: Input, noun: string): string {
  const all = Array.isArray(ids) ? ids : [id];
  if (all.length !== 1) return counted(all.length, noun);
  return noun === 'issue' ? `#${all[0]}` : `${noun} ${all[0]}`;
}

/** Returns the fields that a call sets: `status → Closed, description`. */
function fieldsOf(input: Input): string {
  return Object.entries(input)
    .filter(([name, value]) => !aboutFields.includes(name) && value !== undefined)
    .map(([name, value]) => (unquotedFields.includes(name) ? name : `${name} → ${plain(value)}`))
    .join(', ');
}

const plain = (value: unknown) => cut(value === null ? 'none' : String(value), maxTextCells);

const quoted = (value: unknown) =>
  `“${cut(
    String(value ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
    maxTextCells,
  )}”`;

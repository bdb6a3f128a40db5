import { type OperationId, operationOf } from '../../../src/contract/registry.ts';
import { cut } from '../../terminal/cells.ts';
import { counted } from '../../terminal/number.ts';

type Input = Readonly<Record<string, unknown>>;

/** Returns the visitor of a conversation, if the dashboard knows the conversation. */
export type VisitorOf = (conversationId: string) => string | undefined;

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
const descriptions: Readonly<Partial<Record<OperationId, (input: Input, visitorOf: VisitorOf) => string>>> = {
  'issues.create': ({ title }) => `Report an issue: ${quoted(title)}`,
  'issues.update': (input) => `${issuesOf(input)}: ${fieldsOf(input.set as Input)}`,
  'issues.changeStatus': (input) => `${issuesOf(input)}: ${fieldsOf(input)}`,
  'issues.delete': (input) => `Delete ${issuesOf(input)}`,
  'conversations.create': ({ visitor_name }) => `Start a conversation with ${quoted(visitor_name)}`,
  'conversations.update': (input, visitorOf) =>
    `${talksOf(input, visitorOf)}: ${fieldsOf(input.set as Input)}`,
  'conversations.read': (input, visitorOf) => `Mark the messages of ${talksOf(input, visitorOf)} as read`,
  'conversations.unread': (input, visitorOf) => `Mark a message of ${talksOf(input, visitorOf)} as unread`,
  'conversations.delete': (input, visitorOf) => `Delete the conversation with ${talksOf(input, visitorOf)}`,
  'messages.create': ({ approve, conversation_id, content }, visitorOf) =>
    approve === undefined
      ? `Reply to ${talksOf({ id: conversation_id }, visitorOf)}: ${quoted(content)}`
      : `Send the draft of message ${approve}`,
  'messages.updateDraft': ({ id, ai_draft }) =>
    `${ai_draft === null ? 'Reject' : 'Change'} the draft of message ${id}`,
  'messages.retry': ({ id }) => `Send the e-mail of message ${id} again`,
  'comments.create': ({ issue_id, conversation_id, content }, visitorOf) =>
    `Comment on ${issue_id === undefined ? talksOf({ id: conversation_id }, visitorOf) : `#${issue_id}`}: ${quoted(content)}`,
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
export function describeCall(
  id: OperationId,
  input: unknown,
  visitorOf: VisitorOf = () => undefined,
): string {
  return descriptions[id]?.((input ?? {}) as Input, visitorOf) ?? operationOf(id).summary;
}

/** Returns the issues that a call is about: `#7`, `12 issues`. */
function issuesOf(input: Input): string {
  const ids = idsOf(input);
  return ids.length === 1 ? `#${ids[0]}` : counted(ids.length, 'issue');
}

/** Returns the conversations that a call is about: the visitor, because nobody knows an id; `12 conversations`. */
function talksOf(input: Input, visitorOf: VisitorOf): string {
  const ids = idsOf(input);
  const [only] = ids;
  return ids.length === 1
    ? (visitorOf(String(only)) ?? `conversation ${only}`)
    : counted(ids.length, 'conversation');
}

const idsOf = ({ id, ids }: Input): readonly unknown[] => (Array.isArray(ids) ? ids : [id]);

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

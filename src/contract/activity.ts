import type { ActivityEvent } from './activity-types.ts';

/** What an event is about: one thing, or without an id all of its kind. */
export interface ActivitySubject {
  readonly kind: 'issue' | 'conversation' | 'usage';
  readonly id?: string;
}

export interface Activity {
  /** What somebody did, after the name, such as `reported issue 7`. */
  readonly text: string;
  readonly detail?: string | undefined;
  readonly subject: ActivitySubject;
}

/** Formats a number with its noun, such as `3 issues`. */
type Counted = (count: number, noun: string) => string;

/** Describes an event. Returns undefined for one that says nothing, such as that a message was read. */
export function describeEvent(event: ActivityEvent, counted: Counted): Activity | undefined {
  const { subject_id: id } = event;
  switch (event.type) {
    case 'issue.created':
      return { text: `reported issue ${id}`, detail: event.data.title, subject: issue(id) };
    case 'issue.updated':
      if (event.data.status === undefined) return undefined;
      return { text: `set issue ${id} to ${event.data.status}`, subject: issue(id) };
    case 'issues.updated': {
      const { ids, count, set, undoes } = event.data;
      const what = count === 1 ? `issue ${ids[0]}` : counted(count, 'issue');
      return { text: changeOf(what, set, undoes), subject: count === 1 ? issue(ids[0]) : { kind: 'issue' } };
    }
    case 'issues.deleted':
      return { text: `deleted ${counted(event.data.count, 'issue')}`, subject: { kind: 'issue' } };
    case 'conversation.created':
      return { text: 'opened a conversation', detail: event.data.subject, subject: conversation(id) };
    case 'conversation.updated':
      if (event.data.status === undefined) return undefined;
      return { text: `set a conversation to ${event.data.status}`, subject: conversation(id) };
    case 'conversations.updated': {
      const { ids, count, set, undoes } = event.data;
      if (set?.read) return undefined;
      const what = count === 1 ? 'a conversation' : counted(count, 'conversation');
      return { text: changeOf(what, set, undoes), subject: conversation(count === 1 ? ids[0] : null) };
    }
    case 'message.created': {
      const { sender_type: sender, conversation_id } = event.data;
      const text = sender === 'visitor' ? 'added a message of a visitor' : 'replied to a visitor';
      return { text, subject: conversation(conversation_id) };
    }
    case 'comment.created': {
      const { issue_id, conversation_id, content } = event.data;
      return issue_id === null
        ? { text: 'commented on a conversation', detail: content, subject: conversation(conversation_id) }
        : { text: `commented on issue ${issue_id}`, detail: content, subject: issue(issue_id) };
    }
    case 'token_alert.raised':
      return { text: 'raised an alert', detail: event.data.message, subject: { kind: 'usage' } };
  }
}

const subjectOf =
  (kind: ActivitySubject['kind']) =>
  (id: string | number | null | undefined): ActivitySubject =>
    id === null || id === undefined ? { kind } : { kind, id: String(id) };
const issue = subjectOf('issue');
const conversation = subjectOf('conversation');

type Set = { readonly [field: string]: unknown } | undefined;

/** Says what a change set, such as `set 3 issues to Closed`. */
function changeOf(what: string, set: Set, undoes: number | undefined): string {
  if (undoes !== undefined) return `undid a change of ${what}`;
  if (typeof set?.status === 'string') return `set ${what} to ${set.status}`;
  if (typeof set?.severity === 'string') return `set the severity of ${what} to ${set.severity}`;
  if (typeof set?.category === 'string') return `moved ${what} to the category ${set.category}`;
  if (set?.add_labels !== undefined || set?.remove_labels !== undefined)
    return `changed the labels of ${what}`;
  if (set?.assignee_id === null) return `took ${what} off its assignee`;
  return set?.assignee_id === undefined ? `edited ${what}` : `assigned ${what}`;
}

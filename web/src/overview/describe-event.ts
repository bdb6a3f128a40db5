import type { LinkProps } from '@tanstack/react-router';
import { counted } from '../parts/numbers.ts';
import type { ActivityEvent } from './activity-queries.ts';

/** An event as a person reads it. */
export interface Activity {
  /** What somebody did, after the name, such as `reported issue 7`. */
  readonly text: string;
  /** The title or the subject, if the event has one. */
  readonly detail?: string | undefined;
  readonly link: LinkProps;
}

type Set = { readonly [field: string]: unknown } | undefined;

/** Describes an event. Returns undefined for one that says nothing, such as that a message was read. */
export function describeEvent(event: ActivityEvent): Activity | undefined {
  const { subject_id: id } = event;
  switch (event.type) {
    case 'issue.created':
      return { text: `reported issue ${id}`, detail: event.data.title, link: issueLink(id) };
    case 'issue.updated':
      if (event.data.status === undefined) return undefined;
      return { text: `set issue ${id} to ${event.data.status}`, link: issueLink(id) };
    case 'issues.updated': {
      const { ids, count, set, undoes } = event.data;
      const link = count === 1 ? issueLink(ids[0]) : issues;
      const what = count === 1 ? `issue ${ids[0]}` : counted(count, 'issue');
      return { text: changeOf(what, set, undoes), link };
    }
    case 'issues.deleted':
      return { text: `deleted ${counted(event.data.count, 'issue')}`, link: issues };
    case 'conversation.created':
      return { text: 'opened a conversation', detail: event.data.subject, link: conversationLink(id) };
    case 'conversation.updated':
      if (event.data.status === undefined) return undefined;
      return { text: `set a conversation to ${event.data.status}`, link: conversationLink(id) };
    case 'conversations.updated': {
      const { ids, count, set, undoes } = event.data;
      if (set?.read) return undefined;
      const link = count === 1 ? conversationLink(ids[0]) : conversations;
      const what = count === 1 ? 'a conversation' : counted(count, 'conversation');
      return { text: changeOf(what, set, undoes), link };
    }
    case 'message.created': {
      const { sender_type: sender, conversation_id } = event.data;
      const text = sender === 'visitor' ? 'added a message of a visitor' : 'replied to a visitor';
      return { text, link: conversationLink(conversation_id) };
    }
    case 'comment.created': {
      const { issue_id, conversation_id, content } = event.data;
      return issue_id === null
        ? { text: 'commented on a conversation', detail: content, link: conversationLink(conversation_id) }
        : { text: `commented on issue ${issue_id}`, detail: content, link: issueLink(issue_id) };
    }
    case 'token_alert.raised':
      return { text: 'raised an alert', detail: event.data.message, link: { to: '/usage' } };
  }
}

const issues: LinkProps = { to: '/issues' };
const conversations: LinkProps = { to: '/conversations' };

function issueLink(id: string | number | null | undefined): LinkProps {
  return { to: '/issues', search: { issue: Number(id) } };
}

function conversationLink(id: string | null | undefined): LinkProps {
  return { to: '/conversations', search: { id: id ?? undefined } };
}

/** Says what a change set, such as `set 3 issues to Closed`. */
function changeOf(what: string, set: Set, undoes: number | undefined): string {
  if (undoes !== undefined) return `undid a change of ${what}`;
  if (typeof set?.status === 'string') return `set ${what} to ${set.status}`;
  if (typeof set?.severity === 'string') return `set the severity of ${what} to ${set.severity}`;
  if (typeof set?.category === 'string') return `moved ${what} to the category ${set.category}`;
  if (set?.assignee_id === null) return `took ${what} off its assignee`;
  return set?.assignee_id === undefined ? `edited ${what}` : `assigned ${what}`;
}

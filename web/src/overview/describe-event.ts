import type { LinkProps } from '@tanstack/react-router';
import { type ActivitySubject, describeEvent as describe } from '../../../src/contract/activity.ts';
import type { ActivityEvent } from '../../../src/contract/activity-types.ts';
import { counted } from '../parts/numbers.ts';

/** An event as a person reads it. */
interface Activity {
  /** What somebody did, after the name, such as `reported issue 7`. */
  readonly text: string;
  /** The title or the subject, if the event has one. */
  readonly detail?: string | undefined;
  readonly link: LinkProps;
}

/** Describes an event. Returns undefined for one that says nothing, such as that a message was read. */
export function describeEvent(event: ActivityEvent): Activity | undefined {
  const activity = describe(event, counted);
  return activity && { text: activity.text, detail: activity.detail, link: linkOf(activity.subject) };
}

function linkOf({ kind, id }: ActivitySubject): LinkProps {
  if (kind === 'usage') return { to: '/usage' };
  if (kind === 'conversation') return { to: '/conversations', search: { id } };
  return id === undefined ? { to: '/issues' } : { to: '/issues', search: { issue: Number(id) } };
}

import type { Event } from '../../../../src/contract/events/envelope.ts';
import { issueNotice } from '../../issues/issue-notice.ts';
import type { Notice } from './notice.ts';

/** Returns the notice of an event; undefined if nobody needs to come for it. */
export async function noticeOf(event: Event): Promise<Notice | undefined> {
  return issueNotice(event);
}

import { printableLines } from '../../../src/shared/text.ts';
import type { FoundThread } from '../../access/thread.ts';
import { dateAndTime } from '../../output/time.ts';

/** How many messages are shown to a person who writes an answer. */
export const maxQuotedMessages = 3;

/** Returns the last messages of a conversation, oldest first, to show below an answer that is being written. */
export function quotedThread({ conversation, messages }: FoundThread): readonly string[] {
  const { visitor_name, visitor_email, subject } = conversation;
  const lines = messages.flatMap(({ sender_type, sent_by, content, created_at }) => {
    const who = sender_type === 'visitor' ? visitor_name : (sent_by ?? 'the team');
    return ['', `${who}, ${dateAndTime(created_at)}:`, ...content.split(/\r?\n/).map((line) => `  ${line}`)];
  });
  return [`${visitor_name} <${visitor_email}>: ${subject === '' ? '(no subject)' : subject}`, ...lines].map(
    printableLines,
  );
}

import { cutText } from '../../../../src/shared/text.ts';
import type { Message, ThreadConversation } from '../conversation-queries.ts';

const maxTitleLength = 120;
const maxMessages = 20;
const maxDescriptionLength = 10_000;

/** Returns the first texts of an issue that comes of a conversation: its subject, and what the visitor wrote last. */
export function issueOf(
  { subject, visitor_name: name }: Pick<ThreadConversation, 'subject' | 'visitor_name'>,
  messages: readonly Pick<Message, 'sender_type' | 'content'>[],
) {
  const ofVisitor = messages.filter(({ sender_type: from }) => from === 'visitor');
  const [firstLine = ''] = (ofVisitor[0]?.content ?? '').trim().split('\n');
  const title = subject.trim() || firstLine;
  const quoted = ofVisitor.slice(-maxMessages).map(({ content }) => quote(content));
  return {
    title: cutText(title, maxTitleLength),
    category: 'Other',
    description:
      quoted.length === 0 ? '' : cutText(`${name} wrote:\n\n${quoted.join('\n\n')}`, maxDescriptionLength),
  };
}

function quote(text: string): string {
  return text.trim().replaceAll(/^/gm, '> ');
}

import { ReportIssue } from '../../issues/report-issue.tsx';
import { type Message, reloadConversations, type ThreadConversation } from '../conversation-queries.ts';
import { issueOf } from './issue-of.ts';

interface MakeIssueProps {
  readonly conversation: ThreadConversation;
  readonly messages: readonly Message[];
  readonly onClose: () => void;
}

/** Reports an issue that came of a conversation. It has the words of the visitor, and a link to the conversation. */
export function MakeIssue({ conversation, messages, onClose }: MakeIssueProps) {
  return (
    <ReportIssue
      source={{ conversation_id: conversation.id }}
      texts={issueOf(conversation, messages)}
      onReported={() => {
        void reloadConversations(conversation.id);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

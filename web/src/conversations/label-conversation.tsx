import { conversations as noun } from '../../../src/contract/fields/conversations.ts';
import { fieldsOf } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { labelsChange } from '../kit/setters.tsx';
import { changeRow } from '../kit/use-change.ts';
import { type Conversation, conversations } from './conversation-resource.ts';

interface LabelConversationProps {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}

/** Asks for the labels of a conversation. */
export function LabelConversation({ conversation: { id, labels = [] }, onClose }: LabelConversationProps) {
  return (
    <FormDialog<{ readonly labels: readonly string[] }, void>
      title="Labels of the conversation"
      fields={fieldsOf(noun, { labels: {} })}
      start={{ labels }}
      send={async ({ labels: after = labels }) => {
        await changeRow(conversations, id, labelsChange('labels', labels, after).set, {});
        await conversations.refresh([id]);
      }}
      onCancel={onClose}
    />
  );
}

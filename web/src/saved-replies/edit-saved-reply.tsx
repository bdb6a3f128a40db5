import { useQuery } from '@tanstack/react-query';
import { savedReplies as noun } from '../../../src/contract/fields/saved-replies.ts';
import { placeholders, unknownPlaceholders } from '../../../src/contract/saved-reply-text.ts';
import { client } from '../app/data/client.ts';
import { fieldsOf } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { formOfRow } from '../kit/use-change.ts';
import { savedReplies } from './saved-reply-resource.ts';

const words = placeholders.map((name) => `{{${name}}}`).join(', ');

const fields = fieldsOf(noun, {
  shortcut: {
    prefix: '/',
    about: 'Type it after / to find the reply. Letters, digits, hyphens and underscores.',
  },
  title: {},
  content: {
    about: `These are filled in: ${words}.`,
    check: (content) => {
      const [wrong] = unknownPlaceholders(String(content));
      return wrong === undefined ? undefined : `${wrong} is no placeholder. Use ${words}.`;
    },
  },
});

const empty = { shortcut: '', title: '', content: '' };

interface EditSavedReplyProps {
  readonly id: number | 'new';
  readonly onClose: () => void;
}

/** The form of a saved reply, or of a new one. */
export function EditSavedReply({ id, onClose }: EditSavedReplyProps) {
  const { data: reply } = useQuery({ ...savedReplies.oneQuery(Number(id)), enabled: id !== 'new' });
  const common = { at: ['edit'], onDone: onClose, onCancel: onClose };
  if (id === 'new')
    return (
      <FormDialog
        title="New saved reply"
        fields={fields}
        start={empty}
        keep="saved-reply.new"
        send={async (set) => {
          await client.call('savedReplies.create', { ...empty, ...set });
          await savedReplies.reload();
        }}
        {...common}
      />
    );
  return (
    reply && (
      <FormDialog title={`Edit /${reply.shortcut}`} {...formOfRow(savedReplies, reply, fields)} {...common} />
    )
  );
}

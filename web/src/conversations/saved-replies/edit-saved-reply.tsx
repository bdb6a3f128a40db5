import { Button, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { placeholders, unknownPlaceholders } from '../../../../src/contract/saved-reply-text.ts';
import { client } from '../../app/data/client.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import styles from './saved-replies.module.css';
import { reloadSavedReplies, type SavedReply, savedRepliesQuery } from './saved-reply-queries.ts';

interface EditSavedReplyProps {
  /** Undefined for a new one. */
  readonly reply: SavedReply | undefined;
  readonly onClose: () => void;
}

const words = placeholders.map((name) => `{{${name}}}`).join(', ');

/** The form of a saved reply. If a colleague has changed it meanwhile, that is shown before it is overwritten. */
export function EditSavedReply({ reply, onClose }: EditSavedReplyProps) {
  const { data = [] } = useQuery(savedRepliesQuery);
  const [seen, setSeen] = useState(reply);
  const now = data.find(({ id }) => id === reply?.id);
  const isChanged = seen !== undefined && now !== undefined && !isSame(seen, now);
  return (
    <FormDialog
      title={reply === undefined ? 'New saved reply' : `Edit /${reply.shortcut}`}
      action="Save"
      initialValues={{
        shortcut: reply?.shortcut ?? '',
        title: reply?.title ?? '',
        content: reply?.content ?? '',
      }}
      validate={{ content: checkContent }}
      send={async (values) => {
        if (seen === undefined) await client.call('savedReplies.create', values);
        else {
          const { id, ...expected } = seen;
          await client.call('savedReplies.update', { id, ...values, expected });
        }
      }}
      onDone={() => {
        void reloadSavedReplies();
        onClose();
      }}
      onError={reloadSavedReplies}
      onClose={onClose}
    >
      {(form) => (
        <>
          {isChanged && (
            <div className={styles.now}>
              <p className={styles.hint}>A colleague has changed it meanwhile. It is now:</p>
              <p className={styles.nowText}>
                /{now.shortcut}, <bdi>{now.title}</bdi>
              </p>
              <p className={styles.nowText} dir="auto">
                {now.content}
              </p>
              <Button size="compact-sm" variant="default" onClick={() => setSeen(now)}>
                Replace it with mine
              </Button>
            </div>
          )}
          <TextInput
            label="Shortcut"
            description="What one types after / to find it: letters, digits, hyphens and underscores."
            leftSection="/"
            required
            data-autofocus
            key={form.key('shortcut')}
            {...form.getInputProps('shortcut')}
          />
          <TextInput label="Title" required key={form.key('title')} {...form.getInputProps('title')} />
          <Textarea
            label="Reply"
            description={`These are filled in: ${words}.`}
            required
            autosize
            minRows={4}
            maxRows={12}
            key={form.key('content')}
            {...form.getInputProps('content')}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Refuses mistyped placeholders, which nobody would fill in. */
function checkContent(content: string): string | null {
  const [wrong] = unknownPlaceholders(content);
  return wrong === undefined ? null : `${wrong} is not known. The known words are ${words}.`;
}

function isSame(one: SavedReply, other: SavedReply): boolean {
  return one.shortcut === other.shortcut && one.title === other.title && one.content === other.content;
}

import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { findSavedReplies } from '../../../../src/contract/saved-reply-text.ts';
import { client } from '../../app/data/client.ts';
import { lazyPart } from '../../app/lazy-part.ts';
import { offerUndo } from '../../parts/changes/offer-undo.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Note } from '../../parts/note.tsx';
import { tellError } from '../../parts/tell.ts';
import styles from './saved-replies.module.css';
import { reloadSavedReplies, type SavedReply, savedRepliesQuery } from './saved-reply-queries.ts';

const EditSavedReply = lazyPart(() => import('./edit-saved-reply.tsx'), 'EditSavedReply');

/** Lists the saved replies, and creates, edits and deletes them. */
export function SavedRepliesDialog({ onClose }: { readonly onClose: () => void }) {
  const { data = [], isPending, error, refetch } = useQuery(savedRepliesQuery);
  const [search, setSearch] = useState('');
  const [edited, setEdited] = useState<SavedReply | 'new'>();
  const found = findSavedReplies(data, search);
  return (
    <Dialog opened title="Saved replies" size="lg" onClose={onClose}>
      <div className={styles.bar}>
        <TextInput
          type="search"
          aria-label="Search the saved replies"
          data-autofocus
          placeholder="Search"
          className={styles.barSearch ?? ''}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
        />
        <Button onClick={() => setEdited('new')}>New saved reply</Button>
      </div>
      <p className={styles.about}>Everybody on the team sees and uses them. In a reply, / finds them.</p>
      {error !== null && data.length === 0 && <Failure error={error} retry={() => void refetch()} />}
      {!isPending && error === null && found.length === 0 && (
        <Note title={data.length === 0 ? 'There are no saved replies yet' : 'No saved reply matches'} />
      )}
      <ul className={styles.list} aria-label="Saved replies">
        {found.map((reply) => (
          <li key={reply.id} className={styles.row}>
            <span className={styles.rowText}>
              <span className={styles.rowHead}>
                <bdi className={styles.optionTitle}>{reply.title}</bdi>
                <span className={styles.shortcut}>/{reply.shortcut}</span>
              </span>
              <span className={styles.preview} dir="auto">
                {reply.content}
              </span>
            </span>
            <span className={styles.rowButtons}>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Edit ${reply.title}`}
                onClick={() => setEdited(reply)}
              >
                Edit
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Delete ${reply.title}`}
                onClick={() => void remove(reply)}
              >
                Delete
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {edited !== undefined && (
        <Suspense>
          <EditSavedReply
            reply={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </Dialog>
  );
}

/** Deletes a saved reply. Undo saves it again. */
async function remove({ id, ...reply }: SavedReply): Promise<void> {
  try {
    await client.call('savedReplies.delete', { id });
    offerUndo(`Saved reply /${reply.shortcut} deleted`, async () => {
      await client.call('savedReplies.create', reply);
      await reloadSavedReplies();
    });
  } catch (error) {
    tellError(error as Error);
  }
  await reloadSavedReplies();
}

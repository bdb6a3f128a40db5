import { Textarea } from '@mantine/core';
import { Note } from '../../parts/note.tsx';
import { useUnsentReplies } from '../reply/outbox.ts';
import { useDraft } from '../reply/use-draft.ts';
import { BackToList } from './back-to-list.tsx';
import styles from './thread.module.css';

/** Stands for a conversation that does not exist, with what one has written in it. */
export function MissingThread({ id }: { readonly id: string }) {
  const [draft] = useDraft(id);
  const texts = [...useUnsentReplies(id).map(({ content }) => content), draft.text].filter(Boolean);
  return (
    <div className={styles.missing}>
      <BackToList />
      <Note title="There is no such conversation">It may have been deleted.</Note>
      {texts.length > 0 && (
        <Textarea
          label="Your reply, which was not sent"
          className={styles.unsentText ?? ''}
          readOnly
          autosize
          minRows={2}
          maxRows={12}
          value={texts.join('\n\n')}
        />
      )}
    </div>
  );
}

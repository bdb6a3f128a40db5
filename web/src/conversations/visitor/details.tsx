import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../app/lazy-part.ts';
import { Comments } from '../../comments/comments.tsx';
import type { Thread } from '../conversation-queries.ts';
import styles from './visitor.module.css';
import { Visitor } from './visitor.tsx';

const DetailsDrawer = lazyPart(() => import('./details-drawer.tsx'), 'DetailsDrawer');

/** From this width on, the details have a pane of their own. The style sheet has it too. */
const paneQuery = '(min-width: 84em)';

const route = getRouteApi('/signed-in/conversations');

/** The third pane; in narrow windows a drawer, which the address opens. */
export function Details({ thread }: { readonly thread: Thread }) {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const hasPane = useMediaQuery(paneQuery, true, { getInitialValueInEffect: false });
  const content = <Content thread={thread} />;
  if (hasPane) {
    return (
      <aside className={styles.pane} aria-label="Details">
        {content}
      </aside>
    );
  }
  return (
    <Suspense>
      <DetailsDrawer
        isOpen={show === 'details'}
        onClose={() => void navigate({ search: (before) => ({ ...before, show: undefined }) })}
      >
        {content}
      </DetailsDrawer>
    </Suspense>
  );
}

function Content({ thread: { conversation, issues } }: { readonly thread: Thread }) {
  if (conversation === null) return null;
  return (
    <>
      <Visitor conversation={conversation} issues={issues} />
      <section className={styles.internal} aria-labelledby="internal-heading">
        <h3 id="internal-heading" className={styles.internalHeading}>
          Internal, visitors never see this
        </h3>
        <Comments key={conversation.id} subject={{ conversation_id: conversation.id }} />
      </section>
    </>
  );
}

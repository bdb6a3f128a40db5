import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Icon } from '../../parts/icon.tsx';
import { createStoredWord } from '../kept/stored-word.ts';
import { Navigation } from './navigation.tsx';
import styles from './side.module.css';

/** A desk on which the whole navigation would take too much of the page. */
const smallDesk = '(max-width: 64em)';

/** What the person has chosen; by default it depends on the size of the window. */
const chosen = createStoredWord('backoffice-navigation', ['auto', 'narrow', 'wide'], 'auto');

/** The navigation beside the page, which can be reduced to its icons. */
export function Side() {
  const isSmallDesk = useMediaQuery(smallDesk, undefined, { getInitialValueInEffect: false });
  const width = chosen.use();
  const isNarrow = width === 'narrow' || (width === 'auto' && isSmallDesk);
  return (
    <div className={styles.side} data-narrow={isNarrow || undefined}>
      <div className={styles.pane}>
        <nav className={styles.nav} aria-label="Main">
          <Navigation />
        </nav>
        <div className={styles.button}>
          <Button
            fullWidth
            size="compact-sm"
            variant="subtle"
            color="gray"
            justify="start"
            leftSection={<Icon name="panel" />}
            onClick={() => chosen.set(isNarrow ? 'wide' : 'narrow')}
          >
            {isNarrow ? 'Expand' : 'Collapse'}
          </Button>
        </div>
      </div>
    </div>
  );
}

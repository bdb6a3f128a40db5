import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useKept } from '../app/kept/use-kept.ts';
import { lazyPart } from '../app/lazy-part.ts';
import type { Filter } from './address.ts';
import { useGo, useHref } from './go.ts';
import styles from './views.module.css';

const SaveView = lazyPart(() => import('./save-view.tsx'), 'SaveView');

/** A filter with a name. */
export interface View {
  readonly title: string;
  readonly filter: Filter;
}

interface ViewsProps {
  /** What the list is of. */
  readonly of: string;
  readonly filter: Filter;
  /** The views that everybody has. */
  readonly views: readonly View[];
}

/** Leads to filters with names: those that everybody has, and those that this admin has saved in this browser. */
export function Views({ of, filter, views }: ViewsProps) {
  const [saved = [], keep] = useKept<readonly View[]>(`views.${of}`);
  const [isSaving, setIsSaving] = useState(false);
  const toHref = useHref();
  const go = useGo();
  const nothing = Object.fromEntries(Object.keys(filter).map((name) => [name, undefined]));
  const current = nameOf(filter);
  const all = [...views, ...saved];
  const isKnown = all.some((view) => nameOf(view.filter) === current);
  const isSaved = saved.some((view) => nameOf(view.filter) === current);
  return (
    <nav className={styles.views} aria-label="Views">
      {all.map((view) => (
        <a
          key={view.title}
          href={toHref({ ...nothing, ...view.filter })}
          className={styles.view}
          aria-current={nameOf(view.filter) === current ? 'page' : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            go({ ...nothing, ...view.filter });
          }}
        >
          {view.title}
        </a>
      ))}
      {!isKnown && (
        <Button size="compact-sm" variant="subtle" onClick={() => setIsSaving(true)}>
          Save view
        </Button>
      )}
      {isSaved && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => keep(saved.filter((view) => nameOf(view.filter) !== current))}
        >
          Forget view
        </Button>
      )}
      <Suspense>
        {isSaving && (
          <SaveView
            taken={all.map(({ title }) => title)}
            onSave={(title) => keep([...saved, { title, filter }])}
            onClose={() => setIsSaving(false)}
          />
        )}
      </Suspense>
    </nav>
  );
}

/** Returns the same text for the same conditions. */
function nameOf(filter: Filter): string {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  return JSON.stringify(set.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

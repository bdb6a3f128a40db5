import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ViewList } from '../../../src/contract/fields/views.ts';
import { lazyPart } from '../app/lazy-part.ts';
import type { Filter } from './address.ts';
import styles from './filters.module.css';
import { useGo, useHref } from './go.ts';
import { filterOfView, viewsQuery } from './view-queries.ts';

const SaveView = lazyPart(() => import('./save-view.tsx'), 'SaveView');
const ViewMenu = lazyPart(() => import('./save-view.tsx'), 'ViewMenu');

interface ViewsProps {
  readonly of: ViewList;
  readonly filter: Filter;
  /** The views that everybody has. */
  readonly views: readonly { readonly title: string; readonly filter: Filter }[];
}

/** Leads to filters with names: those that everybody has, and those that the signed-in admin has saved. */
export function Views({ of, filter, views }: ViewsProps) {
  const { data: saved = [], isSuccess } = useQuery(viewsQuery(of));
  const [isSaving, setIsSaving] = useState(false);
  const toHref = useHref();
  const go = useGo();
  const nothing = Object.fromEntries(Object.keys(filter).map((name) => [name, undefined]));
  const current = nameOf(filter);
  const names = new Set(saved.map(({ name }) => name));
  // A saved view takes the place of one of the same name.
  const all = [
    ...views.filter(({ title }) => !names.has(title)),
    ...saved.map((view) => ({ title: view.name, filter: filterOfView(view) })),
  ];
  const shown = all.find((view) => nameOf(view.filter) === current);
  const own = saved.find(({ name }) => name === shown?.title);
  /* `view` tells all rows from an address that leaves the choice to the admin. */
  const addressOf = (view: (typeof all)[number]) => ({
    ...nothing,
    ...view.filter,
    view: nameOf(view.filter) === nameOf({}) ? 'all' : undefined,
  });
  return (
    <nav className={styles.views} aria-label="Views">
      {all.map((view) => (
        <a
          key={view.title}
          href={toHref(addressOf(view))}
          className={styles.view}
          aria-current={view === shown ? 'page' : undefined}
          onClick={(event) => {
            // The browser opens a link elsewhere.
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            go(addressOf(view));
          }}
        >
          <bdi>{view.title}</bdi>
        </a>
      ))}
      {shown === undefined && isSuccess && (
        <Button size="compact-sm" variant="subtle" onClick={() => setIsSaving(true)}>
          Save view
        </Button>
      )}
      {own && <ViewMenu view={own} />}
      {isSaving && (
        <SaveView
          list={of}
          filter={filter}
          taken={all.map(({ title }) => title)}
          onClose={() => setIsSaving(false)}
        />
      )}
    </nav>
  );
}

/** Returns the same text for the same conditions. */
function nameOf(filter: Filter): string {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  return JSON.stringify(set.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

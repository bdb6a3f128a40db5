import { filterDialog } from '../../dialogs/filter.tsx';
import { createList, typingPauseMs } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import { listPosition } from '../../list/position.ts';
import type { App } from '../../state/app.ts';
import type { Screen } from '../../state/screen-types.ts';
import { createStore } from '../../state/store.ts';
import type { View } from '../views/saved-view.ts';
import { createViewStore, startView } from '../views/view-store.ts';
import { viewsDialog } from '../views/views-dialog.tsx';
import { auditFilterNote, parseAuditFilter } from './filter.ts';
import type { AuditRow } from './row.ts';
import { auditSubject } from './subject.ts';
import { type AuditState, auditView, effectiveFilter } from './view.tsx';
import { auditViews } from './views.ts';

export function auditScreen(app: App): Screen {
  const store = createStore<AuditState>({
    filter: '',
    saved: startView(app.preferences.get(), auditViews),
    isOpen: false,
    isFollowing: true,
  });
  const list = createList<AuditRow>({
    async load(cursor, limit) {
      const page = await app.call('audit.list', {
        limit,
        ...parseAuditFilter(effectiveFilter(store.get())),
        ...(cursor === null ? {} : { cursor }),
      });
      return { rows: page.audit, nextCursor: page.nextCursor ?? null };
    },
    keyOf: ({ id }) => id,
    // Records are listed in the order of their ids.
    timeOf: ({ id }) => id,
    explain: app.explain,
    now: app.now,
  });
  const setFilter = (filter: string, delayMs = 0) => {
    store.set({ filter });
    void list.reload(delayMs);
  };
  const openViews = () => {
    const { saved } = store.get();
    const onChoose = (view: View) => {
      store.set({ filter: '', saved: view });
      void list.reload().then(() => list.toFirst());
    };
    const shown = (name: string) => ({ ...saved, name, filter: effectiveFilter(store.get()) });
    const views = createViewStore(app.preferences, auditViews);
    app.open(viewsDialog(app, { views, current: saved.name, shown, onChoose }));
  };
  const toggleFollowing = () => {
    const isFollowing = !store.get().isFollowing;
    store.set({ isFollowing });
    if (isFollowing) list.toFirst();
  };
  return {
    id: 'audit',
    title: 'Audit',
    position: listPosition(list),
    chain: () => 'audit',
    isAffectedBy: () => true,
    async refresh() {
      await list.refresh();
      if (store.get().isFollowing) list.toFirst();
    },
    back() {
      const { isOpen, filter } = store.get();
      if (isOpen) store.set({ isOpen: false });
      else if (filter !== '') setFilter('');
      else return false;
      return true;
    },
    subject: () => auditSubject(app, list.current()),
    perform(action) {
      const { filter, isOpen } = store.get();
      if (moveList(list, action)) return store.set({ isFollowing: list.store.get().index === 0 });
      if (action === 'audit.open') return store.set({ isOpen: !isOpen });
      if (action === 'audit.follow') return toggleFollowing();
      if (action === 'audit.views') return openViews();
      if (action === 'search.open') {
        const onChange = (text: string) => setFilter(text, typingPauseMs);
        app.open(filterDialog(app, { text: filter, note: auditFilterNote, onChange }));
      }
    },
    View: auditView(app, { store, list }),
  };
}

import { fit } from '../../../terminal/cells.ts';
import { Lines } from '../../components/lines.tsx';
import { Region } from '../../components/region.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import { moveList } from '../../list/move.ts';
import type { App } from '../../state/app.ts';
import type { Dialog, Size } from '../../state/screen-types.ts';
import { createStore, useStore } from '../../state/store.ts';
import { theme } from '../../theme.ts';
import { type Me, readMe } from '../me.ts';
import { type Comment, type CommentSubject, commentLines } from './comment.ts';
import type { CommentEditors } from './editors.ts';

export interface CommentsDialogOptions {
  readonly subject: CommentSubject;
  /** What the comments are on, such as `#7`. */
  readonly name: string;
  readonly editors: CommentEditors;
}

interface CommentsState {
  /** Oldest first. */
  readonly comments: readonly Comment[];
  readonly index: number;
  /** The cursor of the older comments, or null if there are none. */
  readonly nextCursor: string | null;
  readonly isLoading: boolean;
  readonly error: string;
}

const pageComments = 50;
const wantedRows = 12;

/** A dialog with the comments on something, and what calls for it when they have changed. */
export interface CommentsDialog extends Dialog {
  refresh(): Promise<void>;
}

/** Shows the comments on something, to read all of them and to edit or delete one. */
export function commentsDialog(app: App, { subject, name, editors }: CommentsDialogOptions): CommentsDialog {
  const store = createStore<CommentsState>({
    comments: [],
    index: 0,
    nextCursor: null,
    isLoading: true,
    error: '',
  });
  const load = async (cursor: string | null) => {
    const older = cursor === null ? {} : { cursor };
    return await app.call('comments.list', { ...subject, limit: pageComments, ...older });
  };
  // Known before the first comment can be edited, so that the editor opens at once and takes the next keys.
  let me: Me = null;
  const refresh = async () => {
    try {
      const [{ comments, nextCursor = null }, account] = await Promise.all([load(null), readMe(app)]);
      me = account;
      const current = store.get().comments[store.get().index]?.id;
      const found = comments.findIndex(({ id }) => id === current);
      store.set({
        comments,
        nextCursor,
        index: found === -1 ? Math.max(0, comments.length - 1) : found,
        isLoading: false,
        error: '',
      });
    } catch (error) {
      store.set({ isLoading: false, error: app.explain(error) });
    }
  };
  const loadOlder = async () => {
    const { nextCursor, isLoading } = store.get();
    if (nextCursor === null || isLoading) return;
    store.set({ isLoading: true });
    try {
      const older = await load(nextCursor);
      const { comments, index } = store.get();
      store.set({
        comments: [...older.comments, ...comments],
        index: index + older.comments.length,
        nextCursor: older.nextCursor ?? null,
      });
    } finally {
      store.set({ isLoading: false });
    }
  };
  const moveTo = (index: number) => {
    store.set({ index: Math.max(0, Math.min(index, store.get().comments.length - 1)) });
    if (index <= 0) void app.attempt(loadOlder);
  };
  const moves = {
    pageRows: 4,
    move: (by: number) => moveTo(store.get().index + by),
    toFirst: () => moveTo(0),
    toLast: () => moveTo(store.get().comments.length - 1),
  };
  const withCurrent = (work: (comment: Comment) => void): unknown => {
    if (!hasLoaded)
      return app.openAfter(
        () => loaded,
        () => withCurrent(work),
      );
    const comment = store.get().comments[store.get().index];
    if (comment === undefined) app.showMessage('No comment selected.', 'note');
    else work(comment);
  };

  const dialog: CommentsDialog = {
    title: () => `Comments on ${name}`,
    chain: () => 'comments',
    rows: () => wantedRows,
    refresh,
    perform(action) {
      if (action === 'everywhere.back') app.close(dialog);
      else if (action === 'comments.create') editors.write(subject, name);
      else if (action === 'comments.edit') withCurrent((comment) => editors.edit(comment, me));
      else if (action === 'comments.delete') withCurrent(editors.remove);
      else moveList(moves, action);
    },
    View: ({ width, height }: Size) => (
      <Region onMouse={({ kind, lines }) => kind === 'wheel' && moves.move(Math.sign(lines))} height={height}>
        <Lines lines={visibleLines(app, useStore(store), width, height)} height={height} />
      </Region>
    ),
  };
  let hasLoaded = false;
  const loaded = refresh().then(() => {
    hasLoaded = true;
  });
  return dialog;
}

/** Returns the lines around the current comment, as many as there is room for. */
function visibleLines(app: App, state: CommentsState, width: number, height: number): string[] {
  const { comments, index, nextCursor, isLoading, error } = state;
  if (error !== '') return [`  ${theme.bad(`✗ ${error}`)}`];
  if (comments.length === 0) {
    const none = ['No comments yet.', ...keyHints(app, ['comments.create', 'writes one.'])];
    return [`  ${theme.quiet(isLoading ? 'Loading…' : none.join(' '))}`];
  }
  const lines: string[] = nextCursor === null ? [] : [theme.quiet('    ↑ earlier comments')];
  let [from, to] = [0, 0];
  for (const [at, comment] of comments.entries()) {
    if (at === index) from = lines.length;
    const shown = commentLines(comment, width - 2, app.now());
    lines.push(
      ...shown.map((line, row) => (at === index && row === 0 ? theme.accent('❯ ') + line : `  ${line}`)),
    );
    if (at === index) to = lines.length;
    lines.push('');
  }
  // The end of the current comment is visible, unless it is longer than the room.
  const top = Math.max(0, Math.min(from, Math.max(to - height, Math.min(from - 2, lines.length - height))));
  const visible = lines.slice(top, top + height);
  const below = lines.length - 1 - top - height;
  if (below > 0 && height > 2) visible[height - 1] = theme.quiet(fit(`    ↓ ${below} more lines`, width - 2));
  return visible;
}

import type { z } from 'zod';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import type { issueSchema } from '../../../../src/contract/schemas/issues.ts';
import { latestOnly } from '../../../../src/shared/waiting.ts';
import type { App } from '../../state/app.ts';
import type { Comment } from '../comments/comment.ts';

/** What is shown of one issue. */
export interface IssueDetail {
  readonly id: number;
  readonly issue: z.infer<typeof issueSchema> | null;
  readonly links: OutputOf<'links.list'>['links'];
  /** The latest comments, oldest first. */
  readonly comments: readonly Comment[];
  readonly hasOlderComments: boolean;
  readonly error: string;
  /** How many lines it is scrolled down. */
  readonly top: number;
}

/** How long the cursor must stay on a row before its details load, so that scrolling past rows loads none. */
const restMs = 60;

const shownComments = 20;
const nothing = { issue: null, links: [], comments: [], hasOlderComments: false, error: '', top: 0 };

/** Loads the details of the issue under the cursor. */
export function issueDetail(app: App, onChange: (detail: IssueDetail) => void) {
  let shown: IssueDetail | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** The details were hidden while the list was refreshed. */
  let isStale = false;
  const startRequest = latestOnly();
  const set = (detail: IssueDetail) => {
    shown = detail;
    onChange(detail);
  };
  const load = async (id: number) => {
    const isNewest = startRequest();
    try {
      const [found, { links }, { comments, nextCursor }] = await Promise.all([
        app.call('issues.list', { id, limit: 1, include: 'assignee' }),
        app.call('links.list', { issue_id: id, limit: 20 }),
        app.call('comments.list', { issue_id: id, limit: shownComments }),
      ]);
      if (shown?.id !== id || !isNewest()) return;
      const issue = 'issues' in found ? (found.issues[0] ?? null) : null;
      const error = issue === null ? 'This issue no longer exists.' : '';
      set({ ...shown, issue, links, comments, hasOlderComments: typeof nextCursor === 'string', error });
    } catch (error) {
      if (shown?.id === id && isNewest()) set({ ...shown, error: app.explain(error) });
    }
  };
  return {
    show(id: number) {
      if (shown?.id === id && !isStale) return;
      isStale = false;
      if (shown?.id !== id) set({ ...nothing, id });
      clearTimeout(timer);
      timer = setTimeout(() => void load(id), restMs);
    },
    /** Stops loading while the details are hidden. The next `show` shows the old details and loads them again. */
    hide() {
      isStale = true;
      clearTimeout(timer);
    },
    async refresh() {
      clearTimeout(timer);
      if (shown !== undefined) await load(shown.id);
    },
    scroll(lines: number) {
      if (shown !== undefined) set({ ...shown, top: Math.max(0, shown.top + lines) });
    },
  };
}

import type { Draft } from '../../keep-text.ts';
import type { App } from '../../state/app.ts';
import type { CommentSubject } from './comment.ts';
import { type CommentsDialog, commentsDialog } from './dialog.tsx';
import { commentEditors } from './editors.ts';

/** What a screen does with comments. */
export interface ScreenComments {
  /** @param name - what the comment is on, such as `#7` */
  write(subject: CommentSubject, name: string): void;
  show(subject: CommentSubject, name: string): void;
  /** Loads the comments of the open dialog again, if it is open. */
  refresh(): Promise<void>;
  drafts(): readonly Draft[];
}

/** @param onChanged - loads again what the screen shows of comments */
export function screenComments(app: App, onChanged: () => Promise<void>): ScreenComments {
  let opened: CommentsDialog | undefined;
  const refresh = async () => {
    if (opened !== undefined && app.store.get().dialogs.includes(opened)) await opened.refresh();
  };
  const editors = commentEditors(app, async () => {
    await Promise.all([onChanged(), refresh()]);
  });
  return {
    write: editors.write,
    show(subject, name) {
      opened = commentsDialog(app, { subject, name, editors });
      app.open(opened);
    },
    refresh,
    drafts: editors.drafts,
  };
}

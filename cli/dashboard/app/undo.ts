import { counted } from '../../terminal/text.ts';
import type { App } from './app.ts';

/** A change that can be undone. A change of many rows may have taken several calls. */
export interface Undoable {
  /** What was done, as in `2 issues: status Closed`. */
  readonly what: string;
  /** What one of its rows is called. */
  readonly one: string;
  readonly changeIds: readonly number[];
}

export interface Undo {
  push(change: Undoable): void;
  /** The latest last. */
  all(): readonly Undoable[];
  /** Undoes a change, by default the latest. What fails stays and can be tried again. */
  undo(change?: Undoable): Promise<void>;
}

const maxChanges = 100;

export function undoStack(app: Pick<App, 'call' | 'say' | 'explain' | 'running' | 'refresh'>): Undo {
  let stack: readonly Undoable[] = [];
  return {
    push: (change) => (stack = [...stack, change].slice(-maxChanges)),
    all: () => stack,
    async undo(change = stack.at(-1)) {
      const running = app.running();
      if (running !== undefined) return app.say(running, 'note');
      if (change === undefined) return app.say('There is nothing to undo.', 'note');
      // Taken off at once: what is changed meanwhile lies above its place, and no change is undone twice.
      const at = stack.indexOf(change);
      if (at === -1) return app.say('That was undone already.', 'note');
      stack = stack.toSpliced(at, 1);
      let restored = 0;
      let left = 0;
      const todo = [...change.changeIds].reverse();
      try {
        for (let id = todo[0]; id !== undefined; todo.shift(), id = todo[0]) {
          const answer = await app.call('changes.undo', { change_id: id });
          restored += answer.restored;
          left += answer.left;
        }
        const kept = left === 0 ? '' : ` Kept ${left} that changed since.`;
        app.say(`Restored ${counted(restored, change.one)}.${kept}`);
      } catch (error) {
        stack = stack.toSpliced(at, 0, { ...change, changeIds: todo.reverse() });
        app.say(app.explain(error), 'failed');
      }
      app.refresh();
    },
  };
}

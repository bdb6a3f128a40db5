import { choiceDialog } from '../../dialogs/choice.tsx';
import type { KeptText } from '../../keep-text.ts';
import type { App } from '../../state/app.ts';

const choices = ['Copy it', 'Keep it in a file', 'Discard it'] as const;

/** The texts of replies whose conversations were deleted, which nobody can get any more. */
export interface OrphanedReplies {
  /** Offers to copy or to keep the text. */
  offer(visitorName: string, text: string): void;
  /** Returns the texts about which the user has not decided. */
  undecided(): readonly KeptText[];
}

export function orphanedReplies(app: App): OrphanedReplies {
  const undecided = new Set<KeptText>();
  const openWhenIdle = (open: () => void) => {
    if (app.store.get().dialogs.length === 0) return open();
    const stop = app.store.subscribe(() => {
      if (app.store.get().dialogs.length > 0) return;
      stop();
      open();
    });
  };
  return {
    offer(visitorName, text) {
      const kept: KeptText = { title: `reply to ${visitorName}`, text };
      undecided.add(kept);
      const dialog = choiceDialog(app, {
        title: `The conversation with ${visitorName} was deleted. Your unsent reply:`,
        options: choices,
        current: '',
        async onChoose(choice) {
          if (choice === 'Copy it') {
            if (!app.host.copy(text)) throw new Error('It is too long to copy. Keep it in a file.');
            app.showMessage('Copied the reply.');
          } else if (choice === 'Keep it in a file') {
            app.showMessage(`The reply is in ${await app.keepText(kept)}.`, 'note');
          }
          undecided.delete(kept);
        },
      });
      openWhenIdle(() => app.open(dialog));
    },
    undecided: () => [...undecided],
  };
}

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepText } from './keep-text.ts';
import type { App } from './state/app.ts';
import { screenIds } from './state/screen-types.ts';

/** What would be lost if the dashboard ended, and a place for it. */
export type Unsaved = Pick<App, 'keepText' | 'leftovers' | 'unsaved'>;

/** @param folder - where texts are kept; by default, in a new folder for temporary files */
export function collectUnsaved(app: App, folder: string | undefined): Unsaved {
  const ofScreens = <Part>(
    partsOf: (screen: App['screens'][keyof App['screens']]) => readonly Part[] | undefined,
  ) => screenIds.flatMap((id) => partsOf(app.screens[id]) ?? []);
  const drafts = () => ofScreens((screen) => screen.drafts?.());
  return {
    // A new folder: one of a known name in a directory that all share may be somebody else's.
    keepText: async (text) =>
      await keepText(folder ?? (await mkdtemp(join(tmpdir(), 'backoffice-kept-texts-'))), text),
    leftovers: (isForced) => [...ofScreens((screen) => screen.undecided?.()), ...(isForced ? drafts() : [])],
    unsaved() {
      const texts = [
        ...drafts().map(({ sentence }) => sentence),
        ...ofScreens((screen) => screen.unfinished?.()),
      ];
      // A text that is being sent is not saved either, and tells so itself.
      return texts.length > 0 ? texts : app.log.running(app.target).map((what) => `Not finished: ${what}.`);
    },
  };
}

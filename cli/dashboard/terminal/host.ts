import { FailedError } from '../../errors.ts';
import { sentenceOf } from '../../failures.ts';
import { hasBrowser, terminalMultiplexer } from '../../terminal/environment.ts';
import { keepText, type UnsavedText } from '../app/drafts.ts';
import { clipboardSequence } from './clipboard.ts';

/** What the dashboard reaches besides its screen. */
export interface Host {
  /** Where the web dashboard is, without a slash at the end. */
  readonly webUrl: string;
  /**
   * Opens a text in the user's editor, which gets the terminal until it ends, and returns what the user saved.
   *
   * @param suffix - the suffix of the file
   * @throws FailedError if the editor fails or the file is empty
   */
  edit(text: string, suffix: '.md' | '.json' | '.txt'): Promise<string>;
  /** Puts a text on the clipboard of the user's terminal, also over SSH. Reports whether it is short enough. */
  copy(text: string): boolean;
  /** Opens a page in the user's browser. Reports false if no browser would appear before the user. */
  browse(url: string): Promise<boolean>;
  /** Rings the bell of the terminal. */
  ring(): void;
  /** Writes a text that would be lost into a file, and returns its path. */
  keep(text: UnsavedText): Promise<string>;
}

/** Gives the terminal away while the work runs. */
export type Lend = (work: () => Promise<void>) => Promise<void>;

/**
 * Reaches the editor, the clipboard, the browser and the bell of the user.
 *
 * @param keepFolder - where texts are kept that would be lost
 */
export function createHost(webUrl: string, keepFolder: string, lend: Lend): Host {
  return {
    webUrl,
    async edit(text, suffix) {
      const { createEditedFile } = await import('../../input/editor.ts');
      const file = await createEditedFile(`text${suffix}`, text);
      let written = '';
      try {
        await lend(async () => {
          written = await file.edit();
        });
      } catch (error) {
        // The editor may have failed after it saved the text, or saved it in another encoding.
        const saved = await file.read().catch(() => undefined);
        if (saved !== '' && saved !== text) {
          throw new FailedError(`${sentenceOf(error)} What you wrote is in ${file.path}.`);
        }
        await file.remove();
        throw error;
      }
      await file.remove();
      if (written.trim() === '') throw new FailedError('The file was empty. The text is unchanged.');
      return written;
    },
    copy(text) {
      const sequence = clipboardSequence(text, terminalMultiplexer());
      if (sequence !== undefined) process.stdout.write(sequence);
      return sequence !== undefined;
    },
    async browse(url) {
      if (!hasBrowser()) return false;
      const { default: open } = await import('open');
      const browser = await open(url);
      // What a browser has to complain about would be lost on the screen.
      browser.on('error', () => {});
      return true;
    },
    ring: () => void process.stdout.write('\u0007'),
    keep: (text) => keepText(keepFolder, text),
  };
}

import { FailedError } from '../errors.ts';
import { sentenceOf } from '../failures.ts';
import { hasBrowser, terminalMultiplexer } from '../terminal/environment.ts';
import type { Host } from './state/host.ts';
import { clipboardSequence } from './terminal/clipboard.ts';

export interface HostOptions {
  readonly webUrl: string;
  /** Gives the terminal away while the work runs. */
  readonly lend: (work: () => Promise<void>) => Promise<void>;
}

/** Reaches the editor, the clipboard and the browser of the user. */
export function createHost({ webUrl, lend }: HostOptions): Host {
  return {
    webUrl,
    async edit(text, suffix) {
      const { createEditedFile } = await import('../input/editor.ts');
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
  };
}

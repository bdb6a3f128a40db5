import { cut } from '../terminal/cells.ts';
import { printable } from '../terminal/text.ts';
import type { App } from './state/app.ts';
import type { RowSubject } from './state/screen-types.ts';
import { maxCopiedBytes } from './terminal/clipboard.ts';

const tooLong = `This is too long for the clipboard of a terminal, which takes ${maxCopiedBytes / 1_000} kB.`;
/** The part of a copied text that the message shows. */
const shownCells = 60;

/** Returns the handlers of what can be done with the current row of every screen. */
export function rowActions(app: App, subject: () => RowSubject | undefined) {
  const withSubject = (work: (subject: RowSubject) => Promise<void> | void) => {
    const found = subject();
    if (found === undefined) app.showMessage('No row selected.', 'note');
    else void app.attempt(async () => work(found));
  };
  const copy = (text: string, name: string) => {
    const shown = cut(printable(text.replaceAll(/\s+/g, ' ')), shownCells);
    if (text === '') app.showMessage(`There is nothing to copy of ${name}.`, 'note');
    else if (app.host.copy(text)) app.showMessage(`Copied ${name}: ${shown}`);
    else app.showMessage(tooLong, 'failed');
  };
  return {
    'row.copy': () => withSubject(({ short: { text, name } }) => copy(text, name)),
    'row.copyWhole': () => withSubject(async ({ whole: { read, name } }) => copy(await read(), name)),
    'row.browse': () =>
      withSubject(async ({ page }) => {
        const url = app.host.webUrl + page;
        if (await app.host.browse(url)) return app.showMessage(`Opened ${url}`);
        // Over SSH a browser would open where nobody sees it.
        app.showMessage(
          `${app.host.copy(url) ? 'No browser here. Copied' : 'No browser here. Open'} ${url}`,
          'note',
        );
      }),
  };
}

import type { App } from '../app/app.ts';
import { type Action, action, type Dialog } from '../app/types.ts';
import type { Undoable } from '../app/undo.ts';
import { openHelp } from '../dialogs/help.ts';
import { openMenu, pickWord } from '../dialogs/menu.ts';
import { openPalette } from '../dialogs/palette.ts';
import { chooseTheme, type Theme } from '../draw/style.ts';

/** What the terminal does for the dashboard. */
export interface Around {
  quit(): void;
  redraw(): void;
  suspend(): unknown;
}

const themes: readonly Theme[] = ['dark', 'light'];

/** The actions that every screen has, and some of which every dialog has too. Within a text their characters are text. */
export function commonActions(app: App, { quit, redraw, suspend }: Around): readonly Action[] {
  let question: Dialog | undefined;
  const leave = () => {
    const lost = app.unfinished();
    // Asking for it twice is an answer.
    if (lost.length === 0 || (question !== undefined && app.dialog() === question)) quit();
    else question = app.confirm(`${lost.join(' ')} Quit?`, quit);
  };
  const turn = (by: number) => {
    const screens = app.screens();
    const next = screens[(screens.indexOf(app.screen()) + by + screens.length) % screens.length];
    if (next !== undefined) app.goTo(next);
  };
  const undone = () =>
    openMenu<Undoable>(app, {
      title: 'Changes that can be undone',
      find: () => app.undo.all().toReversed(),
      text: ({ what }) => what,
      take: app.undo.undo,
      empty: 'There is nothing to undo.',
    });
  const choose = (
    title: string,
    name: 'theme' | 'notify',
    words: readonly string[],
    apply = (_: string) => {},
  ) =>
    pickWord(app, title, words, app.preferences.get()[name] ?? words[0], (word) => {
      apply(word);
      redraw();
      return app.preferences.change((before) => ({ ...before, [name]: word }));
    });
  return [
    action('back', 'esc', { title: 'Go back', hint: 'back', everywhere: true }, app.back),
    action('undo', 'z', { title: 'Undo the last change' }, () => app.undo.undo()),
    action('changes', 'L', { title: 'List what can be undone' }, undone),
    action('palette', ':', { title: 'Run a command or go to a row', hint: 'commands' }, () =>
      openPalette(app),
    ),
    action('quit', 'q', { title: 'Quit', hint: 'quit' }, leave),
    action('help', '?', { title: 'Show the keys', hint: 'help', everywhere: true }, () => openHelp(app)),
    action('screen.next', 'tab', { title: 'Next screen' }, () => turn(1)),
    action('screen.previous', 'shift+tab', { title: 'Previous screen' }, () => turn(-1)),
    ...app.allScreens().map((screen, at) => {
      const { id, title, calls } = screen;
      const about = { title: `Go to ${title}`, ...(calls === undefined ? {} : { calls }) };
      return action(`screen.${id}`, String(at), about, () => app.goTo(screen));
    }),
    action('refresh', 'ctrl+r', { title: 'Refresh' }, app.refresh),
    action('theme', [], { title: 'Choose colours for a dark or a light background' }, () =>
      choose('Colours', 'theme', themes, (word) => chooseTheme(word as Theme)),
    ),
    action('notify', [], { title: 'Notify about new Critical issues and visitor messages' }, () =>
      choose('Notify about new Critical issues and visitor messages', 'notify', ['off', 'bell']),
    ),
    action('redraw', 'ctrl+l', { title: 'Draw everything again', everywhere: true }, redraw),
    action('leave', 'ctrl+c', { title: 'Quit from anywhere', everywhere: true }, leave),
    action('suspend', 'ctrl+z', { title: 'Suspend to the shell', everywhere: true }, suspend),
  ];
}

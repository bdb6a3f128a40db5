import type { App } from '../app/app.ts';
import type { Action, Dialog } from '../app/types.ts';
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
    { id: 'back', keys: ['esc'], title: 'Go back', hint: 'back', everywhere: true, run: app.back },
    { id: 'undo', keys: ['z'], title: 'Undo the last change', run: () => app.undo.undo() },
    { id: 'changes', keys: ['L'], title: 'List what can be undone', run: undone },
    {
      id: 'palette',
      keys: [':'],
      title: 'Run a command or go to a row',
      hint: 'commands',
      run: () => openPalette(app),
    },
    { id: 'quit', keys: ['q'], title: 'Quit', hint: 'quit', run: leave },
    {
      id: 'help',
      keys: ['?'],
      title: 'Show the keys',
      hint: 'help',
      everywhere: true,
      run: () => openHelp(app),
    },
    { id: 'screen.next', keys: ['tab'], title: 'Next screen', run: () => turn(1) },
    { id: 'screen.previous', keys: ['shift+tab'], title: 'Previous screen', run: () => turn(-1) },
    ...app.allScreens().map((screen, at) => ({
      id: `screen.${screen.id}`,
      keys: [String(at)],
      title: `Go to ${screen.title}`,
      ...(screen.calls === undefined ? {} : { calls: screen.calls }),
      run: () => app.goTo(screen),
    })),
    { id: 'refresh', keys: ['ctrl+r'], title: 'Refresh', run: app.refresh },
    {
      id: 'theme',
      keys: [],
      title: 'Choose colours for a dark or a light background',
      run: () => choose('Colours', 'theme', themes, (word) => chooseTheme(word as Theme)),
    },
    {
      id: 'notify',
      keys: [],
      title: 'Notify about new Critical issues and visitor messages',
      run: () => choose('Notify about new Critical issues and visitor messages', 'notify', ['off', 'bell']),
    },
    { id: 'redraw', keys: ['ctrl+l'], title: 'Draw everything again', everywhere: true, run: redraw },
    { id: 'leave', keys: ['ctrl+c'], title: 'Quit from anywhere', everywhere: true, run: leave },
    { id: 'suspend', keys: ['ctrl+z'], title: 'Suspend to the shell', everywhere: true, run: suspend },
  ];
}

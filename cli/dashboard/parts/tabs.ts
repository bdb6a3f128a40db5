import type { App } from '../app/app.ts';
import { type Action, action, type Screen } from '../app/types.ts';
import { style } from '../draw/style.ts';

export interface Tabbed extends Screen {
  /** Shows the tab of a title. Resolves when it is loaded. */
  filter(title: string): Promise<unknown>;
}

/** A screen of several, one of which is shown below their titles. @param more - actions that every tab has */
export function tabbedScreen(
  app: App,
  { id, title }: Pick<Screen, 'id' | 'title'>,
  tabs: readonly [Screen, ...Screen[]],
  more: (tab: Screen) => readonly Action[],
): Tabbed {
  let shown = tabs[0];
  const show = (tab: Screen) => {
    shown = tab;
    return app.attempt(() => tab.refresh());
  };
  const turn = (by: number) => show(tabs[(tabs.indexOf(shown) + by + tabs.length) % tabs.length] ?? tabs[0]);
  const actionsOf = (tab: Screen): readonly Action[] => [
    ...more(tab),
    ...tab.actions(),
    action(`${id}.next`, ['l', 'right'], { title: 'Next tab', hint: 'next tab' }, () => turn(1)),
    action(`${id}.previous`, ['h', 'left'], { title: 'Previous tab' }, () => turn(-1)),
  ];
  // A sign marks the shown one, for terminals without colours.
  const nameOf = (tab: Screen) =>
    tab === shown ? `▸${style.strong(tab.title)}` : ` ${style.quiet(tab.title)}`;
  return {
    id,
    title,
    keyboards: tabs.map((tab) => ({ title: tab.title, actions: () => actionsOf(tab) })),
    inDialogs: tabs.flatMap(({ inDialogs }) => inDialogs),
    actions: () => actionsOf(shown),
    draw: ({ width, height }) => [
      ` ${tabs.map(nameOf).join('  ')}`,
      ...shown.draw({ width, height: height - 1 }),
    ],
    position: () => shown.position(),
    back: () => shown.back(),
    refresh: (hasMissed) => shown.refresh(hasMissed),
    onEvents: (events) => shown.onEvents(events),
    unfinished: () => tabs.flatMap((tab) => tab.unfinished()),
    async filter(wanted) {
      const tab = tabs.find((each) => each.title === wanted);
      if (tab !== undefined) await show(tab);
    },
  };
}

import type { App } from '../state/app.ts';
import { changeLook, currentLook, type ThemeName, themeNames } from '../theme.ts';
import { choiceDialog } from './choice.tsx';

/** Asks for a theme, draws the dashboard in it, and remembers it. */
export function chooseTheme(app: App): void {
  app.open(
    choiceDialog(app, {
      title: 'Theme',
      options: themeNames,
      current: currentLook().theme,
      async onChoose(option) {
        const theme = option as ThemeName;
        changeLook({ theme });
        app.redraw();
        await app.preferences.change((before) => ({ ...before, theme }));
        app.showMessage(`The theme is ${theme}.`);
      },
    }),
  );
}

import { createTheme, type MantineColorScheme } from '@mantine/core';

const dialog = {
  // The page itself never scrolls. Locking it would add a <style> element, which the policy refuses.
  lockScroll: false,
  closeButtonProps: { 'aria-label': 'Close' },
  // A header within a dialog is no landmark of the page.
  attributes: { header: { role: 'none' } },
  // One Escape closes one dialog, also if that brings another one to the top.
  __handledEscapeEvents: new WeakSet<Event>(),
};

/** What is written in a field may run in either direction. */
const field = { attributes: { input: { dir: 'auto' } } };

export const theme = createTheme({
  primaryColor: 'blue',
  // The grey of Mantine's dark theme is warmer than the surfaces of theme.css.
  colors: {
    dark: [
      '#c9ced6',
      '#b4bbc5',
      '#8b95a1',
      '#646d79',
      '#3d444e',
      '#323841',
      '#262a31',
      '#1d2025',
      '#17191d',
      '#15171b',
    ],
  },
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.3' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Plain objects: `Drawer.extend` would load the component before it is used.
    Drawer: { defaultProps: dialog },
    // A menu has nothing but entries, and is in the landmark of the page.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, portalProps: { target: 'main' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Autocomplete: { defaultProps: field },
    Textarea: { defaultProps: field },
    TextInput: { defaultProps: field },
    Modal: { defaultProps: { ...dialog, centered: true } },
  },
});

/** The themes that a person can choose. */
export const themes: Readonly<Record<MantineColorScheme, string>> = {
  light: 'Light',
  dark: 'Dark',
  auto: 'System',
};

import type { MantineColorScheme } from '@mantine/core';

/** The themes that a person can choose. */
export const themes: readonly { readonly scheme: MantineColorScheme; readonly title: string }[] = [
  { scheme: 'light', title: 'Light' },
  { scheme: 'dark', title: 'Dark' },
  { scheme: 'auto', title: 'Like the system' },
];

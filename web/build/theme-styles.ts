import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import type { Plugin } from 'vite';
import { theme } from '../src/app/theme/theme.ts';

const id = 'virtual:theme.css';
const resolvedId = `\0${id}`;

/**
 * Writes the variables of Mantine's theme into a style sheet. Mantine itself would add `<style>` elements while the page
 * runs, which the policy of the page refuses.
 */
export function themeStyles(): Plugin {
  return {
    name: 'theme-styles',
    resolveId: (source) => (source === id ? resolvedId : undefined),
    load: (source) => (source === resolvedId ? styles() : undefined),
  };
}

function styles(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const { variables: shared, light, dark } = defaultCssVariablesResolver(merged);
  const variables = convertCssVariables({ variables: shared, light, dark }, ':root');
  const schemes = ['dark', 'light'].map(
    (scheme) => `:root[data-mantine-color-scheme="${scheme}"] { --mantine-color-scheme: ${scheme}; }`,
  );
  return [variables, ...schemes].join('\n');
}

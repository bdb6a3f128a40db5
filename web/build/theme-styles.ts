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
  const resolved = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  return convertCssVariables(resolved, ':root');
}

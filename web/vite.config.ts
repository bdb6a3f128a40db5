import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compress } from './build/compress.ts';
import { leanNouns } from './build/lean-nouns.ts';
import { operationsModule } from './build/operations-module.ts';
import { themeStyles } from './build/theme-styles.ts';

export default defineConfig({
  root: import.meta.dirname,
  // Relative, because a proxy may serve the dashboard under any path.
  base: './',
  plugins: [react(), themeStyles(), operationsModule(), leanNouns(), compress()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // The policy of the page allows no data URLs but those of images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    rolldownOptions: {
      output: {
        // A browser makes six requests at once, so what every page needs is one file, and small parts of most pages another.
        // What is large, such as lists to choose from, stays apart: a page can be seen without it.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            { name: 'parts', test: /web\/src\/(parts|kit)\//, minShareCount: 8 },
          ],
        },
      },
    },
  },
});

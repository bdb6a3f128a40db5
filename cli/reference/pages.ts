import { createProgram } from '../program.ts';
import { fillBlocks, renderBlocks } from './blocks.ts';
import { renderCommandPage } from './command-page.ts';
import { renderDashboardKeys } from './dashboard-keys.ts';
import { renderErrorsPage } from './errors-page.ts';

/** A page that `npm run reference` writes. */
export interface GeneratedPage {
  /** Relative to the root of the repository. */
  readonly path: string;
  /** Returns the page as it should be, given what it is now. */
  readonly render: (current: string) => Promise<string>;
}

const withBlocks = async (current: string) => fillBlocks(current, renderBlocks(await createProgram()));

export const generatedPages: readonly GeneratedPage[] = [
  { path: 'docs/cli.md', render: async () => renderCommandPage(await createProgram()) },
  { path: 'docs/errors.md', render: async () => renderErrorsPage() },
  {
    path: 'docs/dashboard.md',
    render: async (current) => fillBlocks(current, { keys: renderDashboardKeys() }),
  },
  { path: 'README.md', render: withBlocks },
  { path: 'docs/operations.md', render: withBlocks },
];

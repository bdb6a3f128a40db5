import type { Command } from 'commander';
import type { WebPage } from './web-page.ts';

/** Of commands that are no data yet: how a list is shown goes when they are. */
export function withShowOptions<C extends Command>(command: C, _page?: WebPage): C {
  return command;
}

export const withWebPage = withShowOptions;

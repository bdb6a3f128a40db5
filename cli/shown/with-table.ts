import type { Command } from 'commander';
import { withColumns, withListFormats } from '../output/formats.ts';
import type { ListOf } from '../output/rows/list-of.ts';
import { withShowOptions } from './present.ts';
import type { WebPage } from './web-page.ts';

/** Adds the options of every list that is a table: its formats, its columns, and how it is shown. */
export function withTable<C extends Command>(command: C, list: ListOf, page?: WebPage): C {
  return withShowOptions(withColumns(withListFormats(command, list)), page);
}

/** Adds the options of a list that has a form of its own for people. */
export function withLines<C extends Command>(command: C, list: ListOf, page?: WebPage): C {
  return withShowOptions(withListFormats(command, list), page);
}

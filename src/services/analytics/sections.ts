import type { OutputOf } from '../../contract/registry.ts';

/** The sections of the settings answer, each present. */
export type AnalyticsSections = {
  [Section in keyof OutputOf<'settings.show'>]-?: NonNullable<OutputOf<'settings.show'>[Section]>;
};

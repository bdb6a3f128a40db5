import { z } from 'zod';
import { type ViewKind, viewFilter } from '../views/saved-view.ts';
import { createSorting } from '../views/sorting.ts';

/** The views of the audit trail, which decide only about the filter. */
export const auditViews: ViewKind = {
  rows: 'records',
  columns: [],
  defaultColumns: [],
  sorting: createSorting<never>({}),
  builtIn: { All: {} },
  stored: { views: 'auditViews', first: 'defaultAuditView' },
};

export const savedAuditView = z.strictObject({ filter: viewFilter });

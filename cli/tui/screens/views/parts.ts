import type { View } from './saved-view.ts';

/** What decides which rows a list shows. */
export interface PartState {
  /** What was typed. It replaces the filter of the view. */
  readonly filter: string;
  /** The saved view that was chosen last. */
  readonly saved: View;
  /** The part that is shown: a status, all rows, or null for what the view filters. */
  readonly part: string | null;
}

/** The part with all rows, whatever the view filters. */
export const allRows = 'All';

/** Returns the parts that can be shown: the view, all rows, and those of each status. */
export function partsOf(
  statuses: readonly string[],
  { saved }: Pick<PartState, 'saved'>,
): readonly (string | null)[] {
  return [null, ...(saved.filter === '' ? [] : [allRows]), ...statuses];
}

/** Returns the part that shows all rows. */
export function wholePart({ saved }: Pick<PartState, 'saved'>): string | null {
  return saved.filter === '' ? null : allRows;
}

/** Returns the part after the one that is shown. */
export function nextPart(statuses: readonly string[], state: PartState): string | null {
  const parts = partsOf(statuses, state);
  return parts[(parts.indexOf(shownPart(state)) + 1) % parts.length] ?? null;
}

/** Returns the part that is really shown: what was typed replaces the filter of the view. */
export function shownPart({ filter, saved, part }: PartState): string | null {
  return part === null && filter !== '' && saved.filter !== '' ? allRows : part;
}

/** Returns the filter that applies, as it would be typed. */
export function effectiveFilter({ filter, saved, part }: PartState): string {
  if (part === null) return filter === '' ? saved.filter : filter;
  if (part === allRows) return filter;
  return `status:${part.toLowerCase().replaceAll(' ', '')} ${filter}`.trim();
}

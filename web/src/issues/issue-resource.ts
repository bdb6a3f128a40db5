import { issues as noun } from '../../../src/contract/fields/issues.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { issueStatuses } from '../../../src/contract/vocabulary.ts';
import type { IssueFilter } from '../app/addresses/searches.ts';
import { client } from '../app/data/client.ts';
import type { Entry } from '../app/palette/entries.ts';
import type { Suggestions } from '../form/field.tsx';
import { resource } from '../kit/resource.ts';
import type { AnyRow } from '../kit/rows.ts';

type Page = Extract<OutputOf<'issues.list'>, { issues: unknown }>;
export type Issue = Page['issues'][number] & Pick<AnyRow, 'isDeleted'>;
type IssueChange = InputOf<'issues.update'>['set'];

/** The API changes by at least one condition, and every issue has one of the statuses. */
const anyStatus: IssueFilter = { status: issueStatuses.join(',') };

/** The categories in use. */
export const categoryWords: Suggestions = {
  queryKey: ['issues', 'words', 'category'],
  queryFn: async ({ signal }) => {
    const statistics = await client.call('issues.list', { period: 'all' }, signal);
    return 'categoryCounts' in statistics ? statistics.categoryCounts.map(({ category }) => category) : [];
  },
};

export const issues = resource<Issue, IssueFilter, IssueChange>({
  noun,
  hasPeriod: true,
  suggest: { category: categoryWords },
  columns: [
    { field: 'id', title: 'No.' },
    { field: 'title', phone: 'title' },
    { field: 'severity', phone: 'start', width: '88px' },
    { field: 'status', phone: 'end' },
    { field: 'labels', from: 'wide' },
    { field: 'category', from: 'wide', width: 'minmax(96px, 0.2fr)' },
    { field: 'assignee_id', from: 'medium' },
    { field: 'created_at', title: 'Reported', from: 'narrow' },
  ],
  async read(filter, part, signal) {
    const input = { ...filter, ...part, include: 'assignee,labels' } as const;
    const page = (await client.call('issues.list', input, signal)) as Page;
    return { rows: page.issues, next: page.nextCursor ?? undefined, total: page.total };
  },
  async update(id, set, expected) {
    return (await client.call('issues.update', { ids: [id], set, expected })).change_id;
  },
  async updateMany(target, set) {
    if ('ids' in target) return await client.call('issues.update', { ids: [...target.ids], set });
    const hasConditions = Object.values(target.filter).some((value) => value !== undefined);
    const filter = hasConditions ? target.filter : anyStatus;
    return await client.call('issues.update', { ...target, filter, set });
  },
  remove: async (ids) => (await client.call('issues.delete', { id: ids.join(',') })).deleted,
});

type Named = Pick<Issue, 'id' | 'title' | 'status' | 'severity'>;

/** Returns the line of the palette that opens an issue. */
export const issueEntry = ({ id, title, status, severity }: Named): Entry => ({
  key: `issue ${id}`,
  label: title,
  description: `Issue ${id} · ${status} · ${severity}`,
  icon: 'issues',
  isThing: true,
  link: { to: '/issues', search: { issue: id } },
});

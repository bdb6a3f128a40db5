import type { IssuePeriod } from './vocabulary.ts';

const hour = 3_600_000;
const day = 24 * hour;

export const agePeriods = {
  hourly: '24 hours',
  daily: '30 days',
  weekly: '12 weeks',
  monthly: '365 days',
  all: 'All',
} as const satisfies Record<IssuePeriod, string>;

/** How far back the periods of the contract reach, in milliseconds. */
const reaches: Readonly<Record<IssuePeriod, number | undefined>> = {
  all: undefined,
  hourly: day,
  daily: 30 * day,
  weekly: 84 * day,
  monthly: 365 * day,
};

interface IssueAge {
  /** The label of contract 4.1, which sounds as if it included the younger ones. */
  readonly label: string;
  readonly name: string;
  readonly title: string;
  /** The youngest and the oldest of them, in milliseconds before now. */
  readonly from: number;
  readonly to: number | undefined;
}

/** Returns the ages within a period. None includes another: an issue is counted once. */
export function issueAgesOf(period: IssuePeriod): readonly IssueAge[] {
  const reach = reaches[period];
  const ages: readonly IssueAge[] = [
    { label: 'Last Hour', name: 'Last hour', title: 'In the last hour', from: 0, to: hour },
    { label: 'Last 24h', name: '1–24 hours', title: '1 to 24 hours ago', from: hour, to: day },
    { label: 'Last 7 Days', name: '1–7 days', title: '1 to 7 days ago', from: day, to: 7 * day },
    { label: 'Older', ...namesOfOlder(period), from: 7 * day, to: reach },
  ];
  return ages.filter(({ from }) => reach === undefined || from < reach);
}

function namesOfOlder(period: IssuePeriod): Pick<IssueAge, 'name' | 'title'> {
  if (period === 'all') return { name: 'Over 7 days', title: 'Over 7 days ago' };
  const start = period === 'weekly' ? 1 : 7;
  return { name: `${start}–${agePeriods[period]}`, title: `${start} to ${agePeriods[period]} ago` };
}

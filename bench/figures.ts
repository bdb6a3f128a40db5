import { compareEqualServers, compareRates } from './compare-rates.ts';
import { type Contender, startBaseline, startService } from './contender.ts';
import { type Request, uniqueText } from './load.ts';
import { type ListCost, measureLists } from './memory.ts';

/** One row of the results. */
export interface Figure {
  readonly name: string;
  /** The number of issues in the database. */
  readonly issues: number;
  readonly service: string;
  readonly baseline: string;
  readonly result: string;
  readonly target: string;
  readonly met: boolean;
}

/** The URLs of the databases by their number of issues. */
export type DatabaseUrls = ReadonlyMap<number, string>;

export const sizes = [10_000, 100_000, 1_000_000] as const;
/** A list short enough for any server to build in memory. */
export const shortList = 1_000;

const list: Request = { method: 'GET', path: '/api/admin/issues' };
const aggregate: Request = { method: 'GET', path: '/api/admin/issues?period=monthly' };
const adminsPage: Request = { method: 'GET', path: '/api/admin/admins?page=1&limit=10' };
/** Finds one issue in any database, by its words in another order. */
const search: Request = { method: 'GET', path: '/api/admin/issues?limit=50&q=z%C3%A9bra+cross' };
const newIssue: Request = {
  method: 'POST',
  path: '/api/admin/issues',
  body: JSON.stringify({
    title: 'Checkout button does nothing',
    category: 'Payments',
    severity: 'High',
    description: 'Nothing happens when the button is pressed, in any browser that we tried.',
    steps_to_reproduce: '1. Fill the cart\n2. Press Checkout',
  }),
};

/** Compares the short list with a baseline that maps rows: named columns, dates as `Date`, JSON made of objects. */
export async function compareShortList(databases: DatabaseUrls): Promise<Figure> {
  return await compare('list of 1,000 issues', databases, shortList, list, 1.2);
}

/** Compares the aggregate of the charts. */
export async function compareAggregate(databases: DatabaseUrls, size: number): Promise<Figure> {
  return await compare('aggregate', databases, size, aggregate, 0.6);
}

/** Compares a page of the list of admins. */
export async function compareAdminsPage(databases: DatabaseUrls, size: number): Promise<Figure> {
  return await compare('page of admins', databases, size, adminsPage, 0.5);
}

/** Compares creating an issue. Run it last, because it changes the number of issues. */
export async function compareNewIssue(databases: DatabaseUrls, size: number): Promise<Figure> {
  return await compare('new issue', databases, size, newIssue, 0.5);
}

/** Compares creating an issue with an `Idempotency-Key` and without one, on the same server. */
export async function compareKeyedIssue(databases: DatabaseUrls, issues: number): Promise<Figure> {
  const target = 0.6;
  const starting = startService(urlOf(databases, issues));
  return await withContenders([starting, starting], async (service) => {
    const sending = (header: string) => ({
      ...service,
      headers: { ...service.headers, [header]: uniqueText },
    });
    // Both send a header of the same length, which costs the client the same.
    const { subject, reference, ratio } = await compareRates(
      sending('idempotency-key'),
      sending('not-idempotency'),
      newIssue,
    );
    return {
      name: 'new issue with an Idempotency-Key, relative to one without',
      issues,
      service: `${subject.toFixed(0)}/s; without: ${reference.toFixed(0)}/s`,
      baseline: '',
      result: ratio.toFixed(2),
      target: `≥ ${target}`,
      met: ratio >= target,
    };
  });
}

async function compare(
  name: string,
  databases: DatabaseUrls,
  issues: number,
  request: Request,
  target: number,
): Promise<Figure> {
  const url = urlOf(databases, issues);
  return await withContenders([startService(url), startBaseline(url)], async (service, baseline) => {
    const result = await compareEqualServers(service, baseline, request);
    return {
      name,
      issues,
      service: `${result.subject.toFixed(0)}/s`,
      baseline: `${result.reference.toFixed(0)}/s`,
      result: result.ratio.toFixed(2),
      target: `≥ ${target}`,
      met: result.ratio >= target,
    };
  });
}

/** Compares the cost of the aggregate on the most issues with its cost on the fewest. */
export async function compareAggregateGrowth(databases: DatabaseUrls): Promise<Figure> {
  const [small, , large] = sizes;
  const contenders = [startService(urlOf(databases, large)), startService(urlOf(databases, small))] as const;
  return await withContenders(contenders, async (onLarge, onSmall) => {
    const { subject, reference, ratio } = await compareRates(onLarge, onSmall, aggregate);
    const growth = 1 / ratio;
    return {
      name: `aggregate, cost relative to ${small.toLocaleString('en')} issues`,
      issues: large,
      service: `${subject.toFixed(0)}/s; ${small.toLocaleString('en')} issues: ${reference.toFixed(0)}/s`,
      baseline: '',
      result: growth.toFixed(2),
      target: '≤ 2',
      met: growth <= 2,
    };
  });
}

/** Compares the cost of a search for a rare word among the most issues with its cost among the fewest. */
export async function compareSearchGrowth(databases: DatabaseUrls): Promise<Figure> {
  const [small, , large] = sizes;
  const contenders = [startService(urlOf(databases, large)), startService(urlOf(databases, small))] as const;
  return await withContenders(contenders, async (onLarge, onSmall) => {
    const { subject, reference, ratio } = await compareRates(onLarge, onSmall, search);
    const growth = 1 / ratio;
    return {
      name: `search for a rare word, cost relative to ${small.toLocaleString('en')} issues`,
      issues: large,
      service: `${subject.toFixed(0)}/s; ${small.toLocaleString('en')} issues: ${reference.toFixed(0)}/s`,
      baseline: '',
      result: growth.toFixed(2),
      target: '≤ 2',
      met: growth <= 2,
    };
  });
}

/** Measures the memory that whole lists need and how long they delay other requests. */
export async function measureLongList(databases: DatabaseUrls, issues: number): Promise<Figure> {
  const maxMemoryMb = 250;
  const url = urlOf(databases, issues);
  return await withContenders([startService(url), startBaseline(url)], async (service, baseline) => {
    const ofService = await measureLists(service, list.path, adminsPage.path);
    const ofBaseline = await measureLists(baseline, list.path, adminsPage.path);
    const describe = ({ peakMemoryMb, maxDelayMs }: ListCost) =>
      `${peakMemoryMb?.toFixed(0) ?? '?'} MB, other requests up to ${maxDelayMs.toFixed(0)} ms`;
    return {
      name: 'five whole lists, peak memory',
      issues,
      service: describe(ofService),
      baseline: describe(ofBaseline),
      result: `${ofService.peakMemoryMb?.toFixed(0) ?? '?'} MB`,
      target: `≤ ${maxMemoryMb} MB`,
      met: ofService.peakMemoryMb !== undefined && ofService.peakMemoryMb <= maxMemoryMb,
    };
  });
}

/** Returns the URL of the database with that many issues. */
export function urlOf(databases: DatabaseUrls, issues: number): string {
  const url = databases.get(issues);
  if (url === undefined) throw new Error(`No database has ${issues} issues.`);
  return url;
}

async function withContenders<T>(
  [starting, alsoStarting]: readonly [Promise<Contender>, Promise<Contender>],
  use: (a: Contender, b: Contender) => Promise<T>,
): Promise<T> {
  const [a, b] = await Promise.all([starting, alsoStarting]);
  try {
    return await use(a, b);
  } finally {
    await Promise.all([a.stop(), b.stop()]);
  }
}

import { type Contender, startFloor, startService } from './contender.ts';
import { duel, duelOfEquals } from './duel.ts';
import type { Request } from './load.ts';
import { measureLists } from './memory.ts';

/** One line of the results. */
export interface Figure {
  readonly name: string;
  /** How many issues the database has. */
  readonly issues: number;
  readonly service: string;
  readonly floor: string;
  readonly result: string;
  readonly target: string;
  readonly met: boolean;
}

/** The databases by their number of issues, as URLs. */
export type Databases = ReadonlyMap<number, string>;

export const sizes = [10_000, 100_000, 1_000_000] as const;
/** A list that is short enough to be mapped in memory by anybody. */
export const shortList = 1_000;

const list: Request = { method: 'GET', path: '/api/admin/issues' };
const aggregate: Request = { method: 'GET', path: '/api/admin/issues?period=monthly' };
const adminsPage: Request = { method: 'GET', path: '/api/admin/admins?page=1&limit=10' };
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

/** The short list against a floor that maps rows: `select *`, dates as `Date`, JSON made of objects. */
export async function compareShortList(databases: Databases): Promise<Figure> {
  return await compare('list of 1,000 issues', databases, shortList, list, 1.2);
}

export async function compareAggregate(databases: Databases, size: number): Promise<Figure> {
  return await compare('aggregate', databases, size, aggregate, 0.6);
}

export async function compareAdminsPage(databases: Databases, size: number): Promise<Figure> {
  return await compare('page of admins', databases, size, adminsPage, 0.5);
}

/** Changes the number of issues, so it comes last. */
export async function compareNewIssue(databases: Databases, size: number): Promise<Figure> {
  return await compare('new issue', databases, size, newIssue, 0.5);
}

async function compare(
  name: string,
  databases: Databases,
  issues: number,
  request: Request,
  target: number,
): Promise<Figure> {
  const url = urlOf(databases, issues);
  return await withContenders([startService(url), startFloor(url)], async (service, floor) => {
    const outcome = await duelOfEquals(service, floor, request);
    return {
      name,
      issues,
      service: `${outcome.challenger.toFixed(0)}/s`,
      floor: `${outcome.reference.toFixed(0)}/s`,
      result: outcome.ratio.toFixed(2),
      target: `≥ ${target}`,
      met: outcome.ratio >= target,
    };
  });
}

/** What the aggregate costs with the most issues, in terms of what it costs with the fewest. */
export async function compareAggregateGrowth(databases: Databases): Promise<Figure> {
  const [small, , large] = sizes;
  const contenders = [startService(urlOf(databases, large)), startService(urlOf(databases, small))] as const;
  return await withContenders(contenders, async (ofLarge, ofSmall) => {
    const outcome = await duel(ofLarge, ofSmall, aggregate);
    const growth = 1 / outcome.ratio;
    return {
      name: `aggregate, cost in terms of ${small.toLocaleString('en')} issues`,
      issues: large,
      service: `${outcome.challenger.toFixed(0)}/s, with ${small.toLocaleString('en')} ${outcome.reference.toFixed(0)}/s`,
      floor: '',
      result: growth.toFixed(2),
      target: '≤ 2',
      met: growth <= 2,
    };
  });
}

/** The memory that whole lists cost, and how long they keep other requests waiting. */
export async function measureLongList(databases: Databases, issues: number): Promise<Figure> {
  const limit = 250;
  const url = urlOf(databases, issues);
  return await withContenders([startService(url), startFloor(url)], async (service, floor) => {
    const own = await measureLists(service, list.path, adminsPage.path);
    const its = await measureLists(floor, list.path, adminsPage.path);
    const describe = ({ peakMemory, longestStall }: typeof own) =>
      `${peakMemory?.toFixed(0) ?? '?'} MB, others wait ${longestStall.toFixed(0)} ms`;
    return {
      name: 'five whole lists, peak memory',
      issues,
      service: describe(own),
      floor: describe(its),
      result: `${own.peakMemory?.toFixed(0) ?? '?'} MB`,
      target: `≤ ${limit} MB`,
      met: own.peakMemory !== undefined && own.peakMemory <= limit,
    };
  });
}

function urlOf(databases: Databases, issues: number): string {
  const url = databases.get(issues);
  if (url === undefined) throw new Error(`There is no database of ${issues} issues.`);
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

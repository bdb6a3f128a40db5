import { compareRates } from '../compare-rates.ts';
import { checkSameAnswer, type Request } from '../load.ts';
import { startBaseline, startService, withContenders } from '../servers/contender.ts';
import { atLeast, atMost, type Databases, type Figure, perSecond, ratesOf } from './figure.ts';

export const wholeList: Request = { method: 'GET', path: '/api/admin/issues' };
export const aggregate: Request = { method: 'GET', path: '/api/admin/issues?period=monthly' };
export const adminsPage: Request = { method: 'GET', path: '/api/admin/admins?page=1&limit=10' };
export const issuesPage: Request = { method: 'GET', path: '/api/admin/issues?limit=50' };
const conversations: Request = { method: 'GET', path: '/api/admin/conversations' };
const settings: Request = { method: 'GET', path: '/api/admin/settings' };

/** Compares the short list with a baseline that maps rows: named columns, dates as `Date`, JSON made of objects. */
export async function compareShortList(databases: Databases, issues: number): Promise<Figure> {
  return await compareReads(
    { name: 'list of 1,000 issues', request: wholeList, target: 1.5 },
    databases,
    issues,
  );
}

/** Compares the aggregate of the charts. */
export async function compareAggregate(databases: Databases, issues: number): Promise<Figure> {
  return await compareReads({ name: 'aggregate', request: aggregate, target: 0.6 }, databases, issues);
}

/** Compares a page of the list of admins. */
export async function compareAdminsPage(databases: Databases, issues: number): Promise<Figure> {
  return await compareReads({ name: 'page of admins', request: adminsPage, target: 0.45 }, databases, issues);
}

/** Compares a page of the list of issues. */
export async function compareIssuesPage(databases: Databases, issues: number): Promise<Figure> {
  return await compareReads(
    { name: 'page of 50 issues', request: issuesPage, target: 0.65 },
    databases,
    issues,
  );
}

/** Compares the whole list of conversations with a baseline that reads previews and unread counts from the messages. */
export async function compareConversations(databases: Databases, issues: number): Promise<Figure> {
  const name = `list of ${(issues / 10).toLocaleString('en')} conversations`;
  return await compareReads({ name, request: conversations, target: 1.5 }, databases, issues);
}

/** Compares the settings, with the costs and budgets of the month, with a page of admins on the same server. */
export async function compareSettings(databases: Databases, issues: number): Promise<Figure> {
  const service = await startService(await databases(issues));
  try {
    const { subject, reference, ratio } = await compareRates([service, settings], [service, adminsPage]);
    return atMost(6, 1 / ratio, {
      name: 'settings with 100,000 usage records in the month, cost relative to a page of admins',
      issues,
      service: `${perSecond(subject)}; page of admins: ${perSecond(reference)}`,
      baseline: '',
    });
  } finally {
    await service.stop();
  }
}

/** A request, and how many times as fast as its baseline the service must answer it. */
interface Read {
  readonly name: string;
  readonly request: Request;
  readonly target: number;
}

/**
 * Compares the rates at which the service and its baseline answer a request.
 *
 * @param meanwhile - does something to the database while they are measured
 */
export async function compareReads(
  { name, request, target }: Read,
  databases: Databases,
  issues: number,
  meanwhile: <T>(url: string, measure: () => Promise<T>) => Promise<T> = (_url, measure) => measure(),
): Promise<Figure> {
  const url = await databases(issues);
  return await withContenders([startService(url), startBaseline(url)], async (service, baseline) => {
    await checkSameAnswer(service, baseline, request);
    const comparison = await meanwhile(url, () => compareRates([service, request], [baseline, request]));
    return atLeast(target, comparison.ratio, { name, issues, ...ratesOf(comparison) });
  });
}

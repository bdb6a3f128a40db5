import { compareEqualServers, compareRates } from '../compare-rates.ts';
import type { Request } from '../load.ts';
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
  return await compare('list of 1,000 issues', databases, issues, wholeList, 1.5);
}

/** Compares the aggregate of the charts. */
export async function compareAggregate(databases: Databases, issues: number): Promise<Figure> {
  return await compare('aggregate', databases, issues, aggregate, 0.6);
}

/** Compares a page of the list of admins. */
export async function compareAdminsPage(databases: Databases, issues: number): Promise<Figure> {
  return await compare('page of admins', databases, issues, adminsPage, 0.6);
}

/** Compares a page of the list of issues. */
export async function compareIssuesPage(databases: Databases, issues: number): Promise<Figure> {
  return await compare('page of 50 issues', databases, issues, issuesPage, 0.65);
}

/** Compares the whole list of conversations with a baseline that reads previews and unread counts from the messages. */
export async function compareConversations(databases: Databases, issues: number): Promise<Figure> {
  const name = `list of ${(issues / 10).toLocaleString('en')} conversations`;
  return await compare(name, databases, issues, conversations, 2);
}

/** Compares the settings, with the costs and budgets of the month, with a page of admins on the same server. */
export async function compareSettings(databases: Databases, issues: number): Promise<Figure> {
  const service = await startService(await databases(issues));
  try {
    const { subject, reference, ratio } = await compareRates([service, settings], [service, adminsPage]);
    return atMost(4, 1 / ratio, {
      name: 'settings with 100,000 usage records in the month, cost relative to a page of admins',
      issues,
      service: `${perSecond(subject)}; page of admins: ${perSecond(reference)}`,
      baseline: '',
    });
  } finally {
    await service.stop();
  }
}

async function compare(
  name: string,
  databases: Databases,
  issues: number,
  request: Request,
  target: number,
): Promise<Figure> {
  const url = await databases(issues);
  return await withContenders([startService(url), startBaseline(url)], async (service, baseline) => {
    const comparison = await compareEqualServers(service, baseline, request);
    return atLeast(target, comparison.ratio, { name, issues, ...ratesOf(comparison) });
  });
}

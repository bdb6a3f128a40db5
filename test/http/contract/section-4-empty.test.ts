import { describe, expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

describe('a new database', () => {
  test('section 4.1: the list of issues is empty', async () => {
    expect(await backoffice.api.get('/issues')).toEqual({ status: 200, body: { issues: [] } });
  });

  test.for(['hourly', 'daily', 'weekly', 'monthly', 'all'])(
    'section 4.1: period=%s counts nothing',
    async (period) => {
      expect(await backoffice.api.get(`/issues?period=${period}`)).toEqual({
        status: 200,
        body: { severityData: [], severityTotals: [], statusCounts: [], categoryCounts: [], totalIssues: 0 },
      });
    },
  );

  test('section 4.4: the list of conversations is empty', async () => {
    expect(await backoffice.api.get('/conversations')).toEqual({ status: 200, body: { conversations: [] } });
  });

  test('section 4.6: settings is an empty object', async () => {
    const { body } = await backoffice.api.get('/settings');
    expect(body).toMatchObject({ settings: {}, tokenAlerts: [], scrapingErrors: [] });
  });

  test('section 4.8: the only admin is the caller', async () => {
    expect(await backoffice.api.get('/admins')).toMatchObject({
      status: 200,
      body: {
        admins: [{ email: backoffice.superadmin.email }],
        pagination: { page: 1, limit: 10, total: 1, totalPages: 1 },
      },
    });
  });
});

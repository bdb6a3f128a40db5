import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './generated/openapi-typescript.ts';
import { dataOf, type Report, title } from './report.ts';

type StreamedEvent = components['schemas']['Event'];
type Message = webhooks['issue.created']['post']['requestBody']['content']['application/json'];

export async function run(baseUrl: string, token: string): Promise<Report> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

  const create = async () => {
    const { data } = await client.POST('/api/admin/issues', {
      params: { header: { 'Idempotency-Key': 'openapi-typescript' } },
      body: { title, severity: 'High' },
    });
    if (data === undefined) throw new Error('The issue was not created.');
    return data.id;
  };
  const created = [await create(), await create()] as const;

  const listed = await client.GET('/api/admin/issues', { params: { query: { status: 'Open', limit: 10 } } });
  if (listed.data === undefined || !('issues' in listed.data)) throw new Error('There is no list.');
  const titles = listed.data.issues.map((issue) => issue.title);

  const bulk = await client.PATCH('/api/admin/issues', {
    body: { ids: [created[0]], set: { status: 'Resolved' } },
  });
  if (bulk.data === undefined) throw new Error('The issue was not changed.');
  const { matched, changed } = bulk.data;

  const wrong = await client.POST('/api/admin/issues', { body: { title: '' } });
  if (wrong.error === undefined) throw new Error('An issue without a title was accepted.');
  const text = 'error' in wrong.error ? wrong.error.error : wrong.error.detail;

  const event = await firstIssue(client);
  return {
    created,
    titles,
    change: { matched, changed },
    event,
    error: { status: wrong.response.status, text },
  };
}

async function firstIssue(client: ReturnType<typeof createClient<paths>>): Promise<Report['event']> {
  const { data } = await client.GET('/api/admin/events', {
    params: { query: { after: 0 } },
    parseAs: 'stream',
  });
  if (!data) throw new Error('There is no stream.');
  for await (const json of dataOf(data)) {
    const event = JSON.parse(json) as StreamedEvent;
    if (event.type === 'gap') continue;
    if (event.type === 'issue.created') {
      // @ts-expect-error An issue has no visitor.
      event.data.visitor_email;
      return { subject: event.subject_id, title: event.data.title, severity: event.data.severity };
    }
  }
  throw new Error('The stream has ended.');
}

/** What a receiver of webhooks does with a message whose signature it has verified. */
export function titleOf({ data }: Message): string {
  return data.data.title;
}

import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './generated/openapi-typescript.ts';
import { dataOf, type Report, reportOf, required, title } from './report.ts';

type StreamedEvent = components['schemas']['Event'];
type Message = webhooks['issue.created']['post']['requestBody']['content']['application/json'];

export function run(baseUrl: string, token: string): Promise<Report> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const path = '/api/admin/issues';
  return reportOf({
    async create() {
      const params = { header: { 'Idempotency-Key': 'openapi-typescript' } };
      const { data } = await client.POST(path, { params, body: { title, severity: 'High' } });
      return required(data).id;
    },
    async titles() {
      const { data } = await client.GET(path, { params: { query: { status: 'Open', limit: 10 } } });
      const list = required(data);
      return 'issues' in list ? list.issues.map((issue) => issue.title) : [];
    },
    async change(id) {
      const { data } = await client.PATCH(path, { body: { ids: [id], set: { status: 'Resolved' } } });
      const { matched, changed } = required(data);
      return { matched, changed };
    },
    async error() {
      const { error, response } = await client.POST(path, { body: { title: '' } });
      const problem = required(error);
      return { status: response.status, text: 'error' in problem ? problem.error : problem.detail };
    },
    async event() {
      const params = { query: { after: 0 } };
      const { data } = await client.GET('/api/admin/events', { params, parseAs: 'stream' });
      for await (const json of dataOf(required(data))) {
        const event = JSON.parse(json) as StreamedEvent;
        if (event.type !== 'issue.created') continue;
        // @ts-expect-error An issue has no visitor.
        event.data.visitor_email;
        return { subject: event.subject_id, title: event.data.title, severity: event.data.severity };
      }
      throw new Error('The stream has ended.');
    },
  });
}

/** What a receiver of webhooks does with a message whose signature it has verified. */
export function titleOf({ data }: Message): string {
  return data.data.title;
}

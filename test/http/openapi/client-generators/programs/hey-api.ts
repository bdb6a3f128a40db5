import { createClient } from './generated/hey-api/client/index.ts';
import {
  eventsFollow,
  issuesCreate,
  issuesList,
  issuesUpdate,
  type OnIssueCreatedWebhookPayload,
} from './generated/hey-api/index.ts';
import { type Report, reportOf, required, title } from './report.ts';

export function run(baseUrl: string, auth: string): Promise<Report> {
  const client = createClient({ baseUrl, auth });
  return reportOf({
    async create() {
      const headers = { 'Idempotency-Key': 'hey-api' };
      const { data } = await issuesCreate({ client, headers, body: { title, severity: 'High' } });
      return required(data).id;
    },
    async titles() {
      const { data } = await issuesList({ client, query: { status: 'Open', limit: 10 } });
      const list = required(data);
      return 'issues' in list ? list.issues.map((issue) => issue.title) : [];
    },
    async change(id) {
      const { data } = await issuesUpdate({ client, body: { ids: [id], set: { status: 'Resolved' } } });
      const { matched, changed } = required(data);
      return { matched, changed };
    },
    async error() {
      const { error, response } = await issuesCreate({ client, body: { title: '' } });
      return { status: required(response).status, text: required(error).error };
    },
    async event() {
      const { stream } = await eventsFollow({ client, query: { after: 0 } });
      for await (const event of stream) {
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
export function titleOf({ data }: OnIssueCreatedWebhookPayload): string {
  return data.data.title;
}

import { createClient } from './generated/hey-api/client/index.ts';
import {
  eventsFollow,
  issuesCreate,
  issuesList,
  issuesUpdate,
  type OnIssueCreatedWebhookPayload,
} from './generated/hey-api/index.ts';
import { type Report, title } from './report.ts';

export async function run(baseUrl: string, auth: string): Promise<Report> {
  const client = createClient({ baseUrl, auth });

  const create = async () => {
    const { data } = await issuesCreate({
      client,
      headers: { 'Idempotency-Key': 'hey-api' },
      body: { title, severity: 'High' },
    });
    if (data === undefined) throw new Error('The issue was not created.');
    return data.id;
  };
  const created = [await create(), await create()] as const;

  const { data: list } = await issuesList({ client, query: { status: 'Open', limit: 10 } });
  if (list === undefined || !('issues' in list)) throw new Error('There is no list.');
  const titles = list.issues.map((issue) => issue.title);

  const bulk = await issuesUpdate({ client, body: { ids: [created[0]], set: { status: 'Resolved' } } });
  if (bulk.data === undefined) throw new Error('The issue was not changed.');
  const { matched, changed } = bulk.data;

  const { error, response } = await issuesCreate({ client, body: { title: '' } });
  if (error === undefined || response === undefined)
    throw new Error('An issue without a title was accepted.');

  const { stream } = await eventsFollow({ client, query: { after: 0 } });
  for await (const event of stream) {
    if (event.type !== 'issue.created') continue;
    // @ts-expect-error An issue has no visitor.
    event.data.visitor_email;
    const { subject_id: subject, data } = event;
    return {
      created,
      titles,
      change: { matched, changed },
      event: { subject, title: data.title, severity: data.severity },
      error: { status: response.status, text: error.error },
    };
  }
  throw new Error('The stream has ended.');
}

/** What a receiver of webhooks does with a message whose signature it has verified. */
export function titleOf({ data }: OnIssueCreatedWebhookPayload): string {
  return data.data.title;
}

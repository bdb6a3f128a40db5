import type { Backoffice } from '../http/backoffice.ts';
import { payloads } from './payloads.ts';

/** Ids of what was made, for the addresses of pages. */
export interface HostileData {
  /** An issue with comments. */
  readonly issue: number;
  /** A conversation with all payloads as messages and comments. */
  readonly conversation: string;
  readonly webhook: number;
}

/** Writes each payload wherever a person or a program may write a text. */
export async function writeHostileData({
  superadmin: { client, id: admin },
  sql,
}: Backoffice): Promise<HostileData> {
  const first = await client.call('conversations.create', {
    visitor_email: 'first@example.com',
    visitor_name: payloads[0],
    subject: payloads[0],
    initial_message: payloads[0],
  });
  const conversation = first.conversation.id;
  await client.call('settings.update', {
    updates: Object.fromEntries(payloads.map((text) => [`text ${text}`, text])),
  });
  await client.call('tokenUsage.record', {
    records: payloads.map((model, index) => ({
      record_id: `${index}`,
      model,
      input_tokens: 1_000,
      output_tokens: 10,
    })),
  });
  await client.call('scrapingRuns.record', {
    runs: payloads.map((source, index) => ({
      run_id: `run ${index}`,
      source,
      errors: [{ message: source, url: source }],
    })),
  });
  let issue = 0;
  let webhook = 0;
  for (const [index, text] of payloads.entries()) {
    const made = await client.call('issues.create', {
      title: text,
      category: text,
      severity: text,
      description: text,
      steps_to_reproduce: text,
    });
    issue ||= made.id;
    await client.call('conversations.create', {
      visitor_email: `${index}@example.com`,
      visitor_name: text,
      subject: text,
      initial_message: text,
    });
    const sender_type = index % 2 === 0 ? 'visitor' : 'admin';
    await client.call('messages.create', { conversation_id: conversation, content: text, sender_type });
    await client.call('comments.create', { issue_id: issue, content: text });
    await client.call('comments.create', { conversation_id: conversation, content: text });
    await client.call('savedReplies.create', { shortcut: `reply${index}`, title: text, content: text });
    await client.call('tokens.create', { name: text, role: 'user' });
  }
  for (const description of payloads.slice(0, 20)) {
    const url = `https://example.com/?${encodeURIComponent(description)}`;
    const made = await client.call('webhooks.create', { url, description });
    webhook ||= made.webhook.id;
  }
  await sql('update admins set username = $1 where id = $2', [payloads[0], admin]);
  await sql(
    `insert into admins (id, email, username, otp_email, role)
     select 'hostile_' || n, n || '@example.com', text, n || '@example.com', 'user' from unnest($1::text[]) with ordinality as t (text, n)`,
    [payloads],
  );
  return { issue, conversation, webhook };
}

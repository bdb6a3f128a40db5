import type { IssueStatus } from '../../contract/vocabulary.ts';

// The rows that a seed adds. Times are ISO 8601 texts.

export interface SeedIssue {
  readonly title: string;
  readonly category: string;
  readonly severity: string;
  readonly description: string;
  readonly steps_to_reproduce: string;
  readonly status: IssueStatus;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SeedConversation {
  readonly id: string;
  readonly visitor_email: string;
  readonly visitor_name: string;
  readonly subject: string;
  readonly status: string;
  readonly created_at: string;
  /** The time of its latest message, so that the trigger on messages has nothing to update. */
  readonly updated_at: string;
}

export interface SeedMessage {
  readonly id: number;
  readonly conversation_id: string;
  readonly sender_type: 'visitor' | 'admin';
  readonly content: string;
  readonly ai_draft: string | null;
  readonly status: 'sent' | 'read';
  readonly created_at: string;
  readonly sent_by: string | null;
  readonly from_draft_of: number | null;
}

/** LIKE patterns for the subject of a conversation and the title of an issue that may be about the same problem. */
export interface SeedLink {
  readonly subject: string;
  readonly title: string;
}

/** A comment by somebody who has no account. */
export interface SeedComment {
  readonly author_name: string;
  readonly author_username: string;
  readonly content: string;
}

export interface SeedSavedReply {
  readonly shortcut: string;
  readonly title: string;
  readonly content: string;
}

export interface SeedUsage {
  readonly record_id: string;
  readonly occurred_at: string;
  readonly provider: string;
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  readonly succeeded: boolean;
  readonly created_at: string;
}

export interface SeedRun {
  readonly run_id: string;
  readonly source: string;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly started_at: string;
  readonly finished_at: string;
  readonly pages_succeeded: number;
  readonly pages_failed: number;
  readonly pages_blocked: number;
  readonly items_scraped: number;
}

export interface SeedRunError {
  readonly run_id: string;
  readonly error_key: string;
  readonly url: string;
  readonly code: string;
  readonly http_status: number | null;
  readonly message: string;
  readonly occurred_at: string;
}

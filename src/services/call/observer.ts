import type { PoolLoad } from '../../db/connection/connections.ts';

/**
 * How an attempt to sign in ended. `factor_due`: the password was right, and a second factor is asked for. `limited`: refused
 * without a look at the password, because of earlier failures.
 */
export const signInOutcomes = [
  'succeeded',
  'factor_due',
  'wrong_password',
  'wrong_factor',
  'limited',
] as const;

/** How an attempt to send something ended. One that failed is tried again; one that was given up is not. */
export const sendingOutcomes = ['succeeded', 'failed', 'given_up'] as const;
type SendingOutcome = (typeof sendingOutcomes)[number];

/** What happened to the mail of a reply. One that was deferred is tried again. */
export const replyOutcomes = ['sent', 'deferred', 'failed', 'bounced'] as const;

/** Is told what happens, to measure it. It has no methods if nobody reads the metrics. */
export interface Observer {
  onSignIn?(outcome: (typeof signInOutcomes)[number]): void;
  onDelivery?(outcome: SendingOutcome, ms: number): void;
  onMail?(outcome: SendingOutcome): void;
  onReply?(outcome: (typeof replyOutcomes)[number]): void;
  onJob?(task: string, outcome: 'succeeded' | 'failed', ms: number): void;
  /** Takes a function that returns the load of the job queue's connections, once they are open. */
  onJobPool?(load: () => PoolLoad): void;
  /** @param ms - the time from the commit of the first of the changes until all were published */
  onPublished?(changes: number, ms: number): void;
}

/** Receives errors, warnings and information for operators. */
export interface Log {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

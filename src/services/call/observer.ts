import type { PoolLoad } from '../../db/connection/connections.ts';

/** How an attempt to sign in ended. */
export type SignInOutcome =
  | 'succeeded'
  /** The password was right, and a second factor is asked for. */
  | 'factor_due'
  | 'wrong_password'
  | 'wrong_factor'
  /** Refused without a look at the password, because of earlier failures. */
  | 'limited';

/** How an attempt to send something ended. One that failed is tried again; one that was given up is not. */
export type SendingOutcome = 'succeeded' | 'failed' | 'given_up';

/** Is told what happens, to measure it. */
export interface Observer {
  onSignIn(outcome: SignInOutcome): void;
  onDelivery(outcome: SendingOutcome, ms: number): void;
  onMail(outcome: SendingOutcome): void;
  onJob(task: string, outcome: 'succeeded' | 'failed', ms: number): void;
  /** Takes a function that returns the load of the job queue's connections, once they are open. */
  onJobPool(load: () => PoolLoad): void;
  /** @param ms - the time from the commit of the first of the changes until all were published */
  onPublished(changes: number, ms: number): void;
}

const ignore = () => {};

/** The observer of a process whose metrics nobody reads. */
export const noObserver: Observer = {
  onSignIn: ignore,
  onDelivery: ignore,
  onMail: ignore,
  onJob: ignore,
  onJobPool: ignore,
  onPublished: ignore,
};

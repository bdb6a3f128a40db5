import type { ComponentType } from 'react';
import type { ActionId, Chain } from './keys/actions.ts';
import type { Store } from './store.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What keys go to: a screen, or a dialog above it. */
export interface Layer {
  /** Where its keys are looked up, as it is now. */
  chain(): Chain;
  perform(action: ActionId): void;
  /** Takes text, where text is being written. */
  write?(text: string): void;
  /** Tells when its chain, title or rows may be others, where they are not always the same. */
  readonly subscribe?: Store<object>['subscribe'];
  readonly View: ComponentType<Size>;
}

/** A dialog: it stands below the screen, which stays in sight. */
export interface Dialog extends Layer {
  title(): string;
  /** What sending it is called, where it is sent. */
  readonly verb?: string;
  /** How many rows it would like, its title not counted. */
  rows(width: number): number;
}

export const screenIds = [
  'issues',
  'charts',
  'conversations',
  'settings',
  'admins',
  'usage',
  'audit',
] as const;

export type ScreenId = (typeof screenIds)[number];

/** The type that stands for whatever may have happened. */
export const everything = 'everything';

/** Something that happened in the service: the type of the event and the id of its subject. */
export interface EventNotice {
  readonly type: string;
  readonly id: string | null;
}

export interface Screen extends Layer {
  readonly id: ScreenId;
  readonly title: string;
  /** One step back within the screen; false where there is none. */
  back(): boolean;
  /** Loads what is shown, for the first time or anew. Tells its failures itself. */
  refresh(): Promise<void>;
  /** Whether something that happened changes what it shows. */
  minds(type: string): boolean;
  /** What has been written and not sent, each as a sentence. */
  unsent?(): readonly string[];
}

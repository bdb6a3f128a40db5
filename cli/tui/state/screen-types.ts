import type { ComponentType } from 'react';
import type { Event } from '../../../src/contract/events/envelope.ts';
import type { Draft, KeptText } from '../keep-text.ts';
import type { ActionId } from '../keys/actions.ts';
import type { Chain } from '../keys/scopes.ts';
import type { Store } from './store.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What receives the keys: a screen, or a dialog above it. */
export interface Layer {
  /** Returns the scopes in which its keys are looked up now. */
  chain(): Chain;
  perform(action: ActionId): void;
  /** Takes text, while a text field has the focus. */
  write?(text: string): void;
  /** Reports that its chain, title or rows may have changed. Absent if they never change. */
  readonly subscribe?: Store<object>['subscribe'];
  readonly View: ComponentType<Size>;
}

/** A dialog, which is drawn below the screen, so that the screen stays visible. */
export interface Dialog extends Layer {
  title(): string;
  /** The footer's word for submitting it, if it can be submitted. */
  readonly verb?: string;
  /** The actions that make no sense in it now, so that the footer leaves them out. */
  readonly unhinted?: readonly ActionId[];
  /** What it asks, if more than one place must know. */
  readonly asks?: 'quit';
  /** Returns how many rows it needs without its title. */
  rows(width: number): number;
}

export const screenIds = [
  'overview',
  'issues',
  'charts',
  'conversations',
  'settings',
  'admins',
  'usage',
  'audit',
] as const;

export type ScreenId = (typeof screenIds)[number];

/** The event type that says that anything may have changed. */
export const anyEventType = 'everything';

/** An event of the service: its type, and the id of its subject. */
export interface EventNotice {
  readonly type: string;
  readonly id: string | null;
  /** The event itself, if it is a single one. */
  readonly event?: Event;
}

/** A short text that changes as the cursor moves. */
export interface Position {
  text(): string;
  readonly subscribe: Store<object>['subscribe'];
}

/** What can be copied of a row, and where the web dashboard shows it. */
export interface RowSubject {
  /** What identifies it, such as its link, and what that is called in a sentence. */
  readonly short: { readonly text: string; readonly name: string };
  readonly whole: { read(): Promise<string> | string; readonly name: string };
  /** The path of its page, with the search. */
  readonly page: string;
}

export interface Screen extends Layer {
  readonly id: ScreenId;
  readonly title: string;
  /** Where the cursor is in its list, for the last line. */
  readonly position?: Position;
  /** Goes one step back within the screen. Returns false if there is no step back. */
  back(): boolean;
  /** Loads what the screen shows, the first time or again. Never rejects: the screen shows its failures. */
  refresh(): Promise<void>;
  /** Reports whether an event of this type changes what the screen shows. */
  isAffectedBy(type: string): boolean;
  /** Receives every event, also while another screen is shown. */
  receive?(event: EventNotice): void;
  /** Returns what was written here and neither saved nor sent. */
  drafts?(): readonly Draft[];
  /** Returns a sentence for each other thing that quitting would stop, such as a change that is running. */
  unfinished?(): readonly string[];
  /** Returns texts that nobody can save or send any more, and about which the user has not decided. */
  undecided?(): readonly KeptText[];
  /** Shows only what a filter finds, such as `severity:high`, or a part of the screen by its name. */
  find?(filter: string): void;
  /** Shows a row that was found by its name or number. The key is that of `find-records.ts`. */
  showRecord?(key: string): void;
  /** Returns what a person calls the row with the key, if it is loaded. */
  nameOf?(key: string): string | undefined;
  /** Returns the current row, if there is one. */
  subject?(): RowSubject | undefined;
  /** Returns why the user may not change the current row, in a sentence; undefined if they may. */
  rowRefusal?(): string | undefined;
}

import type { LinkProps } from '@tanstack/react-router';

/** What a desktop notification says, and where it leads. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** A later notice with the same tag takes the place of an earlier one. */
  readonly tag: string;
  readonly link: Pick<LinkProps, 'to' | 'search'>;
}

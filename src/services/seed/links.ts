import type { SeedLink } from '../../db/seed/seed-rows.ts';

/** Pairs of a conversation's subject and the title of an issue that it may have caused. */
export const seedLinks: readonly SeedLink[] = [
  { subject: '%parcel%', title: 'Tracking link leads nowhere' },
  { subject: 'Parcel%', title: 'Parcel is shown as delivered' },
  { subject: 'Password', title: 'Password reset mail%' },
  { subject: 'Cannot sign in', title: 'Link in the password mail%' },
  { subject: 'Invoice%', title: 'Invoice%' },
];

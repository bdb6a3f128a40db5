import type { SeedLink } from '../../db/seed/seed-rows.ts';

/** What visitors write about and what is reported as an issue, where the one may come from the other. */
export const seedLinks: readonly SeedLink[] = [
  { subject: '%parcel%', title: 'Tracking link leads nowhere' },
  { subject: 'Parcel%', title: 'Parcel is shown as delivered' },
  { subject: 'Password', title: 'Password reset mail%' },
  { subject: 'Cannot sign in', title: 'Link in the password mail%' },
  { subject: 'Invoice%', title: 'Invoice%' },
];

import { z } from 'zod';

/** The roles of a session, the most powerful first (contract section 5). */
export const roles = ['superadmin', 'admin', 'user'] as const;

export const roleSchema = z.enum(roles);

export type Role = z.infer<typeof roleSchema>;

/** Contract 4.9: `superadmin` and `user` give themselves, anything else gives `admin`. */
export function toRole(value: unknown): Role {
  return value === 'superadmin' || value === 'user' ? value : 'admin';
}

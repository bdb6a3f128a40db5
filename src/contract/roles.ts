import { z } from 'zod';
import { type Role, roles } from './vocabulary.ts';

export const roleSchema = z.enum(roles);

/** Contract 4.9: `superadmin` and `user` give themselves, anything else gives `admin`. */
export function toRole(value: unknown): Role {
  return value === 'superadmin' || value === 'user' ? value : 'admin';
}

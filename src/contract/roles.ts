import { z } from 'zod';
import { type Role, roles } from './vocabulary.ts';

export const roleSchema = z.enum(roles);

/** Maps `superadmin` and `user` to themselves and anything else to `admin` (contract 4.9). */
export function toRole(value: unknown): Role {
  return value === 'superadmin' || value === 'user' ? value : 'admin';
}

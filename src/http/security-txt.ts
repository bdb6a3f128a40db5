import { Router } from 'express';

/** How long the contact holds from the day on which it is read. RFC 9116 recommends less than a year. */
const validDays = 180;

/** Serves `/.well-known/security.txt` (RFC 9116), if there is a contact. */
export function securityTxtRouter(contact: string | undefined): Router {
  const router = Router();
  if (contact === undefined) return router;
  router.get('/.well-known/security.txt', (_req, res) => {
    const expires = new Date();
    expires.setUTCHours(0, 0, 0, 0);
    expires.setUTCDate(expires.getUTCDate() + validDays);
    const text = `Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\n`;
    res.type('text/plain').send(text);
  });
  return router;
}

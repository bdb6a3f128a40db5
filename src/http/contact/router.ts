import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import type { BackofficeError } from '../../contract/errors.ts';
import { type ContactPage, contactKeys, readContactPage } from '../../contract/known-settings/contact.ts';
import { contactErrors, contactPath } from '../../contract/operations/contact.ts';
import { operationOf } from '../../contract/registry.ts';
import { toFailure } from '../../services/call/failure.ts';
import { execute } from '../../services/execute.ts';
import { allowOrigins, rejectCrossOrigin } from '../cors.ts';
import { brandingReader } from '../dashboard/branding.ts';
import { circumstancesOf, type OperationRouterOptions, operationRouter } from '../operation-router.ts';
import { requireStarted } from '../readiness.ts';
import { startDeadline } from '../requests/deadline.ts';
import { checkRequestHead } from '../requests/request-head.ts';
import { statusOf } from '../responses/problem.ts';
import { settingsReader } from '../settings-reader.ts';
import { emptyForm, formClock, problemsIn, readForm, type Typed, wrongEncoding } from './form.ts';
import { type ContactHtml, formPage, refusalPage, thanksPage } from './page.ts';

export interface ContactRouterOptions extends OperationRouterOptions {
  /** Newest first. They sign when a form is shown. */
  readonly secrets: readonly string[];
}

const formPath = '/contact';
const thanksPath = `${formPath}/thanks`;

const again = 'Your message was not sent.';
const refusals = {
  trapped: `${again} A field that people do not see was filled in. It is empty again: press Send once more.`,
  early: `${again} It came faster than people type. Wait a few seconds, then press Send once more.`,
  old: `${again} The form was open for too long. Press Send once more.`,
  wrong: `${again} Please correct what is marked below.`,
} as const;

/** Serves the contact page, and takes messages from forms of the website, while the setting `contact_page` is on. */
export function contactRouter(options: ContactRouterOptions): Router {
  const { services, sessions, readiness, secrets, timeoutMs } = options;
  const operation = operationOf('contact.create');
  const router = Router({ caseSensitive: true, strict: true });
  const { read: readSettings } = settingsReader(services.databases, contactKeys, readContactPage);
  const readBranding = brandingReader(services.databases);
  const clock = formClock(secrets);

  const enter: RequestHandler = async (_req, res, next) => {
    const page = await readSettings();
    if (!page.isOn) return next('router');
    res.locals.contact = page;
    next();
  };
  router.all([formPath, thanksPath, contactPath], enter, checkRequestHead);

  router.all(contactPath, shareWithOrigins, operationRouter(options));

  router.get(formPath, (req, res) => show(res, 200, emptyForm(req, clock.start())));

  router.get(thanksPath, async (_req, res) => sendPage(res, 200, thanksPage(await frameOf(res))));

  router.post(formPath, async (req, res) => {
    let typed: Typed | undefined;
    req.operation = operation.id;
    const fail = (error: unknown) => {
      void refuseWith(res, toFailure(operation, error, req.log), typed).catch(() => res.destroy());
    };
    startDeadline(req, res, { name: operation.id, fail, timeoutMs });
    try {
      rejectCrossOrigin(req, new Set(), contactErrors.otherOrigin);
      await requireStarted(readiness);
      const form = await readForm(req, res);
      typed = form.typed;
      const problems = problemsIn(typed);
      const age = clock.problemOf(typed.shown);
      if (age === 'old') typed = { ...typed, shown: clock.start() };
      const wrong = Object.keys(problems).length > 0 ? 'wrong' : form.isTrapped ? 'trapped' : age;
      if (wrong !== undefined) await show(res, 400, typed, { refusal: refusals[wrong], problems });
      else {
        const { shown: _shown, ...input } = typed;
        const caller = { authenticate: async () => null, readInput: async () => input };
        await execute(operation, { ...circumstancesOf(req, res, sessions), ...caller }, services);
        // Relative, for proxies that add a path.
        if (!res.headersSent) res.redirect(303, thanksPath.slice(1));
      }
      req.deadline.end();
    } catch (error) {
      req.deadline.fail(error);
    }
  });
  return router;

  async function frameOf(res: Response) {
    return { branding: await readBranding(), origins: contactOf(res).origins };
  }

  /** Shows the form, with what was typed. */
  async function show(res: Response, status: number, typed: Typed, wrong: Wrong = {}): Promise<void> {
    const { intro } = contactOf(res);
    sendPage(res, status, formPage(await frameOf(res), { intro, typed, ...wrong }));
  }

  /** Shows why a message was not taken, with what was typed if that could be read. */
  async function refuseWith(res: Response, error: BackofficeError, typed: Typed | undefined): Promise<void> {
    const { code, message, retryAfter } = error;
    if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
    const why = { rate_limited: whenAgain(retryAfter), unsupported_encoding: wrongEncoding.text };
    const refusal = `${again} ${why[code as keyof typeof why] ?? message}`;
    if (typed !== undefined) return await show(res, statusOf[code], typed, { refusal });
    if (!res.req.complete) res.setHeader('Connection', 'close');
    sendPage(res, statusOf[code], refusalPage(await frameOf(res), refusal));
  }
}

type Wrong = Pick<Parameters<typeof formPage>[1], 'refusal' | 'problems'>;

const contactOf = ({ locals }: Response) => locals.contact as ContactPage;

function whenAgain(seconds = 60): string {
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `Too many messages have come in. Your text is still below: press Send again in ${wait}.`;
}

function sendPage(res: Response, status: number, { html, policy }: ContactHtml): void {
  if (res.headersSent || res.destroyed) return;
  res.setHeader('Content-Security-Policy', policy);
  // The policy says who may show it in a frame. This header knows no origins.
  if (contactOf(res).origins.size > 0) res.removeHeader('X-Frame-Options');
  // Older browsers name the origin of a form only with a referrer.
  res.setHeader('Referrer-Policy', 'same-origin');
  res.setHeader('Cache-Control', 'no-store');
  res.status(status).type('html').send(html);
}

/** Lets pages of the origins in the settings send messages, without a cookie. Pages of others are refused. */
function shareWithOrigins(req: Request, res: Response, next: NextFunction): void {
  const { origins } = contactOf(res);
  Object.assign(res.locals, { corsOrigins: origins, otherOrigin: contactErrors.otherOrigin });
  allowOrigins(origins, sharing)(req, res, next);
}

const sharing = {
  credentials: false,
  methods: ['POST'],
  allowedHeaders: ['Content-Type'],
  exposedHeaders: ['Retry-After', 'X-Request-Id'],
};

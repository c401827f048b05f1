import * as z from 'zod';
import { TRIGGER_EMAIL_EXTENSION, readSmtpUrl } from './smtp-url.ts';

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * An origin, in the form that browsers use. It must use https, except on localhost, because secrets and session cookies
 * are sent to it.
 */
export const originSchema = z
  .url('must be an origin such as https://app.example.com')
  .transform((value) => new URL(value))
  .refine(
    (url) => url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL_HOSTS.has(url.hostname)),
    'must be https, or http on localhost',
  )
  .refine((url) => url.href === `${url.origin}/`, 'must be an origin without path, query, fragment or user')
  .transform((url) => url.origin);

/** An origin that is written exactly as browsers write it, because it is compared with the header Origin. */
const exactOriginSchema = z
  .string()
  .refine(
    (text) => originSchema.safeParse(text).data === text && !text.includes('*'),
    'must be an origin such as https://app.example.com, without a slash at its end and without *',
  );

export const originsSchema = z
  .array(exactOriginSchema, 'must be none or origins separated by commas')
  .max(50, 'must be at most 50 origins');

const ALLOWED_ORIGINS_MESSAGE =
  'must be none, or origins such as https://app.example.com and capacitor://localhost, separated by commas';

/**
 * Also the origins of pages inside an app of Capacitor or Ionic for iOS. No page of the web has such an origin, and
 * browsers let no page choose its `Origin`.
 */
export const allowedOriginsSchema = z
  .array(
    z.union(
      [exactOriginSchema, z.string().regex(/^(?:capacitor|ionic):\/\/[a-z0-9.-]+$/)],
      ALLOWED_ORIGINS_MESSAGE,
    ),
    ALLOWED_ORIGINS_MESSAGE,
  )
  .max(50, 'must be at most 50 origins');

/** Schemes that a browser handles itself, or that lead out of the app. */
const BROWSER_SCHEMES = new Set(
  'about blob chrome content data file filesystem ftp http https intent javascript mailto sms tel vbscript view-source ws wss'.split(
    ' ',
  ),
);

/** A URL of an app, such as myapp://paid. It has no query: a client may add any query to an allowed URL. */
const mobileUrlSchema = z
  .string()
  .regex(/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(?:\/[A-Za-z0-9._~-]+)*$/)
  .refine((address) => !BROWSER_SCHEMES.has(address.split(':')[0] ?? ''));

const RETURN_URLS_MESSAGE =
  'must be none, or origins such as https://app.example.com and app URLs such as myapp://paid';

export const returnUrlsSchema = z
  .array(z.union([exactOriginSchema, mobileUrlSchema], RETURN_URLS_MESSAGE), RETURN_URLS_MESSAGE)
  .max(50, 'must be at most 50 origins and app URLs');

/** Id of a Hosting site, which is a label of a domain name. */
export const hostingSiteSchema = z
  .string()
  .max(63, 'must be at most 63 characters long')
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'must be the id of a Hosting site');

export const hostingSitesSchema = z
  .array(hostingSiteSchema, 'must be project, none or ids of Hosting sites separated by commas')
  .max(50, 'must be at most 50 sites');

/** Name of a region of Google Cloud. Zones, such as us-central1-a, and multi-regions, such as us, are refused. */
export const regionSchema = z
  .string()
  .regex(/^[a-z]+-[a-z]+\d{1,2}$/, 'must be a region such as us-central1 or europe-west1');

/**
 * A path on the app's own origin. Browsers read `//host` and `/\host` as another host. A fragment is refused because no
 * query can be appended after it.
 */
export const appPathSchema = z
  .string()
  .regex(/^\/(?!\/)[^\s\\#]*$/, 'must be a path that starts with a single / and has no fragment');

const WIDTHS_MESSAGE = 'must be off or up to five widths in pixels from 16 to 4096, such as 200,800';

export const imageSizesSchema = z
  .array(z.int(WIDTHS_MESSAGE).min(16, WIDTHS_MESSAGE).max(4096, WIDTHS_MESSAGE), WIDTHS_MESSAGE)
  .max(5, WIDTHS_MESSAGE);

/** Text without the line break that some editors append. */
export const secretSchema = z.string().trim().min(1, 'must not be empty');

export const smtpUrlSchema = secretSchema.refine(
  (value) => value === TRIGGER_EMAIL_EXTENSION || readSmtpUrl(value) !== undefined,
  'must be smtps://user:password@host, smtp://user:password@host or the word extension',
);

/** An e-mail address, alone or as `Name <address>`. The name has no character that could start another address. */
export const senderSchema = z
  .string()
  .regex(
    /^(?:[^<>@,;:"\\\p{Cc}]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
    'must be Name <address> or an address',
  );

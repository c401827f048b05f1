import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { STYLE, STYLE_HASH } from './style.ts';

interface PageProps {
  title: string;
  children: ComponentChildren;
}

function Document({ title, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {/* Neither escaped nor indented, so that the hash in the policy matches. */}
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>
          <p class="badge">Local Stripe · no money moves</p>
          {children}
        </main>
      </body>
    </html>
  );
}

/**
 * A whole page. Its policy allows no script, no frame and nothing from outside. Forms lead to this server. A form whose
 * answer leads back to the app (`leadsTo`) has no such limit: browsers apply it to all redirects that follow, and the
 * app may redirect to another origin or to the link of a phone app.
 */
export function page(
  status: number,
  title: string,
  content: ComponentChildren,
  leadsTo: readonly (string | null)[] = [],
): Response {
  const formAction = leadsTo.some((url) => url !== null) ? '' : "form-action 'self'; ";
  const document = renderToString(<Document title={title}>{content}</Document>);
  return new Response(`<!doctype html>${document}`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; ${formAction}base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

interface Link {
  href: string;
  text: string;
}

/** A page with one message and a link. */
export function notice(status: number, title: string, message: string, link: Link | null): Response {
  return page(
    status,
    title,
    <>
      <h1>{title}</h1>
      <p>{message}</p>
      {link && <QuietLink {...link} />}
    </>,
  );
}

/** A link that looks like a button of less importance. */
export function QuietLink({ href, text }: Link) {
  return (
    <a class="button quiet" href={href}>
      {text}
    </a>
  );
}

/** Redirects to another page by GET. */
export function seeOther(url: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location: new URL(url).href, 'cache-control': 'no-store' },
  });
}

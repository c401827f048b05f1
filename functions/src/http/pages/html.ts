import { BRAND } from '@hearth/shared/brand';
import escapeHtml from 'escape-html';
import type { Response } from 'express';
import type { TitleAndText, PageTexts } from '../texts/words.ts';
import { PAGE_POLICY, STYLE } from './style.ts';

/** A link or a form that looks like a button. The first button of a page is highlighted. */
export interface PageLink {
  label: string;
  href: string;
  /** `post` for a form that changes something. By default a link. */
  method?: 'post';
}

/** The message of an error of an invitation link as a level-3 heading, and a paragraph with advice. */
export function htmlFragment(message: string, advice: string): string {
  return `<h3>${escapeHtml(message)}</h3>\n<p>${escapeHtml(advice)}</p>\n`;
}

export interface ErrorPage {
  message: string;
  /** The heading and the paragraph of the error, in HTML. */
  content: string;
  /** Address of the account that the visitor is signed in to; undefined if the page does not show it. */
  account?: string | undefined;
  links: readonly PageLink[];
}

export function htmlErrorPage(texts: PageTexts, { message, content, account, links }: ErrorPage): string {
  const signedIn =
    account === undefined ? '' : `<p>${texts.signedInAs(`<strong>${escapeHtml(account)}</strong>`)}</p>`;
  return wholePage(texts, message, `${content}${signedIn}${linksOf(texts, links)}`);
}

/** A level-1 heading and a paragraph, for all pages except errors of invitation links. */
export function titleWithText(message: string, advice: string): string {
  return `<h1>${escapeHtml(message)}</h1>\n<p>${escapeHtml(advice)}</p>\n`;
}

/** A page that confirms a change. */
export function htmlNotice(texts: PageTexts, { title, text }: TitleAndText): string {
  return wholePage(texts, title, titleWithText(title, text));
}

/** A page that asks a question and changes something only when its button is pressed. */
export function htmlForm(texts: PageTexts, form: TitleAndText & { button: string; action: string }): string {
  const { title, text, button, action } = form;
  return wholePage(
    texts,
    title,
    titleWithText(title, text) + actionsOf([{ label: button, href: action, method: 'post' }]),
  );
}

/** Sends a page made by this file. The policy allows the style of the page. */
export function sendPage(response: Response, html: string): void {
  response.set('Content-Security-Policy', PAGE_POLICY).type('html').send(html);
}

function linksOf(texts: PageTexts, links: readonly PageLink[]): string {
  const support = BRAND.supportUrl === null ? [] : [{ label: texts.support, href: BRAND.supportUrl }];
  return actionsOf([...links, ...support]);
}

function actionsOf(links: readonly PageLink[]): string {
  const buttons = links.map((link, index) => buttonOf(link, index === 0 ? 'button primary' : 'button'));
  return `<div class="actions">${buttons.join('\n')}</div>`;
}

function buttonOf({ label, href, method }: PageLink, style: string): string {
  const [address, text] = [escapeHtml(href), escapeHtml(label)];
  return method === undefined
    ? `<a class="${style}" href="${address}">${text}</a>`
    : `<form method="${method}" action="${address}"><button class="${style}">${text}</button></form>`;
}

function wholePage({ language }: PageTexts, title: string, main: string): string {
  const name = escapeHtml(BRAND.name);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${name}</title>
<style>${STYLE}</style>
</head>
<body>
<header><a href="/">${markOf(name)}</a></header>
<main>
${main}
</main>
</body>
</html>
`;
}

/**
 * The logo of the app; without a logo its name.
 *
 * @param name escaped already
 */
function markOf(name: string): string {
  if (BRAND.logoUrl === null) return name;
  return `<img src="${escapeHtml(BRAND.logoUrl)}" alt="${name}" height="28">`;
}

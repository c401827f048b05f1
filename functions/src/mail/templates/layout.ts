import { BRAND } from '@hearth/shared/brand';
import { PALETTE } from '@hearth/shared/palette';
import escapeHtml from 'escape-html';
import type { Language } from '../../settings/languages.ts';
import type { Message } from '../outbox.store.ts';
import type { MailTexts, Text, Words } from '../texts/words.ts';

/** A link with a label, below the button. */
export interface MailLink {
  label: string;
  url: string;
}

/** A mail before it is rendered: its texts and URLs. */
export interface MailContent {
  words: Words;
  /** The URL of the button. `words` has its label. */
  buttonUrl?: string;
  links?: readonly MailLink[];
}

/**
 * Renders a mail as HTML and as plain text, with the name, logo, accent color and legal links of the brand.
 *
 * Styles are inline, because some mail programs remove style sheets. The style sheet only adds dark colors.
 *
 * @param language of the words, for screen readers
 */
export function renderMail(content: MailContent, texts: MailTexts, language: Language): Message {
  return {
    subject: content.words.subject,
    text: renderText(content, texts),
    html: renderHtml(content, texts, language),
  };
}

function renderText({ words, buttonUrl, links = [] }: MailContent, texts: MailTexts): string {
  const { paragraphs, button, notes = [], reason } = words;
  const action = button !== undefined && buttonUrl !== undefined ? [`${button}:\n${buttonUrl}`] : [];
  const blocks = [
    texts.hello,
    ...paragraphs.map(plain),
    ...action,
    ...notes.map(plain),
    ...links.map(({ label, url }) => `${label}:\n${url}`),
    [`-- \n${reason}`, ...legalLinks(texts).map(({ label, url }) => `${label}: ${url}`)].join('\n'),
    ...(BRAND.postalAddress === null ? [] : [BRAND.postalAddress]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const { accent, onAccent } = PALETTE;

const SMALL = 'margin:12px 0 0;font-size:14px;color:#5f5a55';

const DARK = `
@media (prefers-color-scheme: dark) {
  body, .page { background: #161311 !important; }
  .card { background: #211d1a !important; }
  .card, h1 { color: #f4ede7 !important; }
  .small, .small a { color: #b8aba0 !important; }
  .brand { color: ${accent.dark} !important; }
  .button { background: ${accent.dark} !important; color: ${onAccent.dark} !important; }
}`;

function renderHtml(
  { words, buttonUrl, links = [] }: MailContent,
  texts: MailTexts,
  language: Language,
): string {
  const { subject, title, paragraphs, button, notes = [], reason } = words;
  const body = [
    ...paragraphs.map((text) => `<p style="margin:0 0 16px">${html(text)}</p>`),
    ...(button !== undefined && buttonUrl !== undefined ? [htmlButton(button, buttonUrl, texts.orOpen)] : []),
    ...notes.map((text) => `<p class="small" style="${SMALL}">${html(text)}</p>`),
    ...links.map((link) => `<p class="small" style="${SMALL}">${htmlLink(link)}</p>`),
  ];
  const legal = legalLinks(texts).map(htmlLink).join(' · ');
  const footer = [escapeHtml(reason), legal, escapeHtml(BRAND.postalAddress ?? '')].filter(
    (line) => line !== '',
  );
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK}
</style>
</head>
<body style="margin:0;background:#f6f2ee">
<div class="page" style="padding:24px 12px;background:#f6f2ee;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<div style="max-width:520px;margin:0 auto">
<div class="brand" style="margin:0 0 16px 4px;font-size:18px;font-weight:700;color:${accent.light}">${brandMark()}</div>
<div class="card" role="main" style="padding:28px 24px;background:#ffffff;color:#241d18;border-radius:12px;overflow-wrap:anywhere">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#241d18">${escapeHtml(title)}</h1>
${body.join('\n')}
</div>
${footer.map((line) => `<p class="small" style="margin:12px 4px 0;font-size:13px;color:#5f5a55">${line}</p>`).join('\n')}
</div>
</div>
</body>
</html>
`;
}

/** Shows the URL as text too, for programs that show no links and for people who check URLs. */
function htmlButton(label: string, url: string, orOpen: string): string {
  const style = `display:inline-block;padding:12px 22px;border-radius:8px;background:${accent.light};color:${onAccent.light};font-weight:600;text-decoration:none`;
  return `<p style="margin:24px 0"><a class="button" href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></p>
<p class="small" style="${SMALL}">${escapeHtml(orOpen)}<br>${escapeHtml(url)}</p>`;
}

function htmlLink({ label, url }: MailLink): string {
  return `<a href="${escapeHtml(url)}" style="color:#5f5a55">${escapeHtml(label)}</a>`;
}

function brandMark(): string {
  const name = escapeHtml(BRAND.name);
  if (BRAND.logoUrl === null) return name;
  return `<img src="${escapeHtml(BRAND.logoUrl)}" alt="${name}" height="40" style="border:0">`;
}

function legalLinks(texts: MailTexts): MailLink[] {
  const links = [
    { label: texts.support, url: BRAND.supportUrl },
    { label: texts.terms, url: BRAND.termsUrl },
    { label: texts.privacy, url: BRAND.privacyUrl },
  ];
  return links.filter((link): link is MailLink => link.url !== null);
}

function partsOf(text: Text) {
  return typeof text === 'string' ? [text] : text;
}

function plain(text: Text): string {
  return partsOf(text)
    .map((part) => (typeof part === 'string' ? part : part.strong))
    .join('');
}

function html(text: Text): string {
  return partsOf(text)
    .map((part) =>
      typeof part === 'string' ? escapeHtml(part) : `<strong>${escapeHtml(part.strong)}</strong>`,
    )
    .join('');
}

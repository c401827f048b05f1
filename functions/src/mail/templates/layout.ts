import escapeHtml from 'escape-html';

/** A complete HTML mail. Mail programs support inline styles only. @param body HTML */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#f6f6f4;color:#1d1d1b;font:16px/1.5 sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:8px">
${body}
</div>
</body>
</html>
`;
}

export function htmlButton(label: string, url: string): string {
  const style =
    'display:inline-block;padding:12px 20px;border-radius:6px;background:#1d1d1b;color:#fff;text-decoration:none';
  return `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`;
}

/** A day for people to read, in UTC because the reader's time zone is not known. */
export function formatDay(date: Date): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

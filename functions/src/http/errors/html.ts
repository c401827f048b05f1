import escapeHtml from 'escape-html';

/** A page with an error, advice and a link back, for a browser that was being redirected. */
export function htmlPage(message: string, back: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(message)}</title>
<h1>${escapeHtml(message)}</h1>
<p>Please try again later or contact support.</p>
<p><a href="${escapeHtml(back)}">Back</a></p>
</html>
`;
}

/** The error of an invitation link: the message as a level-3 heading, then advice. */
export function htmlFragment(message: string): string {
  return `<h3>${escapeHtml(message)}</h3>\n<p>Please try again later or contact support.</p>\n`;
}

/** A page that asks a question and changes something only when its button is pressed. */
export function htmlForm(form: { title: string; text: string; button: string; action: string }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(form.title)}</title>
<h1>${escapeHtml(form.title)}</h1>
<p>${escapeHtml(form.text)}</p>
<form method="post" action="${escapeHtml(form.action)}"><button>${escapeHtml(form.button)}</button></form>
</html>
`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes text safe inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** What a failed invitation link shows: the message as a level-3 heading, then where to turn. */
export function htmlFragment(message: string): string {
  return `<h3>${escapeHtml(message)}</h3>\n<p>Please try again later or contact support.</p>\n`;
}

/** The id of what Stripe tells as an id, or as an object where it was expanded. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}

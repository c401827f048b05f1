/** @returns a function that returns true once the time is over */
export function timerOf({ now }: { readonly now: () => Date }, ms: number): () => boolean {
  const endsAt = now().getTime() + ms;
  return () => now().getTime() >= endsAt;
}

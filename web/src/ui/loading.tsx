export function Loading({ what = '' }: { what?: string }) {
  return (
    <p class="loading" role="status">
      Loading{what === '' ? '' : ` ${what}`}…
    </p>
  );
}

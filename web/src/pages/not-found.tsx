/** Shown for an address without a page. Hosting answers such an address with 404.html, which has the same text. */
export function Page() {
  return (
    <div class="hero">
      <p class="eyebrow">404</p>
      <h1>There is nothing here</h1>
      <p class="lead">The address may be mistyped, or the page has moved.</p>
      <p class="actions">
        <a class="button primary" href="/">
          Go to the start
        </a>
      </p>
    </div>
  );
}

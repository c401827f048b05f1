import domain from 'node:domain';

/**
 * Makes the Functions Framework serve requests without domains. With a domain, Node calls hooks for every promise,
 * timer and socket of the process. The hooks take more than half of a request's processor time.
 *
 * Without a domain, an exception in a callback ends the process. The framework answers the latest request with 500, and
 * cuts off all other requests. Call this only in processes of HTTP functions: for an event, the framework needs the
 * domain.
 *
 * https://nodejs.org/api/domain.html
 */
export function skipNodeDomains(): void {
  Object.assign(domain, { create: noDomain });
}

/** The methods of a domain that the framework calls for a request. */
function noDomain() {
  return {
    on: () => undefined,
    run: (work: () => void) => {
      work();
    },
  };
}

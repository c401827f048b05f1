import domain from 'node:domain';

/**
 * Makes the Functions Framework serve requests without domains. By default the framework makes a domain for each
 * request. From the first domain on, Node calls hooks for every promise, timer and socket of the process. The hooks
 * take more than half of a request's processor time.
 *
 * With a domain the process continues after an exception in a callback. Without a domain the framework answers 500 and
 * ends the process, as after an unhandled rejection. Only for a process that serves an HTTP function: for an event, the
 * framework itself uses the domain.
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

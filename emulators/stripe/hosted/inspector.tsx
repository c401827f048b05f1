import type { RequestLog } from '../control/request-log.ts';
import type { Route } from '../http/router.ts';
import type { World } from '../world.ts';
import { page, seeOther } from './page.tsx';

const PATH = '/_emulator';

interface Inspected {
  world: World;
  log: RequestLog;
  reset: () => void;
}

/** The page for developers: the state, the recent requests to the API and a button that resets both. */
export function inspectorRoutes(inspected: Inspected): Route[] {
  return [
    { method: 'GET', path: PATH, handle: () => show(inspected) },
    {
      method: 'POST',
      path: PATH,
      handle: () => {
        inspected.reset();
        return seeOther(inspected.world.origin + PATH);
      },
    },
  ];
}

function show({ world, log }: Inspected): Response {
  const { recent, total } = log.report();
  return page(
    200,
    'Inspector',
    <>
      <h1>Inspector</h1>
      <p class="soft">{new Date(world.now() * 1000).toISOString()}</p>
      <form method="post" action={PATH}>
        <button type="submit">Reset</button>
      </form>
      <h2>State</h2>
      {[...world.state.collections()].map(([name, rows]) => (
        <details key={name}>
          <summary>
            {name} ({rows.size})
          </summary>
          <pre>{JSON.stringify([...rows], null, 2)}</pre>
        </details>
      ))}
      <h2>Requests</h2>
      <p>{total} in all</p>
      <ul>
        {recent.toReversed().map(({ method, path, status }) => (
          <li>
            {method} {path} {status ?? ''}
          </li>
        ))}
      </ul>
    </>,
  );
}

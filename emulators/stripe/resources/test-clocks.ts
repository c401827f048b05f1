import { InvalidParameter, noSuchObject } from '../api/errors.ts';
import { page, pageParams } from '../api/list.ts';
import { operation } from '../api/operation.ts';
import { integer, required, text } from '../api/parameters/params.ts';
import { runDueChanges } from '../billing/elapse.ts';
import type { TestClock } from '../objects.ts';
import { emit, newId } from '../world.ts';
import type { Scope, World } from '../world.ts';
import { deleteCustomer } from './customers/customer-object.ts';

const LIST = { url: '/v1/test_helpers/test_clocks', noun: 'test_clock' };
const LIFETIME = 30 * 24 * 60 * 60;

/** Moves a clock and runs everything that is due by then for its objects. */
function advance(scope: Scope, clock: TestClock, until: number): TestClock {
  if (until <= clock.frozen_time) {
    throw new InvalidParameter(
      'The clock can only be advanced to a time after its frozen_time.',
      'frozen_time',
    );
  }
  const advancing: TestClock = {
    ...clock,
    status: 'advancing',
    status_details: { advancing: { target_frozen_time: until } },
  };
  emit(scope, 'test_helpers.test_clock.advancing', advancing);
  runDueChanges(scope, clock.id, until);
  const ready = scope.state.testClocks.patch(clock.id, { frozen_time: until });
  emit(scope, 'test_helpers.test_clock.ready', ready);
  return advancing;
}

function remove(scope: Scope, clock: TestClock): object {
  const { state } = scope;
  for (const customer of state.customers.where(({ test_clock: id }) => id === clock.id)) {
    deleteCustomer(scope, customer);
  }
  state.testClocks.remove(clock.id);
  emit(scope, 'test_helpers.test_clock.deleted', clock);
  return { id: clock.id, object: 'test_helpers.test_clock', deleted: true };
}

/** https://docs.stripe.com/api/test_clocks */
export const testClockOperations = [
  operation({
    method: 'POST',
    path: '/v1/test_helpers/test_clocks',
    params: { frozen_time: required(integer(0)), name: text(300) },
    unsupported: ['customer'],
    run: ({ scope, params: { frozen_time: frozen, name = null } }) => {
      const clock: TestClock = {
        id: newId('clock'),
        object: 'test_helpers.test_clock',
        created: scope.now(),
        deletes_after: scope.now() + LIFETIME,
        frozen_time: frozen,
        livemode: false,
        name,
        status: 'ready',
        status_details: {},
      };
      scope.state.testClocks.insert(clock);
      emit(scope, 'test_helpers.test_clock.created', clock);
      return clock;
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/test_helpers/test_clocks',
    params: pageParams,
    run: ({ scope, params }) => page(scope.state.testClocks, () => true, params, LIST),
  }),
  operation({
    method: 'GET',
    path: '/v1/test_helpers/test_clocks/:id',
    params: {},
    run: ({ scope, id }) => requestedClock(scope, id),
  }),
  operation({
    method: 'POST',
    path: '/v1/test_helpers/test_clocks/:id/advance',
    params: { frozen_time: required(integer(0)) },
    run: ({ scope, id, params }) => advance(scope, requestedClock(scope, id), params.frozen_time),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/test_helpers/test_clocks/:id',
    params: {},
    run: ({ scope, id }) => remove(scope, requestedClock(scope, id)),
  }),
];

function requestedClock({ state }: World, id: string): TestClock {
  const clock = state.testClocks.get(id);
  if (!clock) throw noSuchObject('test_clock', id);
  return clock;
}

import { asksForAppCheck } from '../http/guards.ts';
import type { Route } from '../http/route.ts';
import { statusOf, type RefusalCode } from '../refusals/refusals.ts';

/** The codes with which a route may refuse: the codes of its guards and validation, and the codes that it declares. */
export function refusalsOf(route: Route): RefusalCode[] {
  return [
    ...new Set<RefusalCode>([
      'internal',
      'document_damaged',
      ...BODY,
      ...ofAuthentication(route),
      ...ofLimits(route),
      ...(asksForAppCheck(route) ? APP_CHECK : []),
      ...ofLink(route),
      ...(route.refusals ?? []),
    ]),
  ];
}

/** The codes of a route by status. */
export function refusalsByStatus(route: Route): ReadonlyMap<number, RefusalCode[]> {
  return Map.groupBy(refusalsOf(route), statusOf);
}

const APP_CHECK: readonly RefusalCode[] = ['app_check_required', 'app_check_failed', 'app_check_unavailable'];

/** Every route reads a body, even if it does not need one, and refuses malformed JSON. */
const BODY: readonly RefusalCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];

const hasUnsafeMethod = ({ method }: Route) => method !== 'get';

/** The look-ups of each user in Firebase Auth are limited. */
const USER: readonly RefusalCode[] = ['unauthenticated', 'too_many_requests', 'auth_unavailable', 'busy'];

function ofAuthentication(route: Route): RefusalCode[] {
  const { access = 'user', ownOrigin = false } = route;
  const isPublic = access === 'public';
  return [
    ...(isPublic ? [] : USER),
    ...(ownOrigin || (!isPublic && hasUnsafeMethod(route)) ? (['foreign_origin'] as const) : []),
    ...ofOperators(route),
  ];
}

/** During an impersonation an operator can only read, apart from routes that allow more. */
function ofOperators(route: Route): RefusalCode[] {
  const { access = 'user', operatorsOnly = false, impersonation } = route;
  if (operatorsOnly) return ['not_found', 'recent_sign_in_required'];
  const writes = access !== 'public' && (hasUnsafeMethod(route) || route.linkGuard !== undefined);
  return writes && impersonation === undefined ? ['impersonation_not_allowed'] : [];
}

function ofLimits({ limits = [] }: Route): RefusalCode[] {
  return limits.length > 0 ? ['too_many_requests'] : [];
}

const OF_LINKS: Readonly<Record<NonNullable<Route['linkGuard']>, readonly RefusalCode[]>> = {
  'tab-only': ['not_a_navigation'],
  'no-prefetch': ['prefetch'],
  'confirm-if-cross-site': ['prefetch', 'other_site'],
};

function ofLink({ linkGuard }: Route): RefusalCode[] {
  return linkGuard === undefined ? [] : [...OF_LINKS[linkGuard], 'method_not_allowed'];
}

/** The roles of a member of a team, from most to least powerful. */
export const ROLES = ['owner', 'admin', 'member'] as const;

export type Role = (typeof ROLES)[number];

/** The actions on a team, each with the roles that may do it. `firestore.rules` repeats a part of this table. */
const ALLOWED = {
  'team:read': ['owner', 'admin', 'member'],
  'team:update': ['owner', 'admin'],
  'team:transfer': ['owner'],
  'team:delete': ['owner'],
  'transfer:reply': ['owner', 'admin', 'member'],
  'member:list': ['owner', 'admin', 'member'],
  'member:update': ['owner', 'admin'],
  'member:remove': ['owner', 'admin'],
  'member:leave': ['owner', 'admin', 'member'],
  'invitation:list': ['owner', 'admin'],
  'invitation:create': ['owner', 'admin'],
  'invitation:resend': ['owner', 'admin'],
  'invitation:cancel': ['owner', 'admin'],
  'upload:read': ['owner', 'admin', 'member'],
  'upload:create': ['owner', 'admin', 'member'],
  'upload:delete': ['owner', 'admin'],
  'usage:report': ['owner', 'admin', 'member'],
  'audit:read': ['owner', 'admin'],
  'billing:manage': ['owner', 'admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ALLOWED;

export const ACTIONS = Object.keys(ALLOWED) as Action[];

/** True if the role allows the action. */
export function can(role: Role, action: Action): boolean {
  return (ALLOWED[action] as readonly Role[]).includes(role);
}

/** True if `handled` is not above `role`. A member with `role` may give, change and remove only such roles. */
export function isAtLeast(role: Role, handled: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(handled);
}

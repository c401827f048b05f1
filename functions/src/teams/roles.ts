/** From most to least powerful. */
export const ROLES = ['owner', 'admin', 'member'] as const;

export type Role = (typeof ROLES)[number];

/** Who may do what in a team: the only place that says so. */
const ALLOWED = {
  'invitation:create': ['owner', 'admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ALLOWED;

export function can(role: Role, action: Action): boolean {
  return (ALLOWED[action] as readonly Role[]).includes(role);
}

/** Nobody hands out a role above their own. */
export function canGrant(granter: Role, granted: Role): boolean {
  return ROLES.indexOf(granter) <= ROLES.indexOf(granted);
}

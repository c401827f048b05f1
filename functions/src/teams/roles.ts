/** From most to least powerful. */
export const ROLES = ['owner', 'admin', 'member'] as const;

export type Role = (typeof ROLES)[number];

/** Who may do what in a team: the only place that says so. */
const ALLOWED = {
  'team:read': ['owner', 'admin', 'member'],
  'team:update': ['owner', 'admin'],
  'team:transfer': ['owner'],
  'team:delete': ['owner'],
  'transfer:answer': ['owner', 'admin', 'member'],
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
  'audit:read': ['owner', 'admin'],
  'billing:manage': ['owner', 'admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ALLOWED;

export const ACTIONS = Object.keys(ALLOWED) as Action[];

export function can(role: Role, action: Action): boolean {
  return (ALLOWED[action] as readonly Role[]).includes(role);
}

/** Nobody hands out, changes or takes away a role above their own. */
export function canHandle(role: Role, handled: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(handled);
}

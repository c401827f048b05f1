/** The roles of a member, from most to least powerful. This file loads no library, because the web app bundles it. */
export const ROLES = ['owner', 'admin', 'member'] as const;

export type Role = (typeof ROLES)[number];

/** The path of a route in the form of Express: `/api/auth/teams/:teamId`. */
export function expressPathOf({ path }: { readonly path: string }): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

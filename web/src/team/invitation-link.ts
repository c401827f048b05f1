/** The parameter of an invitation link: the id of the invitation, and the secret if the link has one. */
const PARAMETER = /^[0-9a-f]{40}(\.[0-9a-f]{40})?$/;

export function isLinkParameter(text: string): boolean {
  return PARAMETER.test(text);
}

/** True for the parameter of a link with a secret, by which the backend describes the invitation. */
export function hasLinkSecret(text: string): boolean {
  return isLinkParameter(text) && text.includes('.');
}

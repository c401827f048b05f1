export const TEAM = {};

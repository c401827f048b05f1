export const DASHBOARD = {};

import { createHearthClient } from '@hearth/client';

/** The backend, to which the session cookie speaks for the user. */
export const hearth = createHearthClient();

import { exportAll, exportNothing, type ExportParts } from '../personal-data/export-parts.ts';

export const MAIL_EXPORT: ExportParts = {
  mail: {
    many: (db, { verifiedEmail }) =>
      verifiedEmail === undefined
        ? exportNothing()
        : exportAll(db.mail.where('to', 'array-contains', verifiedEmail), ({ data }) => ({
            to: verifiedEmail,
            message: data.message,
            state: data.delivery?.state ?? null,
            writtenAt: data.delivery?.startTime ?? null,
          })),
  },
};

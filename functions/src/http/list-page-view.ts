import * as z from 'zod';

/** Schema of one page of a list: the items under `name`, and the cursor of the next page or null. */
export const listPageView = <Name extends string, Item extends z.ZodType>(name: Name, item: Item) =>
  z.strictObject({
    ...({ [name]: z.array(item) } as Record<Name, z.ZodArray<Item>>),
    nextCursor: z.string().nullable(),
  });

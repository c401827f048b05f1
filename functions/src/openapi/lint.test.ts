import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { ROUTES } from '../app.ts';
import { openApiDocument } from './document.ts';

test("the document follows Redocly's recommended rules", async () => {
  const document = openApiDocument({ appUrl: 'https://hearth.test' }, ROUTES);
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
  ).toEqual([]);
});

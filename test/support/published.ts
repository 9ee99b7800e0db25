/**
 * Long tests that start programs and browsers, or that look at what is published: the example, the pages, other clients. `npm test` leaves
 * them to the step `published` of `npm run verify`; `npm run test:long` has them all.
 */
export const publishedTests: readonly string[] = [
  'test/adapters/{examples,run-workers}.test.ts',
  'test/docs/{docs,first-type,guide}.test.ts',
  'test/errors/default-log.test.ts',
  'test/generators/**/*.test.ts',
  'test/hostile/cut-connections.test.ts',
  'test/openapi/{linted,many-types}.test.ts',
  'test/types/{budget,contract}.test.ts',
  'test/verify/faults.test.ts',
]

/** Those of them that need both engines. */
export const publishedSqlTests: readonly string[] = [
  'test/cli/init/started.test.ts',
  'test/cli/pull/{large-databases,served}.test.ts',
  'test/cli/typescript/without-binding.test.ts',
  'test/clients/**/*.test.ts',
  'test/data/sql/postgres/pg-versions.test.ts',
  'test/example/**/*.test.ts',
  'test/storm/**/*.test.ts',
]

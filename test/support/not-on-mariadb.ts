/** Chapters that need what the store does not do on MariaDB, with reasons. */
export const notOnMariadb: Readonly<Record<string, string>> = {
  'test/spec/text-search-words.test.ts': 'The store does not search words there.',
  'test/spec/access/searched-texts.test.ts': 'The store does not search words there.',
  'test/spec/filter-trees-search.test.ts': 'The store does not search words there.',
  'test/regression/writing-conflicts.test.ts':
    'It needs unique indexes over some rows, which the engine does not have.',
}

/**
 * Chapters of the service that do not depend on the store: they are about negotiation, documents, routes, texts of constraints,
 * or stores of their own. `npm test` runs them on memory only, `npm run test:long` on every store. As a sample
 * of them, spec/what-the-service-does, spec/query-parameters and spec/relationship-write-errors run on every store each time.
 */
export const storeFreeTests: readonly string[] = [
  ...under('atomic', ['places', 'queries', 'refusals', 'structure']),
  ...under('properties', ['repeated-values', 'rules-now-or-later', 'sound-attributes']),
  ...under('regression', ['memory-store']),
  ...under('spec', [
    // Requests: what a client may ask for, and how.
    'effective-paginator',
    'include-paths',
    'limits',
    'operations',
    'pagination-menu',
    'profiles',
    'profiles-applied',
    'query-families',
    'query-families-of-profiles',
    'relation-addresses',
    'resource-level-metadata',
    'route-registration',
    'atomic/document',
    'atomic/media-type',
    // Responses: documents, links, fields.
    'action-links',
    'answers-to-writes',
    'default-includes',
    'document-shapes',
    'errors',
    'fields',
    'followed-links',
    'included-visibility',
    'links',
    'pagination-links',
    'response-shape-objects',
    'sparse-fieldsets',
    'sparse-fieldsets-of-related',
    'visibility',
    'visibility-of-relations',
    'jsonapi/members',
    'jsonapi/responses',
    // Validation, which happens before a store is asked for anything.
    'constraint-combinations',
    'constraint-forms',
    'constraints',
    'ids-formats',
    'linkage-ids',
    'relationship-embedded-errors',
    'relationship-write-ids',
    'relationship-write-places',
    'shape',
    'standard-schema',
    // Functions and stores of the application.
    'async-relationships',
    'async-writes',
    'capabilities',
    'capabilities-reading',
    'capabilities-related',
    'capabilities-relations',
    'capabilities-wrong-answers',
    'custom-action-answers',
    'custom-action-routes',
    'hooks-after',
    'jobs',
    'relationship-gates',
    'soft-deletes-own-store',
    // The kit for tests, and what is read from documents.
    'testing-kit',
    'testing-kit-documents',
    'testing-kit-results',
    'atomic/ledger',
    'jsonapi/ledger',
  ]),
]

function under(folder: string, names: readonly string[]): readonly string[] {
  return names.map((name) => `test/${folder}/${name}.test.ts`)
}

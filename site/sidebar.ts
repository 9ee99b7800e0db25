/** A page of the sidebar: its file under `docs/` without the extension, and its name in the sidebar. */
export type SidebarPage = readonly [file: string, name: string]

/** Several pages under one heading, which is not collapsed. */
export interface SidebarGroup {
  readonly name: string
  readonly pages: readonly SidebarPage[]
}

/** A section of the site: an entry of the navigation, with its own sidebar. */
export interface SidebarSection {
  readonly name: string
  readonly folder: string
  readonly groups: readonly SidebarGroup[]
}

/** All pages of the site, except the home page and the API pages. `test/docs/site.test.ts` fails if one is missing. */
export const sections: readonly SidebarSection[] = [
  {
    name: 'Start',
    folder: 'start',
    groups: [
      {
        name: 'Start',
        pages: [
          ['start/what-is-ashlar', 'What Ashlar is'],
          ['start/ten-minutes', 'Getting started'],
          ['start/roles-actions-versions', 'Roles, actions and versions'],
          ['start/existing-database', 'An existing database'],
        ],
      },
    ],
  },
  {
    name: 'Guide',
    folder: 'guide',
    groups: [
      {
        name: 'Types and requests',
        pages: [
          ['guide/index', 'The guide'],
          ['guide/declaring', 'Declaring'],
          ['guide/reading', 'Reading'],
          ['guide/search', 'Search'],
          ['guide/writing', 'Writing'],
          ['guide/relationships', 'Relationships'],
          ['guide/pagination', 'Pagination'],
          ['guide/export', 'Export'],
          ['guide/aggregates', 'Aggregates'],
          ['guide/validation', 'Validation'],
          ['guide/errors', 'Errors'],
          ['guide/versions-and-retries', 'Versions and retries'],
          ['guide/atomic-operations', 'Atomic operations'],
        ],
      },
      {
        name: 'Code and data',
        pages: [
          ['guide/storage', 'Storage'],
          ['guide/mysql', 'MySQL and MariaDB'],
          ['guide/drizzle', 'Drizzle tables'],
          ['guide/access', 'Access'],
          ['guide/events', 'Events'],
          ['guide/jobs-and-actions', 'Jobs and actions'],
          ['guide/into-your-application', 'Into your application'],
        ],
      },
      {
        name: 'Clients',
        pages: [
          ['guide/client', 'The typed client'],
          ['guide/tanstack-query', 'TanStack Query'],
          ['guide/openapi', 'OpenAPI'],
          ['guide/other-clients', 'Other clients'],
          ['guide/contract-changes', 'Changes of the contract'],
        ],
      },
      {
        name: 'Tools and operation',
        pages: [
          ['guide/command-line', 'The command line'],
          ['guide/testing', 'Testing'],
          ['guide/verify', 'Verify a server'],
          ['guide/deploying-and-scaling', 'Deploying and scaling'],
          ['guide/observability', 'Observability'],
          ['guide/performance', 'Performance'],
          ['guide/security', 'Security'],
          ['guide/upgrade-policy', 'Upgrade policy'],
        ],
      },
    ],
  },
  {
    name: 'Reference',
    folder: 'reference',
    groups: [
      {
        name: 'Declarations',
        pages: [
          ['reference/declaration-language', 'The declaration language'],
          ['reference/attributes', 'Attributes'],
          ['reference/relations', 'Relations'],
          ['reference/filters-and-sorts', 'Filters and sorts'],
          ['reference/aggregates', 'Aggregates'],
          ['reference/settings', 'Settings of a server'],
          ['reference/http-server', 'The HTTP server'],
          ['reference/monitoring', 'Monitoring'],
          ['reference/build-faults', 'Build faults'],
        ],
      },
      {
        name: 'HTTP',
        pages: [
          ['reference/http', 'All endpoints'],
          ['reference/reading', 'Reading'],
          ['reference/exports', 'Exports'],
          ['reference/writing', 'Writing'],
          ['reference/atomic-operations', 'Atomic operations'],
          ['reference/validation', 'Validation'],
          ['reference/versions', 'Versions'],
          ['reference/retries', 'Retries'],
          ['reference/actions', 'Actions'],
          ['reference/errors', 'Errors'],
        ],
      },
      {
        name: 'Code and data',
        pages: [
          ['reference/access', 'Access'],
          ['reference/hooks-and-jobs', 'Hooks and jobs'],
        ],
      },
      {
        name: 'Storage',
        pages: [
          ['reference/storage', 'SQLite and PostgreSQL'],
          ['reference/storage-tables', 'Tables and relations'],
          ['reference/storage-types', 'Column types'],
          ['reference/storage-statements', 'Statements'],
          ['reference/storage-indexes', 'Indexes'],
          ['reference/storage-transactions', 'Transactions'],
          ['reference/storage-errors', 'Errors of the database'],
          ['reference/storage-postgresql', 'PostgreSQL'],
          ['reference/storage-migrations', 'Migrations'],
          ['reference/database-checks', 'Database checks'],
        ],
      },
      {
        name: 'Custom stores',
        pages: [
          ['reference/custom-stores', 'The store contract'],
          ['reference/store-reads', 'Reads'],
          ['reference/store-writes', 'Writes'],
          ['reference/testing', 'Testing a store'],
        ],
      },
      {
        name: 'Tools',
        pages: [
          ['reference/packages', 'Packages'],
          ['reference/command-line', 'Commands'],
          ['reference/openapi', 'OpenAPI document'],
          ['reference/contract-types', 'Contract types'],
          ['reference/contract-changes', 'Kinds of change'],
          ['reference/verify-statements', 'Statements of ashlar verify'],
        ],
      },
    ],
  },
  {
    name: 'Internals',
    folder: 'internals',
    groups: [
      {
        name: 'Internals',
        pages: [
          ['internals/architecture', 'Architecture'],
          ['internals/caches', 'Caches and fast paths'],
          ['internals/pg-protocol', 'Protocol of PostgreSQL'],
          ['internals/limits', 'Limits'],
          ['internals/rules', 'Rules of the service'],
          ['internals/conformance', 'Conformance'],
          ['internals/verify-results', 'Results of ashlar verify'],
          ['internals/decisions', 'Decisions'],
          ['internals/access-checks', 'Access checks'],
          ['internals/benchmarks', 'Benchmarks'],
          ['internals/dependencies', 'Dependencies'],
          ['internals/glossary', 'Glossary'],
        ],
      },
    ],
  },
]

/** All pages of sidebars: their files under `docs/` without the extension. */
export const sidebarPages: readonly string[] = sections.flatMap(({ groups }) =>
  groups.flatMap(({ pages }) => pages.map(([file]) => file)),
)

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

type MembersByFile = Readonly<Record<string, readonly string[]>>

/** The files of the declaration language, with the interfaces for users. */
const language: MembersByFile = {
  'src/declare/resource/fields/id-declaration.ts': ['IdDeclaration', 'IdCodec'],
  'src/declare/resource/define/define-resource.ts': ['ResourceDeclaration'],
  'src/declare/resource/parts/deprecation.ts': ['DeprecationOptions'],
  'src/declare/resource/define/resource-settings.ts': ['ResourceMetadata', 'DocumentSettings'],
  'src/declare/resource/parts/cache-headers.ts': ['CacheDirectives'],
  'src/declare/resource/parts/model.ts': ['ModelOptions'],
}

/** The same of hooks. */
const hooks: MembersByFile = { 'src/declare/resource/events/hooks.ts': ['ResourceHooks', 'RelationshipWorkContext'] }

/** The same of actions and soft deletes. */
const actions: MembersByFile = {
  'src/declare/resource/define/action-kit.ts': ['ActionKit', 'ActionOptions', 'OnResource'],
  'src/declare/resource/parts/soft-deletes.ts': ['SoftDeleteOptions'],
}

/** The same of attributes. */
const attributes: MembersByFile = {
  'src/declare/resource/fields/attribute-kit.ts': ['AttributeKit'],
  'src/declare/resource/fields/attribute-types.ts': [
    'Attribute',
    'TextMethods',
    'StringAttribute',
    'EmailAttribute',
    'UrlAttribute',
    'UuidAttribute',
    'IpAttribute',
    'NumberAttribute',
    'BigintAttribute',
    'MomentAttribute',
    'ListAttribute',
    'HashAttribute',
    'MapAttribute',
    'ObjectAttribute',
    'OneOfAttribute',
  ],
  'src/declare/resource/fields/rule.ts': ['RuleCatalogue'],
}

/** The same of relations. */
const relations: MembersByFile = {
  'src/declare/resource/relations/relation-kit.ts': ['RelationKit'],
  'src/declare/resource/relations/relation-types.ts': [
    'Relation',
    'ToMany',
    'ItemBounds',
    'BelongsTo',
    'BelongsToMany',
    'JoinColumns',
  ],
}

/** The same of queries. */
const queries: MembersByFile = {
  'src/declare/resource/filters/filter-kit.ts': ['FilterKit'],
  'src/declare/resource/filters/filter-declaration.ts': ['FilterDeclaration'],
  'src/declare/resource/sorts/sort-kit.ts': ['SortKit', 'SortDeclaration'],
  'src/declare/pagination/paginator.ts': ['PageOptions'],
}

/** The same of the settings of a server. */
const settings: MembersByFile = {
  'src/server/assembly/declared/server-settings.ts': ['ServerSettings', 'NamedServer', 'Limits'],
  'src/server/assembly/declared/query-cost-settings.ts': ['QueryCostSettings'],
  'src/core/errors/error-settings.ts': ['ErrorSettings'],
}

/** The same of the store on tables. */
const storage: MembersByFile = {
  'src/stores/sql/sql-data-options.ts': ['SqlDataOptions'],
  'src/stores/sql/open-store.ts': ['StoreOptions'],
  'src/stores/sql/driver/driver-of.ts': ['DriverOptions'],
  'src/stores/sql/transactions/sql-transactions.ts': ['SqlTransactionOptions'],
}

/** The same of tables. */
const tables: MembersByFile = { 'src/stores/sql/schema/table.ts': ['TableOptions', 'ColumnOptions'] }

/** The same of the statements of that store. */
const statements: MembersByFile = {
  'src/stores/sql/query/custom-expressions.ts': ['SqlRow', 'SqlFilterRow'],
  'src/stores/sql/statement/ran-statement.ts': ['RanStatement'],
}

/** The same of batches. */
const batches: MembersByFile = { 'src/server/atomic/atomic.ts': ['AtomicOptions'] }

/** The members that each page must name. */
const membersOfPages: Readonly<Record<string, MembersByFile>> = {
  'declaration-language': language,
  'hooks-and-jobs': hooks,
  actions,
  attributes,
  relations,
  'filters-and-sorts': queries,
  settings,
  storage,
  'storage-tables': tables,
  'storage-statements': statements,
  'atomic-operations': batches,
}

const named = Object.entries(membersOfPages).flatMap(([name, members]) =>
  Object.entries(members).map(([file, owners]) => ({ page: `docs/reference/${name}.md`, file, owners })),
)

test.each(named)('$page names every member of $file', ({ page, file, owners }) => {
  const text = readFileSync(`${root}${page}`, 'utf8')
  const members = membersOf(file, owners)
  expect(members.length).toBeGreaterThan(0)
  expect(members.filter((name) => !new RegExp(`\`[^\`\\n]*\\b${name}\\b[^\`\\n]*\``).test(text))).toEqual([])
})

/** The public members of interfaces and classes. */
function membersOf(file: string, owners: readonly string[]): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(`${root}${file}`, 'utf8'), ts.ScriptTarget.Latest, true)
  const members = new Set<string>()
  for (const statement of source.statements) {
    if (!ts.isInterfaceDeclaration(statement) && !ts.isClassDeclaration(statement)) continue
    if (!owners.includes(statement.name?.text ?? '')) continue
    for (const member of statement.members) {
      const hidden =
        ts.canHaveModifiers(member) &&
        ts.getModifiers(member)?.some((modifier) => modifier.kind === ts.SyntaxKind.PrivateKeyword)
      if (hidden !== true && member.name !== undefined && ts.isIdentifier(member.name)) members.add(member.name.text)
    }
  }
  // A declaration has its specification as a member; users never read it.
  members.delete('spec')
  return [...members]
}

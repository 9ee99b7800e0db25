import type { SqlitePackage } from '../../data/sql/driver/sqlite/open-sqlite.js'
import type { Plan } from '../plan/plan.js'
import { propertyKey, textLiteral } from '../plan/source-name.js'

/** The database of the service. */
export interface ServerDatabase {
  readonly plan: Plan
  /** The path of the file, relative to the working directory of the service, and the package that opens it; null for PostgreSQL. */
  readonly sqlite: { readonly package: SqlitePackage; readonly file: string } | null
  /** The specifier of the module that exports the declarations. */
  readonly resources: string
}

/** Returns the text of the module that exports the server. */
export function serverText({ plan, sqlite, resources }: ServerDatabase): string {
  const imports = [
    ...(sqlite === null ? [] : [sqliteImport(sqlite.package)]),
    `import { createServer } from 'ashlar'`,
    `import { sqlData } from 'ashlar/sql'`,
    ...(sqlite === null ? [`import { Pool } from 'pg'`] : []),
    `import { resources } from ${textLiteral(resources)}`,
  ]
  const open =
    sqlite === null
      ? `export const database = new Pool({ connectionString: process.env['DATABASE_URL'] })`
      : `export const database = new ${sqlite.package === 'better-sqlite3' ? 'Database' : 'DatabaseSync'}(process.env['DATABASE_FILE'] ?? ${textLiteral(sqlite.file)}, { timeout: 5000 })`
  return [
    ...imports,
    '',
    open,
    '',
    'export const server = createServer({',
    '  resources,',
    '  data: sqlData(database, {',
    ...optionLines(plan),
    '  }),',
    '})',
    '',
  ].join('\n')
}

function sqliteImport(name: SqlitePackage): string {
  return name === 'better-sqlite3' ? `import Database from '${name}'` : `import { DatabaseSync } from '${name}'`
}

function optionLines({ schema, hasSpacedInstants, waivers }: Plan): readonly string[] {
  const waived = Object.entries(waivers).map(([name, reason]) => `      ${propertyKey(name)}: ${textLiteral(reason)},`)
  return [
    `    naming: 'snake_case',`,
    ...(schema === null ? [] : [`    schema: ${textLiteral(schema)},`]),
    ...(hasSpacedInstants ? [`    instants: 'YYYY-MM-DD HH:MM:SS',`] : []),
    ...(waived.length === 0 ? [] : ['    waive: {', ...waived, '    },']),
  ]
}

/** Returns the text of the program that starts the server. */
export function mainText(): string {
  return `import { listen } from 'ashlar/node'
import { server } from './server.js'

try {
  await server.ready()
  const { url } = await listen(server, { port: Number(process.env['PORT'] ?? 3000) })
  console.log(\`Listening at \${url}\`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
`
}

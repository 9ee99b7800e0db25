import type { SqlitePackage } from '../../data/sql/dialect/sqlite/driver/open-sqlite.js'
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
  return [
    `import './environment.js'`,
    ...(sqlite === null ? [] : [sqliteImport(sqlite.package)]),
    `import { createServer } from 'ashlar'`,
    `import { sqlData } from 'ashlar/sql'`,
    ...(sqlite === null ? [`import { Pool } from 'pg'`] : []),
    `import { authentication } from './authentication.js'`,
    `import { resources } from ${textLiteral(resources)}`,
    '',
    ...(sqlite === null ? openPool : [openFile(sqlite)]),
    '',
    'const data = sqlData(connection, {',
    ...optionLines(plan),
    '})',
    '',
    ...createLines,
    '',
    'export const database = {',
    ...(sqlite === null ? closePool : closeFile),
    '}',
    '',
  ].join('\n')
}

const openPool = [
  'const connection = new Pool({',
  `  connectionString: process.env['DATABASE_URL'],`,
  '  connectionTimeoutMillis: 5000,',
  '})',
  '// PostgreSQL may close an idle connection. The pool then opens a new one.',
  `connection.on('error', (error) => console.error(error.message))`,
]

function openFile({ package: name, file }: NonNullable<ServerDatabase['sqlite']>): string {
  const constructor = name === 'better-sqlite3' ? 'Database' : 'DatabaseSync'
  return `const connection = new ${constructor}(process.env['DATABASE_FILE'] ?? ${textLiteral(file)}, { timeout: 5000 })`
}

const createLines = [
  'export const server = createServer({',
  '  resources,',
  '  data,',
  '  middleware: [authentication],',
  '  // The rules for all types without their own policy: callers with a token may read, and no one may write.',
  '  // To let them write, add: create: p.signedIn(), update: p.signedIn(), delete: p.signedIn()',
  '  // To let everyone read a type, add to its declaration: policy: () => ({ viewAny: true, view: true }),',
  '  policy: (p) => ({ viewAny: p.signedIn(), view: p.signedIn() }),',
  '  strictPages: true,',
  '  // Encrypts cursors. All processes of the service need the same one, of at least 16 characters.',
  `  secret: process.env['SECRET'],`,
  '})',
]

const closePool = ['  async close() {', '    await connection.end()', '  },']

const closeFile = ['  async close() {', '    data.close()', '    connection.close()', '  },']

function sqliteImport(name: SqlitePackage): string {
  return name === 'better-sqlite3' ? `import Database from '${name}'` : `import { DatabaseSync } from '${name}'`
}

function optionLines({ engine, schema, hasSpacedInstants, waivers }: Plan): readonly string[] {
  const waived = Object.entries(waivers).map(([name, reason]) => `    ${propertyKey(name)}: ${textLiteral(reason)},`)
  return [
    `  naming: 'snake_case',`,
    ...(schema === null ? [] : [`  schema: ${textLiteral(schema)},`]),
    ...(engine === 'postgres'
      ? ['  // The milliseconds that all statements of a request may take together.', '  statementTimeout: 10_000,']
      : []),
    ...(hasSpacedInstants ? [`  instants: 'YYYY-MM-DD HH:MM:SS',`] : []),
    ...(waived.length === 0 ? [] : ['  waive: {', ...waived, '  },']),
  ]
}

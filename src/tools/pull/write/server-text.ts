import type { Connection } from '../../../stores/sql/dialect/pull-rules.js'
import type { Plan } from '../plan/plan.js'
import { propertyKey, textLiteral } from '../plan/source-name.js'
import { pullEngines } from '../read/pull-engines.js'

/** The database of the service. */
export interface ServerDatabase {
  readonly plan: Plan
  readonly connection: Connection
  /** The specifier of the module that exports the declarations. */
  readonly resources: string
}

/** Returns the text of the module that exports the server. */
export function serverText({ plan, connection, resources }: ServerDatabase): string {
  const { package: name, file } = connection
  const path = file === null ? null : textLiteral(file)
  const { imports, open, close, options } = pullEngines[plan.engine].serverLines({ package: name, file: path })
  const [before, after] = imports
  return [
    `import './environment.js'`,
    ...before,
    `import { createServer } from 'ashlar'`,
    `import { sqlData } from 'ashlar/sql'`,
    ...after,
    `import { authentication } from './authentication.js'`,
    `import { resources } from ${textLiteral(resources)}`,
    '',
    ...open,
    '',
    'const data = sqlData(connection, {',
    ...optionLines(plan, options),
    '})',
    '',
    ...createLines,
    '',
    'export const database = {',
    ...close,
    '}',
    '',
  ].join('\n')
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

function optionLines({ schema, hasSpacedInstants, waivers }: Plan, ofEngine: readonly string[]): readonly string[] {
  const waived = Object.entries(waivers).map(([name, reason]) => `    ${propertyKey(name)}: ${textLiteral(reason)},`)
  return [
    `  naming: 'snake_case',`,
    ...(schema === null ? [] : [`  schema: ${textLiteral(schema)},`]),
    ...ofEngine,
    ...(hasSpacedInstants ? [`  instants: 'YYYY-MM-DD HH:MM:SS',`] : []),
    ...(waived.length === 0 ? [] : ['  waive: {', ...waived, '  },']),
  ]
}

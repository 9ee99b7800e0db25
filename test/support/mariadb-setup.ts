import { randomBytes } from 'node:crypto'
import { createConnection } from 'mysql2/promise'
import type { TestProject } from 'vitest/node'
import { mariadbServer } from './mariadb-server.js'

/** Starts the server before the first file that needs it; the returned function ends it after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await mariadbServer()
  const sharedSchemas = `shared_${randomBytes(4).toString('hex')}_`
  project.provide('mysqlUrl', server.url)
  project.provide('sharedSchemas', sharedSchemas)
  const [[version]] = await query<readonly [{ readonly version: string }]>(server.url, 'select version() as version')
  project.provide('mysqlEngine', /mariadb/i.test(version.version) ? 'mariadb' : 'mysql')
  return async () => {
    // A lent server must be left as it was.
    const [databases] = await query<readonly { readonly name: string }[]>(
      server.url,
      'select schema_name as name from information_schema.schemata',
    )
    for (const { name } of databases) {
      if (name.startsWith(sharedSchemas)) await query(server.url, `drop database ${name}`)
    }
    await server.end()
  }
}

async function query<Rows>(url: string, sql: string): Promise<readonly [Rows]> {
  const connection = await createConnection(url)
  try {
    const [rows] = await connection.query(sql)
    return [rows as Rows]
  } finally {
    await connection.end()
  }
}

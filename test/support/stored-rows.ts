import { inspect } from 'node:util'
import { createServer, defineResource, id, model } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { client } from './client.js'
import { tablesOf } from './sql-world.js'

/**
 * All rows of a store as they are kept, hidden columns and all, each as a text that tells values apart as JSON does not:
 * for tests that hold before against after. A member that is null is left out, as one that is not there: a table knows no
 * difference.
 *
 * @param models every model that the store has rows of
 */
export async function storedRows(
  data: DataSource,
  models: readonly string[],
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const tables = tablesOf(data)
  if (tables !== null) {
    const rows = models.map(async (name) => [name, (await tables.rows(name)).map(rowText)] as const)
    return Object.fromEntries(await Promise.all(rows))
  }
  const resources = models.map((name) =>
    defineResource(name, {
      model: model<{ id: unknown }>(name),
      id: id(),
      attributes: (a) => ({ row: a.string().computed(rowText) }),
      pagination: null,
    }),
  )
  const api = client(createServer({ resources, data, maxPageSize: 0 }))
  const collections = models.map(async (name): Promise<[string, readonly unknown[]]> => {
    const { resources: rows } = await api.get(`/${name}`)
    return [name, rows.map(({ attributes }) => attributes?.['row'])]
  })
  return Object.fromEntries(await Promise.all(collections))
}

/** The row as a text, without members that are null. */
export function rowText(row: object): string {
  const members = Object.entries(row).filter(([, value]) => value !== null && value !== undefined)
  return inspect(Object.fromEntries(members), { depth: null, sorted: true })
}

import { inspect } from 'node:util'
import { createServer, type DataSource, defineResource, id, model } from 'ashlar'
import { client } from './client.js'

/**
 * All rows of a store as they are kept, hidden columns and all, each as a text that tells values apart as JSON does not:
 * for tests that hold before against after.
 *
 * @param models every model that the store has rows of
 */
export async function storedRows(
  data: DataSource,
  models: readonly string[],
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const resources = models.map((name) =>
    defineResource(name, {
      model: model<{ id: unknown }>(name),
      id: id(),
      attributes: (a) => ({ row: a.string().computed((row) => inspect(row, { depth: null, sorted: true })) }),
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

import {
  reply,
  belongsTo,
  createServer,
  defineResource,
  id,
  model,
  ok,
  type ResourceHooks,
  type ResourceMetadata,
  seeOther,
  type ServerSettings,
} from 'ashlar'
import type { Persister } from 'ashlar/store'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { client, resourceBody } from './client.js'
import type { ExtraColumns } from './derived-tables.js'
import { storedData } from './stored-data.js'

export interface ImportRow {
  id: number
  source: string
  status: string
}

export interface JobRow {
  id: number
  status: string
  importId: number | null
}

/** The row that `later()` writes, whatever the types show of it. */
export const importColumns: ExtraColumns = {
  imports: { source: 'text', status: 'text' },
  jobs: { status: 'text', importId: 'integer' },
}

/** A persister that decorates that of the store. */
export type Decorate = Extract<NonNullable<ResourceMetadata['persister']>, (store: Persister) => Persister>

/** Leaves an import for later, and writes down a job for it. */
export function later(rest: Omit<Parameters<typeof reply.accepted>[0], 'job'> = {}): Decorate {
  return (store) => ({
    ...store,
    create: async (type, values, write) => {
      const made = (await store.create(type, { ...values, status: 'queued' }, write)) as ImportRow
      const jobRows = write.context.rows<JobRow>('jobs')
      return reply.accepted({ job: await jobRows.create({ status: 'running', importId: made.id }), ...rest })
    },
  })
}

/** Defers writes without writing anything. */
export function always(deferred: object): Decorate {
  return (store) => ({ ...store, create: () => deferred, update: () => deferred })
}

export const jobs = defineResource('jobs', {
  model: model<JobRow>('jobs'),
  id: id(),
  attributes: (a) => ({ status: a.string() }),
  relations: { import: belongsTo('imports') },
  fetchOne: [ok(), seeOther()],
  completionLocation: ({ status, importId }) =>
    status === 'done' && importId !== null ? { type: 'imports', id: String(importId) } : null,
  defaultIncludes: ['import'],
})

export interface Choices extends ResourceMetadata {
  readonly hooks?: ResourceHooks<ImportRow>
  readonly settings?: Partial<ServerSettings<never>>
}

/** Imports with this metadata, and jobs with their status. There is one import, and no job. */
export function importing({ hooks = {}, settings = {}, ...metadata }: Choices): TestClient {
  const imports = defineResource('imports', {
    model: model<ImportRow>('imports'),
    id: id(),
    attributes: (a) => ({ source: a.string().required(), status: a.string().readOnly() }),
    hooks,
    ...metadata,
  })
  const data = storedData({ imports: [{ id: 1, source: 'a.csv', status: 'done' }] })
  return client(createServer({ ...settings, resources: [imports, jobs], data }))
}

export function post(api: TestClient, query = ''): Promise<TestResponse> {
  return api.post(`/imports${query}`, { body: resourceBody('imports', { source: 'b.csv' }) })
}

export function patch(api: TestClient): Promise<TestResponse> {
  return api.patch('/imports/1', { body: resourceBody('imports', { source: 'b.csv' }, '1') })
}

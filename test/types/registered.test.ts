import type { WorkContext } from 'ashlar'
import { beforeAll, expect, expectTypeOf, it } from 'vitest'
import { type Diagnostic, compile } from '../support/compile.js'

/** A separate program: its registrations apply to all of its files. */
const program = `
import { defineResource, id, model, type WorkContext } from 'ashlar'
import type { Kysely } from 'kysely'

declare module 'ashlar' {
  interface Registered {
    db: Kysely<{ albums: { id: number; title: string } }>
  }
}

export const titles = async (context: WorkContext) => context.db.selectFrom('albums').select('title').execute()

export const albums = defineResource('albums', {
  model: model<{ id: number }>('albums'),
  id: id(),
  hooks: { afterDelete: async (_row, { db }) => void (await db.deleteFrom('tracks').execute()) },
})
`

const callers = `
import { authenticate, createServer, defineResource, id, model, type Middleware } from 'ashlar'
import type { UseCondition } from '../../src/declare/resource/request/use-guard.js'
import { memoryData } from 'ashlar/memory'
import type { SqlDataOptions } from 'ashlar/sql'
import { testClient } from 'ashlar/testing'

declare module 'ashlar' {
  interface Registered {
    caller: { readonly id: number; readonly admin: boolean }
  }
}

export const albums = defineResource('albums', {
  model: model<{ id: number; ownerId: number; notes: string }>('albums'),
  id: id(),
  attributes: (a) => ({ notes: a.string().hidden((row, { caller }) => caller?.id !== row.ownerId) }),
  filters: (f) => ({ owner: f.where('ownerId').usableIf(({ caller }) => caller?.admin === true) }),
  sorts: (s) => ({ owner: s.field('ownerId').usableIf(({ caller }) => caller !== null && caller.admin) }),
  scope: ({ caller }, f) => (caller?.admin === true ? null : f.where('ownerId').fixed(caller?.id ?? 0)),
  hooks: { beforeDelete: (_row, { caller }) => void caller?.admin.valueOf() },
})

const bearer = authenticate({ challenge: 'Bearer', caller: () => ({ id: 1, admin: false }) })
const adminsOnly: Middleware = ({ caller }, next) => (caller?.admin === true ? next() : next({ caller: null }))
const server = createServer({ resources: [albums], data: memoryData(), middleware: [bearer, adminsOnly] })
testClient(server, { caller: { id: 1, admin: true } }).get('/albums', { caller: null })
await server.dispatch({ kind: 'FetchResource', type: 'albums', id: null, as: { id: 1, admin: true } })

export const secured: SqlDataOptions = {
  session: ({ caller }) => ({ role: 'app', settings: { 'app.user': String(caller?.id ?? '') } }),
}
export const unsecured: SqlDataOptions = { session: ({ caller }) => (caller === null ? null : {}) }

// One mistake each:
export const unnamed: SqlDataOptions = { session: ({ caller }) => ({ settings: { 'app.user': caller?.title } }) }
export const late: SqlDataOptions = { session: async () => ({ role: 'app' }) }
export const unusable: UseCondition = ({ caller }) => caller?.role === 'staff'
export const nameless: Middleware = ({ caller }, next) => next({ caller: { id: 1, admin: caller?.name } })
authenticate({ challenge: 'Bearer', caller: () => 'alice' })
testClient(server, { caller: { id: 1 } })
`

let diagnostics: readonly Diagnostic[]
beforeAll(async () => {
  const { diagnosticsOf } = await compile({ 'registered-db.ts': program })
  diagnostics = diagnosticsOf('registered-db.ts')
})

it('The type that a program registers is the type of context.db everywhere', () => {
  expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining(`'"tracks"'`)])
})

it('The caller that a program registers is known in declarations, hooks and middleware', async () => {
  const { diagnosticsOf } = await compile({ 'registered-caller.ts': callers })
  expect(diagnosticsOf('registered-caller.ts').map(({ message }) => message)).toEqual([
    expect.stringContaining("Property 'title' does not exist"),
    expect.stringContaining("Type 'Promise<"),
    expect.stringContaining("Property 'role' does not exist"),
    expect.stringContaining("Property 'name' does not exist"),
    expect.stringContaining("Type 'string' is not assignable to type"),
    expect.stringContaining("Property 'admin' is missing"),
  ])
})

it('Without that they are unknown', () => {
  expectTypeOf<WorkContext['db']>().toBeUnknown()
  expectTypeOf<WorkContext['caller']>().toBeUnknown()
})

import type { WorkContext } from 'ashlar'
import { beforeAll, expect, expectTypeOf, it } from 'vitest'
import { type Diagnostic, compile } from '../support/compile.js'

/** A program of its own: what it registers holds for all of its files. */
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

let diagnostics: readonly Diagnostic[]
beforeAll(async () => {
  const { diagnosticsOf } = await compile({ 'registered-db.ts': program })
  diagnostics = diagnosticsOf('registered-db.ts')
})

it('What a program registers is the type of context.db everywhere', () => {
  expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining(`'"tracks"'`)])
})

it('Without that it is unknown', () => {
  expectTypeOf<WorkContext['db']>().toBeUnknown()
})

import { fileURLToPath } from 'node:url'
import type { WorkContext } from 'ashlar'
import { beforeAll, expect, expectTypeOf, it } from 'vitest'
import { check } from './compiler.js'

/** Apart from the other tests: what a program registers holds for all of it. */
const program = fileURLToPath(new URL('registered-db.ts', import.meta.url))

const text = `
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

let findings: readonly string[]
beforeAll(() => {
  const checked = check([program], new Map([[program, text]]))
  findings = checked.findings(program).map(({ text: said }) => said)
})

it('What a program registers is the type of context.db everywhere', () => {
  expect(findings).toEqual([expect.stringContaining(`'"tracks"'`)])
})

it('Without that it is unknown', () => {
  expectTypeOf<WorkContext['db']>().toBeUnknown()
})

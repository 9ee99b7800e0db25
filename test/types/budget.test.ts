import { join } from 'node:path'
import type { Server } from 'ashlar'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Compilation, compile } from '../support/compile.js'
import { attributes, generatedApi, generatedCalls, generatedQueries, resources } from '../support/generated-api.js'
import { sourceFolder } from '../support/source-folder.js'

/**
 * How many type instantiations the compiler may need, as in an application that has installed the package. The counts are the same on every
 * machine. When this was written it needed 537,000 for the API and 90 calls of a client with its inferred contract; and, with the contract that
 * `ashlar types` writes, 84,000 for the calls. 30 queries and mutations of TanStack Query needed 39,000 with that contract.
 */
const budgets = { inferred: 545_000, written: 86_000, queries: 41_000 }

const callsWith = (contract: string): string => `
import { createClient } from '@ashlar/client'
${contract}
const { types } = createClient<Api>({ url: 'https://music.example' })
${generatedCalls()}
`

const queries = `
import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { createClient } from '@ashlar/client'
import { createQueries } from '@ashlar/client/tanstack-query'
import type { Api } from './contract.js'
const { types } = createQueries(createClient<Api>({ url: 'https://music.example' }))
const cache = new QueryClient()
${generatedQueries()}
`

const used = [0, 7, 23, 42, 59]

const uses = `
import type { CreateAttributes, IncludePath, ReadAttributes, UpdateAttributes } from 'ashlar'
import type { ${used.map((index) => `types${index}`).join(', ')}, server } from './api.js'
${used
  .map(
    (index) => `
export const read${index} = (attributes: ReadAttributes<typeof types${index}>): string | null => attributes.subtitle
export const created${index}: CreateAttributes<typeof types${index}> = { title: 'Dummy', price: 9.5, size: { width: 3 } }
export const updated${index}: UpdateAttributes<typeof types${index}> = { medium: { type: 'disc', sides: 2 } }
export const path${index}: IncludePath<typeof server, 'types${index}'> = 'owner.parts.friends'
`,
  )
  .join('')}
`

describe(`checking an API of ${resources} resources with ${attributes.length} attributes and 4 relations each`, () => {
  let compilation: Compilation
  beforeAll(async () => {
    const contract = `
import type { ApiOf } from 'ashlar'
import type { server } from './api.js'
interface Api extends ApiOf<typeof server> {}
`
    compilation = await compile({ 'api.ts': generatedApi(), 'uses.ts': uses, 'calls.ts': callsWith(contract) })
  })

  it('has no errors', () => {
    for (const file of ['api.ts', 'uses.ts', 'calls.ts']) expect(compilation.diagnosticsOf(file)).toEqual([])
  })

  it('stays within the budget of type instantiations, 90 calls of a client included', () => {
    expect(compilation.instantiations).toBeGreaterThan(resources * attributes.length)
    expect(compilation.instantiations).toBeLessThan(budgets.inferred)
  })
})

describe('checking 90 calls of a client, and 30 queries of TanStack Query, with the written contract of this API', () => {
  it('has no errors, and stays within the budgets of type instantiations', async () => {
    const folder = sourceFolder({ 'api.ts': generatedApi('memoryData()') })
    const { server } = (await import(join(folder, 'api.ts'))) as { readonly server: Server<[]> }
    for (const [text, budget] of [
      [callsWith("import type { Api } from './contract.js'"), budgets.written],
      [queries, budgets.queries],
    ] as const) {
      const { diagnosticsOf, instantiations } = await compile({
        'contract.d.ts': server.contract(),
        'program.ts': text,
      })
      expect([...diagnosticsOf('contract.d.ts'), ...diagnosticsOf('program.ts')]).toEqual([])
      expect(instantiations).toBeGreaterThan(10_000)
      expect(instantiations).toBeLessThan(budget)
    }
  })
})

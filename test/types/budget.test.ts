import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Server } from 'ashlar'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Compilation, compile } from '../support/compile.js'
import { attributes, generatedApi, generatedCalls, generatedQueries, resources } from '../support/generated-api.js'
import { sourceFolder } from '../support/source-folder.js'

/**
 * The compiler needed 947,000 when this was written: 199,000 for the sources of the package, which it checks too, 291,000 for the API alone, 274,000
 * for the example alone, and 188,000 for 90 calls of a client with the contract of the API. So the API and the calls need 479,000 without the
 * sources of the package. The count is the same on every machine.
 */
const instantiationBudget = 975_000

/** With the contract that `ashlar types` writes, the calls needed 86,644, the sources of the client included. */
const writtenBudget = 100_000

/** 30 queries and mutations of TanStack Query needed 47,890 with this contract, of which 19,000 are for the client and TanStack Query. */
const queriesBudget = 60_000

const callsWith = (contract: string): string => `
import { createClient } from 'ashlar/client'
${contract}
const { types } = createClient<Api>({ url: 'https://music.example' })
${generatedCalls()}
`

const queries = `
import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { createClient } from 'ashlar/client'
import { createQueries } from 'ashlar/tanstack-query'
import type { Api } from './contract.js'
const { types } = createQueries(createClient<Api>({ url: 'https://music.example' }))
const cache = new QueryClient()
${generatedQueries()}
`

const example = fileURLToPath(new URL('../../examples/music/src/service.js', import.meta.url))

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

describe(`checking an API of ${resources} resources with ${attributes.length} attributes and 4 relations each, and the example`, () => {
  let compilation: Compilation
  beforeAll(async () => {
    const music = `export { musicServer } from '${example}'`
    const contract = `
import type { ApiOf } from 'ashlar'
import type { server } from './api.js'
interface Api extends ApiOf<typeof server> {}
`
    const calls = callsWith(contract)
    compilation = await compile({ 'api.ts': generatedApi(), 'uses.ts': uses, 'music.ts': music, 'calls.ts': calls })
  })

  it('finds nothing wrong', () => {
    for (const file of ['api.ts', 'uses.ts', 'music.ts', 'calls.ts'])
      expect(compilation.diagnosticsOf(file)).toEqual([])
  })

  it('stays within the budget of type instantiations', () => {
    expect(compilation.instantiations).toBeGreaterThan(resources * attributes.length)
    expect(compilation.instantiations).toBeLessThan(instantiationBudget)
  })
})

describe('checking 90 calls of a client, and 30 queries of TanStack Query, with the written contract of this API', () => {
  it('finds nothing wrong, and stays within the budgets of type instantiations', async () => {
    const folder = sourceFolder({ 'api.ts': generatedApi('memoryData()') })
    const { server } = (await import(join(folder, 'api.ts'))) as { readonly server: Server<[]> }
    for (const [text, budget] of [
      [callsWith("import type { Api } from './contract.js'"), writtenBudget],
      [queries, queriesBudget],
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

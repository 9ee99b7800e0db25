import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Compilation, compile } from '../support/compile.js'
import { attributes, generatedApi, resources } from '../support/generated-api.js'

/**
 * The compiler needed 779,393 when this was written: 201,196 for the sources of the package, which it checks too, 312,182 for the API
 * alone, and 274,294 for the example alone. Before declarations had the types that clients depend on, these were 158,676, 293,179 and
 * 259,129. The count is the same on every machine.
 */
const instantiationBudget = 840_000

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
    compilation = await compile({ 'api.ts': generatedApi(), 'uses.ts': uses, 'music.ts': music })
  })

  it('finds nothing wrong', () => {
    for (const file of ['api.ts', 'uses.ts', 'music.ts']) expect(compilation.diagnosticsOf(file)).toEqual([])
  })

  it('stays within the budget of type instantiations', () => {
    expect(compilation.instantiations).toBeGreaterThan(resources * attributes.length)
    expect(compilation.instantiations).toBeLessThan(instantiationBudget)
  })
})

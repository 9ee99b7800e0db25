import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { server as music } from '../../examples/music/src/described.js'
import { type Compilation, compile } from '../support/compile.js'
import { server as every } from './contracts/every-fact.js'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The servers whose contracts are compared, and the modules that export them. */
const servers = [
  { title: 'the example', server: music, module: pathOf('../../examples/music/src/described.js'), name: 'default' },
  {
    title: 'the example, on its admin server',
    server: music,
    module: pathOf('../../examples/music/src/described.js'),
    name: 'admin',
  },
  { title: 'a service with everything', server: every, module: pathOf('contracts/every-fact.js'), name: 'default' },
  {
    title: 'a service with everything, on its admin server',
    server: every,
    module: pathOf('contracts/every-fact.js'),
    name: 'admin',
  },
] as const

/**
 * `Same` is exact: two types are the same if no generic function can tell them apart. `Differences` names the types and members that
 * are not, for the message.
 */
const same = `
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Differing<A, B> = {
  [Name in keyof A | keyof B]: Name extends keyof A & keyof B ? (Same<A[Name], B[Name]> extends true ? never : Name) : Name
}[keyof A | keyof B]
type Prefixed<Name, Members> = \`\${Name & string}.\${Members & string}\`
type Members<A, B> = { [Name in keyof A & keyof B]: Prefixed<Name, Differing<A[Name], B[Name]>> }[keyof A & keyof B]
export type Differences<A extends { types: unknown }, B extends { types: unknown }> =
  | Exclude<Differing<A, B>, 'types'>
  | Exclude<keyof A['types'], keyof B['types']>
  | Exclude<keyof B['types'], keyof A['types']>
  | Members<A['types'], B['types']>
`

/** One mistake a line, which both sources of the contract must refuse by the same words. */
const mistakes = `
type Types = Api['types']
export const title: Types['albums']['attributes']['titel'] = 'Kid A'
export const create: Types['albums']['create'] = { titel: 'Kid A' }
export const missing: Types['albums']['create'] = {}
export const readOnly: Types['albums']['update'] = { averageRating: 5 }
export const value: Types['albums']['create'] = { title: 'Kid A', status: 'gone' }
export const filter: Types['albums']['filters'] = { rating: { min: '4' } }
export const sort: Types['albums']['sorts'] = 'rating'
export const page: Types['tracks']['page'] = { kind: 'curser' }
export const type: Types['album'] = null
export const operation: Types['jobs']['operations'] = 'Create'
`

const program = ({ module, name }: { readonly module: string; readonly name: string }): string => `
import type { ApiOf } from 'ashlar'
import type { server } from '${module}'
export interface Api extends ApiOf<typeof server, '${name}'> {}
`

describe('the contract', () => {
  let compilation: Compilation
  beforeAll(async () => {
    const files: Record<string, string> = { 'same.ts': same }
    for (const [index, each] of servers.entries()) {
      files[`written${index}.d.ts`] = each.server.contract(each.name)
      files[`inferred${index}.ts`] = program(each)
      files[`compared${index}.ts`] = `
import type { Differences, Same } from './same.js'
import type { Api as Inferred } from './inferred${index}.js'
import type { Api as Written } from './written${index}.js'
export const none: [Differences<Inferred, Written>] extends [never] ? 'none' : Differences<Inferred, Written> = 'none'
export const same: Same<Inferred, Written> = true
export const there = (written: Written): Inferred => written
export const back = (inferred: Inferred): Written => inferred
`
    }
    files['written-mistakes.ts'] = `import type { Api } from './written0.js'${mistakes}`
    files['inferred-mistakes.ts'] = `import type { Api } from './inferred0.js'${mistakes}`
    compilation = await compile(files)
  })

  it.each(servers.map(({ title }, index) => [title, index] as const))(
    'of %s is the same, written and inferred',
    (_title, index) => {
      expect(compilation.diagnosticsOf(`written${index}.d.ts`)).toEqual([])
      expect(compilation.diagnosticsOf(`inferred${index}.ts`)).toEqual([])
      expect(compilation.diagnosticsOf(`compared${index}.ts`)).toEqual([])
    },
  )

  it('refuses the same mistakes, one at each line', () => {
    const [written, inferred] = ['written', 'inferred'].map((source) =>
      compilation.diagnosticsOf(`${source}-mistakes.ts`),
    )
    expect(written?.map(({ line }) => line)).toEqual(Array.from({ length: 10 }, (_, index) => index + 3))
    expect(inferred?.map(({ line }) => line)).toEqual(written?.map(({ line }) => line))
  })

  it.each(servers)('of $title is written with the same bytes each time', ({ server, name }) => {
    expect(server.contract(name)).toBe(server.contract(name))
    expect(server.contract(name)).not.toMatch(/^import|import\(/m)
  })
})

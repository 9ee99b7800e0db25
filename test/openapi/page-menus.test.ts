import {
  createServer,
  cursorPage,
  defineResource,
  fixedPage,
  id,
  model,
  numberPage,
  offsetPage,
  type OpenApiDocument,
  type PageMenu,
  pageMenu,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'

/** Kinds of the same strategy have pages of different sizes, so that responses show which of them was chosen. */
const menus: readonly (readonly [name: string, menu: PageMenu])[] = [
  ['the first kind is the default', pageMenu([numberPage(), cursorPage(), offsetPage()])],
  ['another kind is the default', pageMenu([numberPage(), cursorPage(), offsetPage()], { default: 'cursor' })],
  [
    'two kinds of one strategy',
    pageMenu([numberPage(), cursorPage(), cursorPage({ size: 2 }).named('short')], { default: 'short' }),
  ],
  ['a fixed size', pageMenu([fixedPage(), offsetPage()])],
  [
    'a renamed key',
    pageMenu([numberPage(), numberPage({ size: 2, keys: { number: 'sheet' } }).named('sheets'), cursorPage()]),
  ],
]

type Page = Readonly<Record<string, string | number>>

const pages: readonly Page[] = [
  { size: 1 },
  { number: 1 },
  { after: 'token' },
  { before: 'token' },
  { offset: 1 },
  { limit: 1 },
  { sheet: 1 },
  { kind: 'page' },
  { kind: 'page', number: 1 },
  { kind: 'cursor' },
  { kind: 'cursor', after: 'token' },
  { kind: 'cursor', size: 1 },
  { kind: 'offset', limit: 1 },
  { kind: 'short' },
  { kind: 'short', after: 'token' },
  { kind: 'sheets', size: 1 },
  { kind: 'fixed', number: 1 },
]

interface Schema {
  readonly required?: readonly string[]
  readonly properties: { readonly kind: object }
  readonly oneOf?: readonly { readonly $ref: string }[]
}

describe.each(menus)('a menu of pages: %s', (_name, menu) => {
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    pagination: () => menu,
  })
  const rows = [1, 2, 3].map((each) => ({ id: each, title: `Album ${each}` }))
  const server = createServer({ resources: [albums], data: memoryData({ albums: rows }) })
  const document = server.openapi()
  const { schema, description } = pageParameter(document)
  const kinds = menu.choices.map(({ kind }) => kind)
  const schemas = (schema.oneOf ?? []).map(({ $ref }) => document.components['schemas']?.[nameIn($ref)] as Schema)

  test('each kind is a constant that may be left out, and there are no other keys', () => {
    expect(schema).toMatchObject({ discriminator: { propertyName: 'kind' } })
    expect(schemas.map(({ properties }) => properties.kind)).toEqual(
      kinds.map((kind) => ({ type: 'string', const: kind })),
    )
    for (const each of schemas) {
      expect(each).toMatchObject({ additionalProperties: false })
      expect(each.required).toBeUndefined()
    }
    expect(description).toMatch(new RegExp(`it is \`(?:${kinds.join('|')})\``))
  })

  test('a page matches the kind that the server chooses for it, and no other', async () => {
    const validators = schemas.map((each) => new Ajv2020({ strict: false }).compile(each))
    const api = client(server)
    const token = kinds.includes('cursor') ? await cursor(api) : ''
    let matched = 0
    for (const page of pages.filter((each) => !('kind' in each) || kinds.includes(String(each['kind'])))) {
      const matching = kinds.filter((_kind, index) => validators[index]?.(page) === true)
      expect.soft(matching.length, JSON.stringify(page)).toBeLessThan(2)
      const [kind] = matching
      if (kind === undefined) continue
      matched += 1
      const query = Object.entries(page).map(([key, value]) => `page[${key}]=${value === 'token' ? token : value}`)
      const { meta } = (await api.get(`/albums?${query.join('&')}`)).document ?? {}
      expect.soft(kindsOf(menu, meta?.['page'] as Page, 'size' in page), JSON.stringify(page)).toContain(kind)
    }
    expect(matched).toBeGreaterThan(kinds.length)
  })
})

async function cursor(api: ReturnType<typeof client>): Promise<string> {
  const { document } = await api.get('/albums?page[kind]=cursor&page[size]=1')
  return new URL(String(document?.links?.['next'])).searchParams.get('page[after]') ?? ''
}

/** Returns the kinds that a page may be of. */
function kindsOf({ choices }: PageMenu, page: Page, isSized: boolean): readonly string[] {
  const strategy =
    'hasMore' in page ? 'cursor' : 'offset' in page ? 'offset' : 'perPage' in page ? 'page' : ('fixed' as const)
  const ofStrategy = choices.filter((choice) => choice.strategy === strategy)
  const sized = ofStrategy.filter(({ size }) => isSized || ofStrategy.length === 1 || size === page['perPage'])
  return sized.map(({ kind }) => kind)
}

function pageParameter(document: OpenApiDocument): { readonly schema: Schema; readonly description: string } {
  const { parameters } = (document.paths['/albums'] as { readonly get: { readonly parameters: readonly object[] } }).get
  return parameters.find((each) => 'name' in each && each.name === 'page') as never
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

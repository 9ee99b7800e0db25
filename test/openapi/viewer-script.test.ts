import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { atomic, createServer, defineResource, id, model, type OpenApiDocument } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'

const script = readFileSync(new URL('../../src/describe/viewer/browser/viewer.js', import.meta.url), 'utf8')

type Loose = Record<string, any> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.

/** An element, or anything else of a browser, that accepts every call and has no content. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_target, name) => (name === Symbol.toPrimitive ? () => '' : name === 'dataset' ? {} : anything),
  set: () => true,
  apply: () => anything,
})

/** Runs the script of the viewer without a browser, and returns the document that it passes to Swagger UI. */
function shownBySwagger(document: OpenApiDocument): Promise<Loose> {
  return new Promise((resolve) => {
    runInNewContext(script, {
      window: { SwaggerUIBundle: ({ spec }: { readonly spec: Loose }) => resolve(spec), matchMedia: anything },
      document: anything,
      location: { href: 'http://localhost/docs', pathname: '/docs', search: '', hash: '' },
      history: anything,
      matchMedia: anything,
      fetch: (path: string): Promise<object> =>
        Promise.resolve({ ok: path === 'docs.json', status: 200, json: async () => structuredClone(document) }),
      structuredClone,
      URL,
    })
  })
}

function documentOf(count: number): OpenApiDocument {
  const resources = Array.from({ length: count }, (_type, index) =>
    defineResource(`type${index}`, {
      model: model<{ id: number; title: string; year: number; typeId: number }>(`type${index}`),
      id: id(),
      attributes: (a) => ({ title: a.string().sortable(), year: a.integer() }),
      relations: (r) => ({
        next: r.belongsTo(`type${(index + 1) % count}`).via('typeId'),
        others: r.hasMany(`type${(index + count - 1) % count}`).via('typeId'),
      }),
      filters: (f) => ({ title: f.where(), years: f.range('year') }),
    }),
  )
  return createServer({ resources, data: memoryData(), extensions: [atomic()] }).openapi()
}

test('the viewer shows parameters of many types by one input, so that the page does not grow with their square', async () => {
  const [some, many] = await Promise.all([110, 220].map(async (count) => shownBySwagger(documentOf(count))))
  expect(JSON.stringify(many).length).toBeLessThan(JSON.stringify(some).length * 2.2)
  const fields = many?.['components'].parameters['Fields']
  expect(fields).toMatchObject({ name: 'fields', schema: { type: 'string' } })
  expect(fields.description).toContain('Write `[type0]=…` for `fields[type0]=…`')
})

test('the viewer shows the filters of related resources as inputs, also the bounds of ranges', async () => {
  const { paths } = await shownBySwagger(documentOf(101))
  const names = paths['/type0/{id}/others'].get.parameters.map(({ name }: { readonly name?: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['filter[title]', 'filter[years][min]', 'filter[years][max]']))
})

import { readFileSync } from 'node:fs'
import { apiKeys, createServer, cursorPage, defineResource, hasMany, id, model, numberPage, pageMenu } from 'ashlar'
import { belongsTo, morphTo } from 'ashlar'
import type { OpenApiSettings } from '../../src/describe/openapi/openapi-settings.js'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { viewerFolder } from '../../src/describe/viewer/viewer-package.js'
import { client } from '../support/client.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; rating: number; artistId: number }>('albums'),
  id: id(),
  server: ['default', 'admin'],
  policy: 'public',
  description: 'Records, with `code` and <b>markup</b>.',
  attributes: (a) => ({ title: a.string().sortable(), rating: a.integer().sortable() }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({ title: f.contains().describedAs('A part of the <title>.'), rating: f.range() }),
  defaultSort: ['-title'],
  pagination: pageMenu([numberPage({ size: 7, maxSize: 70 }), cursorPage()]),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  server: ['default', 'admin'],
  policy: 'public',
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').via('artistId') },
})

const likes = defineResource('likes', {
  model: model<{ id: number; likedId: number; likedType: string }>('likes'),
  id: id(),
  policy: 'public',
  relations: { liked: morphTo(['albums', 'artists']) },
})

function serverWith(openapi: boolean | OpenApiSettings = { viewer: true }, settings: object = {}) {
  return createServer({
    resources: [albums, artists, likes],
    data: memoryData(),
    openapi,
    servers: { admin: { prefix: '/staff' } },
    ...settings,
  })
}

const plain = (server: Parameters<typeof client>[0]) => client(server, { validate: false })

async function policyOf(settings: object, openapi: OpenApiSettings = {}) {
  const response = await plain(serverWith({ viewer: true, ...openapi }, settings)).get('/docs')
  return /connect-src [^;]+/.exec(response.headers.get('content-security-policy') ?? '')?.[0]
}

async function overview(server: Parameters<typeof client>[0] = serverWith()): Promise<string> {
  return (await plain(server).get('/docs/overview.html')).text
}

describe('the viewer', () => {
  test('is a page that loads scripts and styles of its own server only', async () => {
    const response = await plain(serverWith()).get('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(response.text).not.toMatch(/https?:|<script>|<style|\son\w+=|style=/)
    const styles = await plain(serverWith()).get('/docs/viewer.css')
    expect(styles.text).toContain('prefers-color-scheme: dark')
    const urls = [...response.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '')
    expect(urls.filter((url) => /^(?:\/|\w+:)/.test(url))).toEqual([])
    expect(urls).toContainEqual(expect.stringMatching(/^docs\/swagger-ui-bundle\.js\?v=[\w-]{22}$/))
  })

  test('contains nothing about the types of its server, since everybody can read it', async () => {
    const server = serverWith(
      { viewer: true, title: 'Secret plans' },
      { middleware: [apiKeys({ required: true, find: () => null })] },
    )
    const page = await plain(server).get('/docs')
    expect(page.status).toBe(200)
    expect(page.text).not.toMatch(/albums|artists|Secret/)
    expect(page.text).toContain('data-header="X-API-Key"')
    expectErrors(await client(server).get('/docs/overview.html'), [{ status: 401 }])
    expectErrors(await client(server).get('/docs.json'), [{ status: 401 }])
    expect((await plain(server).get('/docs/viewer.js')).status).toBe(200)
  })

  test('of a named server is outside of its prefix', async () => {
    const api = plain(serverWith())
    expect((await api.get('/admin/docs')).text).toContain('data-path="/admin/docs"')
    expect((await api.get('/admin/docs/overview.html')).text).toContain('GET, QUERY /staff/albums')
    expect((await api.get('/staff/docs')).status).toBe(404)
  })

  test('of a placed server is in the group of the application', async () => {
    const server = serverWith({ viewer: true }, { servers: { admin: { routing: 'manual' } } })
    const request = {
      method: 'GET',
      path: '/docs/viewer.js',
      query: '',
      origin: 'http://localhost',
      header: () => undefined,
    }
    const exchange = { ...request, hasBody: false, body: async () => null }
    expect((await server.handle(exchange, { server: 'admin' })).status).toBe(200)
    expect((await server.handle({ ...exchange, path: '/docs' }, { server: 'admin' })).body).toContain(
      'data-path="/docs"',
    )
  })

  test('may send requests to the addresses of the document', async () => {
    expect(await policyOf({ baseUri: 'https://music.example/api' })).toBe("connect-src 'self' https://music.example")
    const tokenUrl = 'https://login.example/token'
    const flows = { clientCredentials: { tokenUrl, scopes: {} } }
    const servers = [
      { url: 'https://a.example/v1' },
      { url: 'javascript:alert(1)' },
      { url: "https://b.example; script-src 'unsafe-inline'" },
    ]
    expect(await policyOf({}, { servers, securitySchemes: { login: { type: 'oauth2', flows } } })).toBe(
      "connect-src 'self' https://a.example https://login.example",
    )
  })

  test.each([true, { title: 'Music' }, { viewer: false }, { viewer: true, enabled: false }])(
    'is not served with openapi: %o',
    async (openapi) => {
      const server = serverWith(openapi)
      for (const path of ['/docs', '/docs/viewer.js', '/docs/overview.html', '/admin/docs']) {
        expect((await plain(server).get(path)).status).toBe(404)
      }
    },
  )

  test('has routes with names and targets', async () => {
    const server = serverWith()
    const names = server.routes().filter(({ name }) => /^jsonapi\.(?:admin\.)?openapi\.ui/.test(name))
    expect(names).toContainEqual(expect.objectContaining({ name: 'jsonapi.openapi.ui', method: 'GET', path: '/docs' }))
    expect(names).toContainEqual(
      expect.objectContaining({ name: 'jsonapi.admin.openapi.ui.viewer.css', path: '/admin/docs/viewer.css' }),
    )
    const request = { method: 'GET', path: '/x', query: '', origin: 'http://localhost', header: () => undefined }
    for (const route of names.filter(({ server: name }) => name === 'default')) {
      const handled = server.handleAt({ ...request, hasBody: false, body: async () => null }, route.target())
      expect((await handled).status).toBe(200)
    }
    expect(server.url('jsonapi.openapi.ui', {}, { base: 'https://music.example' })).toBe('https://music.example/docs')
  })

  test('needs a path that no type uses', () => {
    const settings = { resources: [albums, artists.with({ uriType: 'docs' })] }
    expect(() => serverWith({ viewer: true }, settings)).toThrowError(
      /: one fault\.\n.*openapi: serves '\/docs', which is used by the type 'artists'/,
    )
    expect(() => serverWith(true, settings)).not.toThrow()
  })

  test('is true or false', () => {
    const openapi = { viewer: 'yes' } as unknown as OpenApiSettings
    expect(() => serverWith(openapi)).toThrowError(/openapi\.viewer: is 'yes'\. Remedy: give true or false/)
  })

  test('finds its package, or not', () => {
    expect(viewerFolder()).toMatch(/swagger-ui-dist$/)
    expect(viewerFolder('file:///nowhere/at-all.js')).toBe(null)
  })
})

describe('a file of the viewer', () => {
  const folder = viewerFolder() ?? ''

  test.each([
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['favicon-32x32.png', 'image/png'],
    ['oauth2-redirect.html', 'text/html; charset=utf-8'],
    ['oauth2-redirect.js', 'text/javascript; charset=utf-8'],
  ])('%s is that of the package', async (file, mediaType) => {
    const request = {
      method: 'GET',
      path: `/docs/${file}`,
      query: '',
      origin: 'http://localhost',
      header: () => undefined,
    }
    const { status, headers, body } = await serverWith().handle({ ...request, hasBody: false, body: async () => null })
    expect(status).toBe(200)
    expect(headers).toEqual(expect.arrayContaining(['Content-Type', mediaType, 'X-Content-Type-Options', 'nosniff']))
    expect(Buffer.from((body ?? '') as string | Uint8Array).equals(readFileSync(`${folder}/${file}`))).toBe(true)
  })

  test('is cached permanently under the URL of its version, and revalidated otherwise', async () => {
    const api = plain(serverWith())
    const [, url = ''] = /src="(docs\/viewer\.js\?v=[^"]+)"/.exec((await api.get('/docs')).text) ?? []
    const versioned = await api.get(`/${url}`)
    expect(versioned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const other = await api.get('/docs/viewer.js?v=older')
    expect(other.headers.get('cache-control')).toBe('no-cache')
    expect(other.headers.get('etag')).toBe(`"${url.split('=')[1]}"`)
    const known = await api.get('/docs/viewer.js', { headers: { 'If-None-Match': other.headers.get('etag') } })
    expect([known.status, known.text]).toEqual([304, ''])
  })

  test.each([
    '/docs/package.json',
    '/docs/',
    '/docs/index.html',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2fpackage.json',
    '/docs/swagger-ui.css/',
    '/docs/toString',
  ])('that the page does not load is not served: %s', async (path) => {
    const request = { method: 'GET', path, query: '', origin: 'http://localhost', header: () => undefined }
    expect((await serverWith().handle({ ...request, hasBody: false, body: async () => null })).status).toBe(404)
  })

  test('takes GET, HEAD and OPTIONS', async () => {
    const api = plain(serverWith())
    const head = await api.request('HEAD', '/docs/swagger-ui.css')
    expect([head.status, head.text]).toEqual([200, ''])
    expect((await api.request('OPTIONS', '/docs')).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expectErrors(await api.request('DELETE', '/docs'), [{ status: 405 }])
  })
})

describe('the overview', () => {
  test('lists the types with their relations, as links to the sections of the types', async () => {
    const text = await overview()
    const [, list = ''] = /<ul class="types">(.*?)<\/ul>\n<\/nav>/s.exec(text) ?? []
    const words = list.split('\n').map((line) =>
      line
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    expect(words.filter((line) => line !== '')).toEqual([
      'albums artist → artists',
      'artists albums → many albums',
      'likes liked → albums , artists',
    ])
    expect(list).toContain('→</span> <a href="#type-artists">artists</a>')
    for (const [, anchor = ''] of list.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${anchor}"`)
  })

  test('lists filters, sorts, include paths, pages and limits of each type', async () => {
    const text = await overview(serverWith({ viewer: true }, { maxIncludeDepth: 2, limits: { sortKeys: 3 } }))
    const [, section = ''] = /<section class="type-section" id="type-albums"(.*?)<\/section>/s.exec(text) ?? []
    const words = section.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(words).toContain('title filter[title] string A part of the &lt;title&gt;.')
    expect(words).toContain('rating filter[rating][min] , filter[rating][max] range of number')
    expect(words).toContain('Sorts id , title , rating . Default: -title')
    expect(words).toContain('Include artist , artist.albums')
    expect(words).toContain(
      'page[kind]=page : by number, page[number] , page[size] , 7 per page by default, at most 70',
    )
    expect(words).toContain('page[kind]=cursor : by cursor, page[size] , page[after] , page[before] , 15 per page')
    expect(words).toContain(
      'include paths of at most 2 relations; at most 1000 values in a filter; at most 3 sort keys',
    )
    expect(words).toContain('artist artists one yes /{id}/artist , /{id}/relationships/artist')
  })

  test('has the formats of exports, and what aggregates group and compute', async () => {
    const sales = defineResource('sales', {
      model: model<{ id: number; amount: number; soldAt: Date }>('sales'),
      id: id(),
      policy: 'public',
      attributes: (a) => ({ amount: a.decimal(), soldAt: a.dateTime() }),
      export: { formats: ['csv'], maxRows: 500 },
      aggregates: (g) => ({
        'by-month': g.fields({ month: g.month('soldAt'), total: g.sum('amount') }).minGroupSize(3),
        totals: g.fields({ sales: g.count() }),
      }),
    })
    const text = await overview(serverWith({ viewer: true }, { resources: [sales, albums, artists] }))
    expect(text).toContain('<dd><code>text/csv</code>, at most 500 rows</dd>')
    expect(text).toContain('<a href="#type-sales-by-month">sales-by-month</a>, <a href="#type-sales-totals">')
    expect(text).toContain('<code>GET, QUERY /sales/-aggregates/by-month</code>')
    expect(text).toContain(
      '<a href="#type-sales">sales</a> by <code>month = month(soldAt)</code>, with <code>total = sum(amount)</code>. Groups of fewer than 3 are left out',
    )
    expect(text).toContain('<a href="#type-sales">sales</a> all together, with <code>sales = count()</code>')
  })

  test('escapes the texts of declarations', async () => {
    const text = await overview()
    expect(text).toContain('Records, with <code>code</code> and &lt;b&gt;markup&lt;/b&gt;.')
  })
})

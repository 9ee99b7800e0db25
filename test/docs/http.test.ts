import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  accepted,
  actionResource,
  reply,
  atomic,
  authenticate,
  belongsTo,
  createServer,
  created,
  defineResource,
  hasMany,
  id,
  metaResult,
  model,
  noContent,
  ok,
  rateLimit,
  seeOther,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { pageText } from './pages.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const jobs = defineResource('jobs', {
  model: model<{ id: number }>('jobs'),
  id: id(),
  fetchOne: [ok(), seeOther()],
  completionLocation: () => null,
})
const artists = defineResource('artists', {
  model: model<{ id: number; name: string; lockVersion: number }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  version: 'lockVersion',
})
const writing = ['POST', 'PATCH', 'PUT', 'DELETE'] as const
const anyResponse = {
  responds: [actionResource(), noContent(), accepted('jobs'), seeOther()],
  handle: () => reply.noContent(),
}
/** A type that uses everything that has an effect on statuses and query parameters. */
const albums = defineResource('albums', {
  model: model<{ id: number; title: string; format: string; artistId: number; lockVersion: number }>('albums'),
  id: id().allowClientId(),
  upsertBy: 'id',
  attributes: (a) => ({ title: a.string().sortable(), format: a.string().hidden(() => false) }),
  filters: (f) => ({ title: f.contains() }),
  relations: { artist: belongsTo('artists'), reissues: hasMany('albums').via('artistId').countable() },
  countable: true,
  export: true,
  aggregates: (g) => ({ 'by-format': g.fields({ format: g.by(), artist: g.by(), albums: g.count() }) }),
  version: { column: 'lockVersion', required: true },
  collectionTags: true,
  create: [created(), accepted('jobs')],
  update: [ok(), accepted('jobs')],
  delete: [noContent(), metaResult()],
  actions: (a) => ({
    publish: a.resource({ ...anyResponse, methods: writing, input: 'raw' }),
    preview: a.resource({ ...anyResponse, methods: ['GET'] }),
    upload: a.collection({ ...anyResponse, methods: writing, input: 'raw' }),
    report: a.collection({ ...anyResponse, methods: ['GET'] }),
  }),
})
const drafts = defineResource('drafts', { model: model<{ id: number }>('drafts'), id: id(), operations: ['Create'] })
const server = createServer({
  resources: [albums, artists, jobs, drafts],
  data: memoryData(),
  extensions: [atomic()],
  openapi: { viewer: true },
})

const labels = defineResource('labels', {
  model: model<{ id: number }>('labels'),
  id: id(),
  policy: () => ({ viewAny: true }),
})
const limiter = { points: 1, duration: 1, consume: () => Promise.reject(new Error('unused')) }
/** A server that requires credentials, limits rates and checks hosts. */
const guarded = createServer({
  resources: [labels],
  data: memoryData(),
  allowedHosts: ['music.example'],
  middleware: [authenticate({ challenge: 'Bearer', caller: () => null }), rateLimit({ limiter })],
})

describe('the endpoints of the page are those of a server', () => {
  const rows = tableAfter('## Endpoints').flatMap((row) => endpointsIn(row).map((endpoint) => ({ endpoint, row })))
  const described = operationsOf(server)
  const ofHealth = ['GET /health/live', 'GET /health/ready']

  test('no endpoint is missing, and none is there twice', () => {
    const served = [
      ...server.paths.filter(({ kind }) => kind === 'root').map(({ path }) => `GET ${path}`),
      ...server.routes().map(({ method, path }) => `${method} ${templateOf(path)}`),
      ...ofHealth,
    ]
    expect(rows.map(({ endpoint }) => endpoint).toSorted()).toEqual([...new Set(served)].toSorted())
  })

  test.each(ofHealth)('%s is served by the health checks', async (endpoint) => {
    const path = endpoint.replace('GET ', '')
    expect((await server.health().fetch(new Request(`http://music.example${path}`))).status).toBe(200)
  })

  const withDocument = rows.filter(({ endpoint }) => described.has(endpoint))

  test('the OpenAPI document describes all but descriptions and health checks', () => {
    const others = rows.filter(({ endpoint }) => !described.has(endpoint)).map(({ endpoint }) => endpoint)
    expect(others).toEqual(['GET /docs.json', 'GET /schemas.json', 'GET /docs', 'GET /docs/{file}', ...ofHealth])
  })

  const everywhere = numbersIn(
    tableAfter('## Errors of every endpoint')
      .map(([status = '']) => status)
      .join(),
  )

  test.each(withDocument)('$endpoint has these statuses', ({ endpoint, row: [, , , success = '', errors = ''] }) => {
    const statuses = described.get(endpoint)?.statuses ?? []
    expect(numbersIn(success)).toEqual(statuses.filter((status) => status < 400))
    expect(numbersIn(errors)).toEqual(statuses.filter((status) => status >= 400 && !everywhere.includes(status)))
  })

  test('every endpoint has the errors of the second table', () => {
    const common = operationsOf(server).get('GET /')?.statuses ?? []
    const ofGuarded = operationsOf(guarded).get('GET /{type}')?.statuses ?? []
    const possible = [...new Set([...common, ...ofGuarded, 405])].filter((status) => status >= 400)
    expect(everywhere).toEqual(possible.toSorted((one, other) => one - other))
  })
})

describe('methods and paths', () => {
  const document = 'application/vnd.api+json'

  test('HEAD and OPTIONS', async () => {
    expect(await responseTo('/albums', 'HEAD')).toEqual([200, null, document])
    expect(await responseTo('/albums', 'OPTIONS')).toEqual([204, null, null])
  })

  test('paths without endpoints', async () => {
    expect(await responseTo('/albums', 'DELETE')).toEqual([405, 'METHOD_NOT_ALLOWED', document])
    expect(await responseTo('/drafts/1')).toEqual([404, 'PATH_NOT_FOUND', document])
    expect(await responseTo('/albums/1/relationships/artist/2')).toEqual([404, 'PATH_NOT_FOUND', document])
    expect(await responseTo('/albums/%E0')).toEqual([400, 'PATH_MALFORMED', document])
    expect(await responseTo('/albums/-actions/unknown')).toEqual([404, 'RESOURCE_NOT_FOUND', document])
    expect(await responseTo('/labels')).toEqual([404, null, 'text/plain; charset=utf-8'])
  })
})

test('the query parameters of the page are those of a server', () => {
  const listed = tableAfter('Each endpoint supports these parameters.').flatMap((row) =>
    endpointsIn(row).map((endpoint) => [endpoint, namesIn((row[2] ?? '').split(';')[0] ?? '').toSorted()] as const),
  )
  const described = [...operationsOf(server)].map(([endpoint, { families }]) => [endpoint, families] as const)
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(described))
})

test('the limits of the settings are the defaults of a server', () => {
  const listed = tableAfter('## Limits', 'docs/reference/settings.md').map(
    ([name = '', , value = '']) => [name.replaceAll('`', ''), Number(value.replaceAll(',', ''))] as const,
  )
  expect(Object.fromEntries(listed)).toEqual({ ...(server.openapi()['x-limits'] as object), errors: 100 })
})

test('the request headers of the page are those that the sources read', () => {
  const sources = ['core/http', 'serve/access', 'serve/negotiate', 'serve/parse', 'server/assembly', 'server/journey']
    .flatMap(textsIn)
    .map(withoutComments)
  const read = sources.flatMap((text) => [...text.matchAll(/header\('([a-z-]+)'\)/g)].map(([, name = '']) => name))
  // The header of API keys has a name that an option may change.
  const listed = tableAfter('## Request headers').flatMap(([names = '']) => namesIn(names.toLowerCase()))
  expect(listed.toSorted()).toEqual([...new Set([...read, 'x-api-key'])].toSorted())
})

test('the response headers of the page are those of API descriptions, and a few that these omit', () => {
  const source = readFileSync(`${root}src/describe/openapi/headers.ts`, 'utf8')
  const table = /^const descriptions = \{\n(.*?)^\}/ms.exec(source)?.[1] ?? ''
  const described = [...table.matchAll(/^ {2}'?([A-Z][\w-]*)'?:/gm)].map(([, name = '']) => name)
  expect(described.length).toBeGreaterThan(20)
  const listed = tableAfter('## Response headers').flatMap(([names = '']) => namesIn(names))
  const ofPreflight = ['Access-Control-Allow-Methods', 'Access-Control-Allow-Headers', 'Access-Control-Max-Age']
  expect(listed.toSorted()).toEqual([...described, 'Content-Type', 'Allow', ...ofPreflight].toSorted())
})

/** The status, the code and the media type of a response. */
async function responseTo(path: string, method = 'GET'): Promise<readonly unknown[]> {
  const response = await server.fetch(new Request(`http://music.example${path}`, { method }))
  const body = await response.text()
  return [response.status, /"code":"(\w+)"/.exec(body)?.[1] ?? null, response.headers.get('content-type')]
}

/** The cells of the rows of the first table after a line of the page. */
function tableAfter(start: string, page = 'docs/reference/http.md'): readonly (readonly string[])[] {
  const lines = pageText(page).split('\n')
  const first = lines.findIndex((line) => line.startsWith(start))
  const table = lines.slice(lines.findIndex((line, index) => index > first && line.startsWith('|')))
  const rows = table.slice(2, table.indexOf(''))
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

function numbersIn(cell: string): readonly number[] {
  return [...cell.matchAll(/\d+/g)].map(([number]) => Number(number))
}

/** `GET /{type}`, for each method and each path of a row. */
function endpointsIn([methods = '', paths = '']: readonly string[]): readonly string[] {
  return namesIn(paths).flatMap((path) => namesIn(methods).map((method) => `${method} ${path}`))
}

/** The path of a route with the placeholders of the page. */
function templateOf(path: string): string {
  return path
    .replace(/^\/docs\/.*$/, '/docs/{file}')
    .replace(/^\/(?:albums|artists|drafts|jobs|labels)(?=\/|$)/, '/{type}')
    .replace(/(?<=\/-actions\/).*$/, '{action}')
    .replace(/(?<=\/-aggregates\/).*$/, '{name}')
    .replace(/(?<=\{id\}\/(?:relationships\/)?)(?!relationships|-actions|-aggregates)[^/]+$/, '{rel}')
}

interface EndpointFacts {
  readonly statuses: readonly number[]
  /** The families of its query parameters. */
  readonly families: readonly string[]
}

interface Parameter {
  readonly $ref?: string
  readonly in: string
  readonly name: string
}

interface DescribedOperation {
  readonly responses?: Readonly<Record<string, unknown>>
  readonly parameters?: readonly Parameter[]
}

/** The endpoints of all types together in the OpenAPI document. */
function operationsOf({ openapi }: Pick<typeof server, 'openapi'>): ReadonlyMap<string, EndpointFacts> {
  const { paths, components } = openapi()
  const resolved = (parameter: Parameter): Parameter =>
    parameter.$ref === undefined
      ? parameter
      : (components['parameters']?.[parameter.$ref.split('/').at(-1) ?? ''] as Parameter)
  const found = new Map<string, EndpointFacts>()
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(item)) {
      const { responses, parameters = [] } = described as DescribedOperation
      if (responses === undefined) continue
      const endpoint = `${method.toUpperCase()} ${templateOf(path)}`
      const known = found.get(endpoint) ?? { statuses: [], families: [] }
      const sent = parameters.map(resolved).filter((parameter) => parameter.in === 'query')
      const families = new Set([...known.families, ...sent.map(({ name }) => name.split('[')[0] ?? '')])
      const statuses = new Set([...known.statuses, ...Object.keys(responses).map(Number).filter(Number.isInteger)])
      found.set(endpoint, {
        statuses: [...statuses].toSorted((one, other) => one - other),
        families: [...families].toSorted(),
      })
    }
  }
  return found
}

function textsIn(folder: string): readonly string[] {
  return readdirSync(`${root}src/${folder}`)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`${root}src/${folder}/${name}`, 'utf8'))
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*\*.*?\*\//gs, '')
}

import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { compactRoutes } from '../../../src/tools/cli/dev/compact-routes.js'
import { devReport } from '../../../src/tools/cli/dev/dev-report.js'
import { catalogueServer } from '../../support/catalogue.js'

const route = (method: string, path: string, name: string) => ({ method, path, name, server: 'default' })

const routes = [
  route('GET', '/albums', 'jsonapi.albums.index'),
  route('POST', '/albums', 'jsonapi.albums.create'),
  route('GET', '/albums/{id}', 'jsonapi.albums.show'),
  route('GET', '/albums/{id}/{rel}', 'jsonapi.albums.related.show'),
  route('GET', '/docs.json', 'jsonapi.openapi.json'),
  route('GET', '/docs', 'jsonapi.openapi.ui'),
  route('GET', '/docs/viewer.js', 'jsonapi.openapi.ui.viewer.js'),
]

function reported(options: { readonly hasColors?: boolean; readonly events?: object[] } = {}) {
  const printed: string[] = []
  const { hasColors = false, events } = options
  const print = (text: string) => void printed.push(text)
  const event = events === undefined ? {} : { event: (each: object) => void events.push(each) }
  return {
    printed,
    report: devReport(
      { module: 'src/server.ts', host: '0.0.0.0', canReload: false },
      { out: print, err: print, hasColors, ...event },
    ),
  }
}

const service = { types: ['albums'], routes, database: null }

test('the first version is printed with its addresses and routes, later ones in a line', () => {
  const { printed, report } = reported()
  report.serving({ service: { ...service, database: resolve('.ashlar/dev.db') }, port: 3000, milliseconds: 700.4 })
  report.changed([resolve('src/albums.ts'), resolve('src/server.ts')])
  report.serving({ service, port: 3000, milliseconds: 128.2 })
  report.changed([resolve('src/server.ts')])
  report.serving({ service: { ...service, routes: routes.slice(0, 3) }, port: 3000, milliseconds: 99 })
  expect(printed.join('\n')).toBe(`src/server.ts is served at http://localhost:3000
  Viewer: http://localhost:3000/docs
  Embedded database: .ashlar/dev.db
  1 type, 7 routes:
    /albums  GET POST, relationships
Watching for changes. Ctrl+C ends.
Reloaded in 128 ms: src/albums.ts, src/server.ts
Reloaded in 99 ms: src/server.ts
    /albums  GET POST`)
})

test('a failure is printed with its location', () => {
  const { printed, report } = reported({ hasColors: true })
  report.failed({ message: 'Unexpected token', location: 'src/albums.ts:3:5', frame: '> 3 | id: id(,' })
  expect(printed).toEqual([
    '\u001B[31mBroken:\u001B[39m src/albums.ts:3:5: Unexpected token\n> 3 | id: id(,',
    'Requests get 503 until a file changes.',
  ])
})

const exception = {
  method: 'GET',
  path: '/albums',
  status: 500,
  message: 'No title',
  location: 'src/albums.ts:3:5',
  frame: '> 3 | throw new Error()',
  stack: 'Error: No title\n    at src/albums.ts:3:5',
}

test('an exception is printed with its request, its location and its stack', () => {
  const { printed, report } = reported({ hasColors: true })
  report.exception(exception)
  report.exception({ ...exception, method: 'POST', status: null, location: null, frame: null })
  report.exception({ ...exception, method: null, path: null, status: null })
  const { frame, stack } = exception
  expect(printed).toEqual([
    `\u001B[31mException:\u001B[39m GET /albums 500, src/albums.ts:3:5\n${frame}\n${stack}`,
    `\u001B[31mException:\u001B[39m POST /albums\n${stack}`,
    `\u001B[31mException:\u001B[39m outside of requests, src/albums.ts:3:5\n${frame}\n${stack}`,
  ])
})

test('programs get events', () => {
  const events: object[] = []
  const { report } = reported({ events })
  report.changed([resolve('src/albums.ts')])
  report.serving({ service, port: 3000, milliseconds: 128.2 })
  report.failed({ message: 'Unexpected token', location: null, frame: null })
  const url = 'http://localhost:3000'
  const files = ['src/albums.ts']
  expect(events).toEqual([
    { event: 'changed', files },
    {
      event: 'serving',
      url,
      viewers: [`${url}/docs`],
      module: 'src/server.ts',
      database: null,
      types: ['albums'],
      routes,
      milliseconds: 128,
      files,
    },
    { event: 'failed', error: 'Unexpected token', place: null, frame: null },
  ])
})

test('the routes of a service with several servers and actions are a line for each type', () => {
  expect(compactRoutes(catalogueServer().routes()).filter((line) => /albums|countries/.test(line))).toEqual([
    expect.stringMatching(/^\/admin\/albums +GET POST PATCH DELETE, relationships$/),
    expect.stringMatching(/^\/admin\/albums\/-aggregates\/by-year +GET$/),
    expect.stringMatching(/^\/admin\/albums\/-aggregates\/by-artist +GET$/),
    expect.stringMatching(/^\/albums +GET POST PATCH DELETE, relationships$/),
    expect.stringMatching(/^\/countries +GET$/),
    expect.stringMatching(/^\/albums\/-aggregates\/by-year +GET$/),
    expect.stringMatching(/^\/albums\/-aggregates\/by-artist +GET$/),
  ])
  expect(
    compactRoutes([...routes, route('POST', '/albums/{id}/-actions/reissue', 'jsonapi.albums.actions.reissue')]),
  ).toEqual(['/albums  GET POST, relationships, 1 action'])
  expect(compactRoutes([])).toEqual([])
})

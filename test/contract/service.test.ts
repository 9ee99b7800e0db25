import {
  accepted,
  actionResource,
  answer,
  apiKeys,
  created,
  id,
  metaResult,
  noContent,
  ok,
  rateLimit,
  type AttributeKit,
  type OpenApiDocument,
} from 'ashlar'
import { describe, expect, test } from 'vitest'
import { albumsBothWays, bothWays, changesFrom, contractOf, type Members, resource } from './compared.js'

const albums = (members: Members = {}, settings: Members = {}): Members => ({
  resources: [resource('albums', members)],
  ...settings,
})

/** Returns the lines of the changes with one of the codes. */
function only(lines: readonly string[], ...codes: readonly string[]): readonly string[] {
  return lines.filter((line) => codes.includes(line.split(' ')[1] ?? ''))
}

describe('types', () => {
  test('that are gone or new bring nothing else', () => {
    expect(bothWays({ resources: [resource('albums'), resource('tags')] }, albums())).toEqual({
      forth: ['breaking type-removed tags'],
      back: ['safe type-added tags'],
    })
    const [found] = changesFrom(contractOf({ resources: [resource('albums'), resource('tags')] }), contractOf(albums()))
    expect(found?.sentence).toBe("The type 'tags' is gone, with 5 operations.")
  })
})

describe('operations', () => {
  test('that are gone or new', () => {
    const { forth, back } = albumsBothWays({}, { operations: ['FetchCollection', 'FetchOne', 'Create', 'Update'] })
    expect(forth).toEqual(['breaking operation-removed DELETE /albums/{id}'])
    expect(back).toEqual(['safe operation-added DELETE /albums/{id}'])
  })

  test('at another path', () => {
    const { forth, back } = albumsBothWays({}, { uriType: 'records' })
    expect(forth).toHaveLength(5)
    expect(forth).toEqual(expect.arrayContaining(['breaking operation-moved GET /albums']))
    expect(back).toEqual(expect.arrayContaining(['breaking operation-moved GET /records']))
  })

  test('with another id', () => {
    const renamed = (document: OpenApiDocument): OpenApiDocument =>
      JSON.parse(
        JSON.stringify(document).replaceAll('"operationId":"create.albums"', '"operationId":"addAlbum"'),
      ) as OpenApiDocument
    const change = ['risky operation-id-changed POST /albums']
    expect(bothWays(albums(), albums({}, { openapi: { decorate: renamed } }))).toEqual({ forth: change, back: change })
  })

  test('of actions', () => {
    const handle = () => answer.noContent()
    const actions = (a: { resource: (options: object) => unknown }) => ({
      play: a.resource({ handle, responds: noContent() }),
    })
    const { forth, back } = albumsBothWays({ actions }, {})
    expect(only(forth, 'operation-removed')).toEqual(['breaking operation-removed POST /albums/{id}/-actions/play'])
    expect(only(back, 'operation-added')).toEqual(['safe operation-added POST /albums/{id}/-actions/play'])
  })
})

test('components with another name', () => {
  const renamed = (document: OpenApiDocument): OpenApiDocument =>
    JSON.parse(JSON.stringify(document).replaceAll('AlbumsResource"', 'RecordResource"')) as OpenApiDocument
  const change = ['risky component-renamed service']
  expect(bothWays(albums(), albums({}, { openapi: { decorate: renamed } }))).toEqual({ forth: change, back: change })
})

describe('bodies of requests', () => {
  const attributes = (a: AttributeKit<Record<string, never>>) => ({ title: a.string() })
  const acting = (options: object): Members => ({
    attributes,
    actions: (a: { resource: (given: object) => unknown }) => ({
      play: a.resource({ handle: () => answer.noContent(), responds: noContent(), ...options }),
    }),
  })

  test('that actions must have, or no longer read', () => {
    const { forth, back } = albumsBothWays(acting({}), acting({ input: 'document' }))
    expect(only(forth, 'body-required', 'body-optional')).toEqual([
      'breaking body-required POST /albums/{id}/-actions/play',
    ])
    expect(only(back, 'body-ignored')).toEqual(['risky body-ignored POST /albums/{id}/-actions/play'])
  })

  test('that actions need not have, with other media types', () => {
    const { forth, back } = albumsBothWays(acting({ input: 'document' }), acting({ input: 'raw' }))
    expect(only(forth, 'body-optional', 'request-media-type-removed', 'request-media-type-added')).toEqual([
      'breaking request-media-type-removed POST /albums/{id}/-actions/play',
      'safe body-optional POST /albums/{id}/-actions/play',
      'safe request-media-type-added POST /albums/{id}/-actions/play',
    ])
    expect(only(back, 'body-required')).toEqual(['breaking body-required POST /albums/{id}/-actions/play'])
  })

  test('of another type', () => {
    const service = (inputType: string): Members => ({
      resources: [
        resource('albums', acting({ input: 'document', inputType })),
        resource('tags', { attributes }),
        resource('orders', { attributes }),
      ],
    })
    const change = ['breaking value-type-changed POST /albums/{id}/-actions/play']
    expect(bothWays(service('tags'), service('orders'))).toEqual({ forth: change, back: change })
  })
})

describe('responses', () => {
  const jobs = resource('jobs')
  const service = (members: Members): Members => ({ resources: [resource('albums', members), jobs] })

  test('with other statuses of success', () => {
    const { forth, back } = bothWays(service({ create: created() }), service({ create: [created(), noContent()] }))
    expect(forth).toEqual(['risky success-status-added POST /albums'])
    expect(back).toEqual(['breaking success-status-removed POST /albums'])
  })

  test('of work that goes on', () => {
    const persister = {
      create: () => answer.accepted({ job: { id: 1 } }),
      update: () => undefined,
      delete: () => undefined,
    }
    const { forth } = bothWays(
      service({ persister, update: ok() }),
      service({ persister, create: [created(), accepted('jobs')], update: ok() }),
    )
    expect(only(forth, 'success-status-added')).toEqual(['risky success-status-added POST /albums'])
  })

  test('with a document or without one', () => {
    const acting = (responds: unknown): Members => ({
      actions: (a: { resource: (given: object) => unknown }) => ({
        play: a.resource({ handle: () => answer.noContent(), responds }),
      }),
    })
    const { forth, back } = albumsBothWays(acting(actionResource()), acting(metaResult()))
    const place = 'POST /albums/{id}/-actions/play'
    expect(only(forth, 'response-form-changed')).toEqual([`breaking response-form-changed ${place}`])
    expect(only(back, 'response-form-changed')).toEqual([`breaking response-form-changed ${place}`])
    const withoutDocument = (document: OpenApiDocument): OpenApiDocument => {
      const copy = structuredClone(document) as {
        paths: Record<string, Record<string, { responses: Record<string, object> }>>
      }
      const responses = copy.paths['/albums']?.['get']?.responses ?? {}
      responses['200'] = { description: 'Nothing.' }
      return copy as unknown as OpenApiDocument
    }
    const bare = albums({}, { openapi: { decorate: withoutDocument } })
    expect(only(bothWays(albums(), bare).forth, 'response-document-removed')).toEqual([
      'breaking response-document-removed GET /albums',
    ])
    expect(only(bothWays(albums(), bare).back, 'response-document-added')).toEqual([
      'safe response-document-added GET /albums',
    ])
  })

  test('with other media types', () => {
    const renamed = (document: OpenApiDocument): OpenApiDocument =>
      JSON.parse(
        JSON.stringify(document).replaceAll('"application/vnd.api+json"', '"application/json"'),
      ) as OpenApiDocument
    const { forth } = bothWays(albums(), albums({}, { openapi: { decorate: renamed } }))
    expect(forth.toSorted()).toEqual(
      [
        'breaking request-media-type-removed albums',
        'breaking response-media-type-removed service',
        'risky response-media-type-added service',
        'safe request-media-type-added albums',
      ].toSorted(),
    )
  })

  test('with other members around the resources', () => {
    const { forth, back } = bothWays(albums(), albums({}, { version: '' }))
    expect(forth).toEqual(expect.arrayContaining(['breaking member-not-always-shown service']))
    expect(back).toEqual(expect.arrayContaining(['safe member-always-shown service']))
  })

  test('of further types', () => {
    const acting = (type: string): Members => ({
      resources: [
        resource('albums', {
          actions: (a: { resource: (given: object) => unknown }) => ({
            play: a.resource({ handle: () => answer.resource(null), responds: actionResource(type) }),
          }),
        }),
        resource('tags'),
      ],
    })
    const { forth } = bothWays(acting('albums'), acting('tags'))
    expect(only(forth, 'response-form-changed')).toEqual([
      'breaking response-form-changed POST /albums/{id}/-actions/play',
    ])
  })

  test('with errors of other statuses and codes', () => {
    const limited = {
      middleware: [rateLimit({ limiter: { points: 1, duration: 1, consume: async () => ({}) } } as never)],
    }
    const { forth, back } = bothWays(albums(), albums({}, limited))
    expect(only(forth, 'error-status-added')).toEqual(['risky error-status-added service'])
    expect(only(back, 'error-status-removed')).toEqual(['safe error-status-removed service'])
    expect(only(forth, 'response-header-added')).toEqual([
      'safe response-header-added service',
      'safe response-header-added service',
    ])
    expect(only(back, 'response-header-removed')).toHaveLength(2)
    const strict = bothWays(albums(), albums({}, { unknownMembers: 'reject' }))
    expect(only(strict.forth, 'error-code-added')).toEqual(['risky error-code-added service'])
    expect(only(strict.back, 'error-code-removed')).toEqual(['safe error-code-removed service'])
  })

  test('with errors of functions of the application', () => {
    const { forth, back } = albumsBothWays({}, { hooks: { beforeCreate: () => undefined } })
    expect(forth).toEqual(['safe other-errors-added albums'])
    expect(back).toEqual(['safe other-errors-removed albums'])
  })

  test('for pages of other origins', () => {
    const { forth, back } = bothWays(albums({}, { cors: { origins: ['https://music.example'] } }), albums())
    expect(forth).toEqual(['breaking cross-origin-refused service'])
    expect(only(back, 'response-header-added')).toEqual(['safe response-header-added service'])
  })
})

describe('headers of requests', () => {
  const versioned = (required: boolean): Members => ({ version: { column: 'lockVersion', required } })

  test('that writes must have', () => {
    const { forth, back } = albumsBothWays(versioned(false), versioned(true))
    expect(only(forth, 'precondition-required')).toEqual(['breaking precondition-required albums'])
    expect(only(back, 'parameter-optional')).toEqual(['safe parameter-optional albums'])
  })

  test('that have no effect any more', () => {
    const { forth, back } = albumsBothWays(versioned(false), {})
    expect(only(forth, 'parameter-removed', 'header-ignored')).toEqual([
      'breaking parameter-removed albums',
      'risky header-ignored GET /albums/{id}',
    ])
    expect(only(back, 'parameter-added')).toHaveLength(2)
  })

  test('of idempotent writes', () => {
    const { forth } = bothWays(albums({}, { idempotency: true }), albums())
    expect(only(forth, 'parameter-removed')).toEqual(['breaking parameter-removed albums'])
  })

  test('that a decorated document adds', () => {
    const withTenant =
      (required: boolean) =>
      (document: OpenApiDocument): OpenApiDocument => {
        const copy = structuredClone(document) as { paths: Record<string, Record<string, { parameters: object[] }>> }
        copy.paths['/albums']?.['get']?.parameters.push({
          name: 'X-Tenant',
          in: 'header',
          required,
          schema: { type: 'string' },
        })
        return copy as unknown as OpenApiDocument
      }
    const { forth, back } = bothWays(
      albums({}, { openapi: { decorate: withTenant(false) } }),
      albums({}, { openapi: { decorate: withTenant(true) } }),
    )
    expect(forth).toEqual(['breaking parameter-required GET /albums'])
    expect(back).toEqual(['safe parameter-optional GET /albums'])
  })

  test('the id in paths', () => {
    const { forth, back } = albumsBothWays({ id: id() }, { id: id().numeric() })
    expect(only(forth, 'request-rule-tightened')).toEqual(
      expect.arrayContaining(['breaking request-rule-tightened albums']),
    )
    expect(only(back, 'request-rule-loosened')).toEqual(expect.arrayContaining(['safe request-rule-loosened albums']))
  })
})

describe('security', () => {
  const middleware = [apiKeys({ find: () => null })]
  type PolicyKit = { eq: (column: string, value: unknown) => unknown }
  const guarded = (policy: unknown, settings: Members = {}): Members => ({
    resources: [resource('albums', { policy })],
    ...settings,
  })

  test('of operations', () => {
    const open = guarded('public', { middleware })
    const closed = guarded(() => ({ viewAny: true, view: true, create: false, update: false, delete: false }), {
      middleware,
    })
    const { forth, back } = bothWays(open, closed)
    expect(only(forth, 'credentials-required')).toEqual(['breaking credentials-required albums'])
    expect(only(back, 'credentials-not-required')).toEqual(['risky credentials-not-required albums'])
  })

  test('that depends on rows', () => {
    const open = guarded('public', { middleware })
    const some = guarded(
      (p: PolicyKit) => ({ viewAny: true, view: p.eq('public', true), create: true, update: true, delete: true }),
      {
        middleware,
      },
    )
    expect(only(bothWays(open, some).forth, 'credentials-sometimes-required')).toEqual([
      'risky credentials-sometimes-required GET /albums/{id}',
    ])
  })

  test('by other schemes', () => {
    const schemes = (names: readonly string[], header = 'X-Key'): Members =>
      guarded(() => ({ viewAny: false, view: false, create: false, update: false, delete: false }), {
        middleware,
        openapi: {
          securitySchemes: Object.fromEntries(
            names.map((name) => [name, { type: 'apiKey', in: 'header', name: header }]),
          ),
        },
      })
    const { forth, back } = bothWays(schemes(['key']), schemes(['key', 'token']))
    expect(only(forth, 'scheme-added')).toEqual(['safe scheme-added albums'])
    expect(only(back, 'scheme-removed')).toEqual(['breaking scheme-removed albums'])
    expect(bothWays(schemes(['key']), schemes(['key'], 'X-Api-Key')).forth).toEqual(['breaking scheme-changed service'])
  })
})

describe('the service', () => {
  test('with other limits', () => {
    const { forth, back } = bothWays(albums(), albums({}, { limits: { bodyBytes: 1000, filterValues: 5 } }))
    expect(forth).toEqual([
      'breaking limit-lowered service limits.bodyBytes',
      'breaking limit-lowered service limits.filterValues',
    ])
    expect(back).toEqual([
      'safe limit-raised service limits.bodyBytes',
      'safe limit-raised service limits.filterValues',
    ])
  })

  test('at other addresses', () => {
    const { forth, back } = bothWays(
      albums({}, { baseUri: 'https://a.example' }),
      albums({}, { baseUri: 'https://b.example' }),
    )
    expect(forth).toEqual(['breaking address-removed service', 'safe address-added service'])
    expect(back).toEqual(['breaking address-removed service', 'safe address-added service'])
  })

  test('with other profiles', () => {
    const { forth, back } = bothWays(
      albums({}, { profiles: [{ uri: 'https://a.example' }] }),
      albums({}, { profiles: [] }),
    )
    expect(only(forth, 'profile-removed')).toEqual(['breaking profile-removed service'])
    expect(only(back, 'profile-added')).toEqual(['safe profile-added service'])
  })
})

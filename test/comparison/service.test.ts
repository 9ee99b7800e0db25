import { apiKeys } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { albums, bothDirections, type Members } from './compared.js'

interface PolicyKit {
  eq(column: string, value: unknown): unknown
}

const nothing = { viewAny: false, view: false, create: false, update: false, delete: false }

function guarded(policy: unknown, settings: Members = {}): Members {
  return albums({ policy }, { middleware: [apiKeys({ find: () => null })], ...settings })
}

const schemes = (names: readonly string[], header = 'X-Key'): Members =>
  guarded(() => nothing, {
    openapi: {
      securitySchemes: Object.fromEntries(names.map((name) => [name, { type: 'apiKey', in: 'header', name: header }])),
    },
  })

describe('credentials', () => {
  test('of all callers', () => {
    expect(
      bothDirections(
        guarded('public'),
        guarded(() => ({ ...nothing, viewAny: true, view: true })),
        'credentials-required',
        'credentials-not-required',
      ),
    ).toEqual({
      forth: ['breaking credentials-required albums'],
      back: ['risky credentials-not-required albums'],
    })
  })

  test('that depend on rows', () => {
    const some = guarded((p: PolicyKit) => ({
      viewAny: true,
      view: p.eq('public', true),
      create: true,
      update: true,
      delete: true,
    }))
    const codes = ['credentials-sometimes-required', 'credentials-not-required', 'credentials-required']
    expect(bothDirections(guarded('public'), some, ...codes)).toEqual({
      forth: ['risky credentials-sometimes-required GET /albums/{id}'],
      back: ['risky credentials-not-required GET /albums/{id}'],
    })
    expect(
      bothDirections(
        some,
        guarded(() => nothing),
        ...codes,
      ).forth,
    ).toEqual(['breaking credentials-required albums'])
  })

  test('by other schemes', () => {
    expect(bothDirections(schemes(['key']), schemes(['key', 'token']))).toEqual({
      forth: ['safe scheme-added albums'],
      back: ['breaking scheme-removed albums'],
    })
    expect(bothDirections(schemes(['key']), schemes(['key'], 'X-Api-Key')).forth).toEqual([
      'breaking scheme-changed service',
    ])
  })
})

test('limits', () => {
  expect(bothDirections(albums(), albums({}, { limits: { bodyBytes: 1000, filterValues: 5 } }))).toEqual({
    forth: ['breaking limit-lowered service limits.bodyBytes', 'breaking limit-lowered service limits.filterValues'],
    back: ['safe limit-raised service limits.bodyBytes', 'safe limit-raised service limits.filterValues'],
  })
})

test('addresses', () => {
  const [one, other] = ['a', 'b'].map((host) => albums({}, { baseUri: `https://${host}.example` }))
  expect(bothDirections(one ?? {}, other ?? {})).toEqual({
    forth: ['breaking address-removed service', 'safe address-added service'],
    back: ['breaking address-removed service', 'safe address-added service'],
  })
})

test('profiles', () => {
  const [some, none] = [[{ uri: 'https://a.example' }], []].map((profiles) => albums({}, { profiles }))
  expect(bothDirections(some ?? {}, none ?? {}, 'profile-removed', 'profile-added')).toEqual({
    forth: ['breaking profile-removed service'],
    back: ['safe profile-added service'],
  })
})

import {
  accepted,
  actionResource,
  reply,
  created,
  metaResult,
  noContent,
  ok,
  rateLimit,
  type RateLimiter,
} from 'ashlar'
import { describe, expect, test } from 'vitest'
import {
  acting,
  albums,
  albumsInBothDirections,
  alike,
  bothDirections,
  decorated,
  type Members,
  oneAttribute,
  replaced,
  resource,
} from './compared.js'

const play = 'POST /albums/{id}/-actions/play'
const limiter = { points: 1, duration: 1 } as RateLimiter

const withJobs = (members: Members): Members => ({ resources: [resource('albums', members), resource('jobs')] })

describe('statuses', () => {
  test('of success', () => {
    expect(bothDirections(withJobs({ create: created() }), withJobs({ create: [created(), noContent()] }))).toEqual({
      forth: ['risky success-status-added POST /albums'],
      back: ['breaking success-status-removed POST /albums'],
    })
  })

  test('of deferred work', () => {
    const persister = { create: () => reply.accepted({}), update: () => undefined, delete: () => undefined }
    const [now, later] = [created(), [created(), accepted('jobs')]].map((create) =>
      withJobs({ persister, create, update: ok() }),
    )
    expect(bothDirections(now ?? {}, later ?? {}, 'success-status-added').forth).toEqual([
      'risky success-status-added POST /albums',
    ])
  })

  test('of errors, with the headers that come with them', () => {
    const limited = albums({}, { middleware: [rateLimit({ limiter })] })
    const codes = ['error-status-added', 'error-status-removed', 'response-header-added', 'response-header-removed']
    expect(bothDirections(albums(), limited, ...codes)).toEqual({
      forth: [
        'risky error-status-added service',
        'safe response-header-added service',
        'safe response-header-added service',
      ],
      back: [
        'risky response-header-removed service',
        'risky response-header-removed service',
        'safe error-status-removed service',
      ],
    })
  })

  test('of functions of the application', () => {
    expect(albumsInBothDirections({}, { hooks: { beforeCreate: () => undefined } })).toEqual({
      forth: ['safe other-errors-added albums'],
      back: ['safe other-errors-removed albums'],
    })
  })
})

test('codes of errors', () => {
  expect(bothDirections(albums(), albums({}, { unknownMembers: 'reject' }))).toEqual({
    forth: ['risky error-code-added service'],
    back: ['safe error-code-removed service'],
  })
})

test('headers for pages of other origins', () => {
  const open = albums({}, { cors: { origins: ['https://music.example'] } })
  expect(bothDirections(open, albums())).toEqual({
    forth: ['breaking cross-origin-refused service'],
    back: ['safe response-header-added service'],
  })
})

const patterned = (pattern: string): Members =>
  decorated(
    (document) => {
      document['components'].schemas.AlbumsAttributes.properties.title = { type: 'string', pattern }
    },
    { attributes: oneAttribute },
  )

const respondingWith = (type: string): Members => ({
  resources: [resource('albums', acting({ responds: actionResource(type) })), resource('tags')],
})

describe('documents', () => {
  test('with other primary data', () => {
    const codes = ['response-form-changed']
    const [resources, meta] = [actionResource(), metaResult()].map((responds) => acting({ responds }))
    expect(albumsInBothDirections(resources ?? {}, meta ?? {}, ...codes)).toEqual(
      alike(`breaking response-form-changed ${play}`),
    )
  })

  test('of an action with a list, or with none', () => {
    const [one, orNull, many] = (['one', 'oneOrNull', 'many'] as const).map((data) =>
      acting({ responds: actionResource(null, data) }),
    )
    const changed = alike(`breaking response-form-changed ${play}`)
    expect(albumsInBothDirections(one ?? {}, many ?? {}, 'response-form-changed')).toEqual(changed)
    expect(albumsInBothDirections(orNull ?? {}, many ?? {}, 'response-form-changed')).toEqual(changed)
    expect(albumsInBothDirections(one ?? {}, orNull ?? {})).toEqual({
      forth: [`breaking response-null-possible ${play}`],
      back: [`safe response-null-gone ${play}`],
    })
  })

  test('of another type', () => {
    expect(bothDirections(respondingWith('albums'), respondingWith('tags'), 'response-form-changed')).toEqual(
      alike(`breaking response-form-changed ${play}`),
    )
  })

  test('where there was none', () => {
    const bare = decorated((document) => {
      document['paths']['/albums'].get.responses['200'] = { description: 'Nothing.' }
    })
    expect(bothDirections(albums(), bare, 'response-document-removed', 'response-document-added')).toEqual({
      forth: ['breaking response-document-removed GET /albums'],
      back: ['safe response-document-added GET /albums'],
    })
  })

  test('with another media type', () => {
    const { forth } = bothDirections(albums(), replaced('"application/vnd.api+json"', '"application/json"'))
    expect(forth.toSorted()).toEqual([
      'breaking request-media-type-removed albums',
      'breaking response-media-type-removed service',
      'risky response-media-type-added service',
      'safe request-media-type-added albums',
    ])
  })

  test('with other members around the resources', () => {
    const { forth, back } = bothDirections(albums(), albums({}, { version: '' }))
    expect(forth).toContain('breaking member-not-always-shown service')
    expect(back).toContain('safe member-always-shown service')
  })

  test('with resources that have no link to themselves', () => {
    expect(albumsInBothDirections({}, { selfLink: false })).toEqual({
      forth: ['breaking member-not-always-shown albums/links'],
      back: ['safe member-always-shown albums/links'],
    })
  })

  test('with values by another rule, which only a decorated document has', () => {
    expect(bothDirections(patterned('^a'), patterned('^b'))).toEqual(alike('risky response-rule-changed albums.title'))
  })
})

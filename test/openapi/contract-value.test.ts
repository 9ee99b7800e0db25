import { belongsTo, defineResource, enumeration, hasMany, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { buildService } from '../../src/server/assembly/build-service.js'
import type { Contract } from '../../src/describe/contract/contract.js'

const Status = enumeration('Status', { draft: 'Not out.', out: 'Out.' })

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; status: string; artistId: number; labelId: number }>('albums'),
  server: ['default', 'admin'],
  id: id(),
  attributes: (a) => ({
    title: a.string().required().maxLength(20).sortable(),
    status: a.string().enum(Status).nullable(),
    secret: a.string().storedAs('title').hidden(),
  }),
  relations: {
    artist: belongsTo('artists').via('artistId'),
    label: belongsTo('labels').via('labelId').cannotReplace(),
  },
  filters: (f) => ({ title: f.contains(), secret: f.contains() }),
  policy: () => ({ viewAny: true, view: true, create: ({ caller }) => caller !== null }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  server: 'admin',
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').via('artistId') },
})

const labels = defineResource('labels', {
  model: model<{ id: number; name: string }>('labels'),
  server: ['default', 'admin'],
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  operations: [],
})

const settings = {
  resources: [albums, artists, labels],
  data: memoryData(),
  policy: 'public' as const,
  servers: { admin: { prefix: '/admin' } },
}

function contractOf(server: string): Contract {
  const description = buildService(settings).describe(server)
  if (description === null) throw new Error(`There is no server '${server}'.`)
  return description.contract()
}

describe('The contract of a server', () => {
  test('is plain data: JSON has all of it', () => {
    for (const server of ['default', 'admin']) {
      const contract = contractOf(server)
      expect(JSON.parse(JSON.stringify(contract))).toStrictEqual(contract)
    }
  })

  test('is frozen to its last member', () => {
    const unfrozen: string[] = []
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return
      if (!Object.isFrozen(value)) unfrozen.push(path)
      for (const [name, member] of Object.entries(value)) walk(member, `${path}/${name}`)
    }
    walk(contractOf('default'), '')
    expect(unfrozen).toStrictEqual([])
  })

  test('is computed once', () => {
    const description = buildService(settings).describe('default')
    expect(description?.contract()).toBe(description?.contract())
  })

  test('says of what is declared whether the server serves it', () => {
    const [onDefault, onAdmin] = ['default', 'admin'].map((server) =>
      contractOf(server).types.find(({ type }) => type === 'albums'),
    )
    const artistOf = (type: typeof onDefault) => type?.relations.find(({ name }) => name === 'artist')
    expect(artistOf(onDefault)?.declaredUses).toContain('includable')
    expect(artistOf(onDefault)?.uses).not.toContain('includable')
    expect(artistOf(onAdmin)?.uses).toContain('includable')
    expect(onDefault?.filters['secret']?.isServed).toBe(false)
    expect(onDefault?.filters['title']?.isServed).toBe(true)
  })

  test('has the types of other servers, whose keys filter linkage, apart from its own', () => {
    const { types, referenced } = contractOf('default')
    expect(types.map(({ type }) => type)).toStrictEqual(['albums', 'labels'])
    expect(referenced.map(({ type }) => type)).toStrictEqual(['artists'])
    expect(contractOf('admin').referenced).toStrictEqual([])
  })

  test('has no attribute that is hidden from all callers', () => {
    const [found] = contractOf('default').types
    expect(JSON.stringify(found?.attributes)).not.toContain('secret')
  })

  test('has each named set of values once, and refers to it', () => {
    const { enumerations, types } = contractOf('default')
    expect(enumerations.map(({ name }) => name)).toStrictEqual(['Status'])
    const status = { anyOf: [{ $ref: '#/enumerations/0' }, { type: 'null' }] }
    expect(types[0]?.attributes.read.served).toMatchObject({ properties: { status } })
  })

  test('says which requests need credentials', () => {
    const [found] = contractOf('default').types
    expect(found?.access).toStrictEqual({ viewAny: 'none', view: 'none', create: 'all', update: 'all', delete: 'all' })
  })
})

import { createServer, defineResource, hasMany, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect } from 'vitest'
import { catalogueServer } from '../../support/catalogue.js'
import { catalogueWorld } from '../../support/catalogue-world.js'
import { client } from '../../support/client.js'
import { storedData } from '../../support/stored-data.js'
import { statement } from './statement.js'

/** https://jsonapi.org/format/1.1/#document-member-names */

describe('members that the format does not define', () => {
  statement('ignore-additional-members', 'members that the format does not know are ignored in requests', async () => {
    const { api } = catalogueWorld()
    const artist = { data: { type: 'artists', id: '2', href: '/x' }, kind: 'one' }
    const body = {
      jsonapi: { version: '9' },
      strange: true,
      data: {
        type: 'albums',
        id: '1',
        href: '/x',
        attributes: { title: 'Changed', strange: 1 },
        relationships: { artist, strange: { data: null } },
      },
    }
    const { resource } = await api.patch('/albums/1', { body })
    expect(resource.attributes).toMatchObject({ title: 'Changed' })
    expect(resource.relationships?.['artist']?.data).toEqual({ type: 'artists', id: '2' })
    expect(resource.attributes).not.toHaveProperty('strange')
  })

  statement(
    [
      'member-name-at-members-no-process',
      'member-name-at-members-ignore-for-definitions',
      'member-name-at-members-definition',
      'member-name-at-members-where',
    ],
    '@-members are ignored at any level, also where unknown members are an error',
    async () => {
      for (const unknownMembers of ['ignore', 'reject'] as const) {
        const api = client(catalogueServer({ unknownMembers }))
        const artist = { '@x': 1, data: { '@x': 1, type: 'artists', id: '2', meta: { '@x': 1 } } }
        const body = {
          '@context': { any: 'thing' },
          data: {
            '@id': 7,
            type: 'albums',
            id: '1',
            attributes: { title: 'Changed', '@title': 7, releaseInfo: { label: 'EMI', '@label': 7 } },
            relationships: { artist, '@artist': 7 },
          },
        }
        const changed = await api.patch('/albums/1', { body })
        expect(changed.errors).toEqual([])
        expect(changed.resource.attributes).toMatchObject({ title: 'Changed', releaseInfo: { label: 'EMI' } })
        expect(changed.text).not.toContain('@')
        expect((await api.patch('/albums/1/relationships/artist', { body: artist })).status).toBe(204)
      }
    },
  )

  statement(
    'member-name-at-members-ignore-for-definitions',
    'a document that has only @-members counts as empty',
    async () => {
      const { api } = catalogueWorld()
      expectErrors(await api.post('/albums', { body: { '@data': { type: 'albums' } } }), [{ status: 400 }])
    },
  )
})

describe('names of members', () => {
  statement('member-name-case', 'member names are case-sensitive', async () => {
    const labels = defineResource('labels', {
      model: model<{ id: number; name: string; title: string }>('labels'),
      id: id(),
      attributes: (a) => ({ name: a.string(), NAME: a.string().storedAs('title') }),
      relations: { releases: hasMany('labels').via('name') },
    })
    const data = storedData({ labels: [{ id: 1, name: 'ecm', title: 'ECM' }] })
    const api = client(createServer({ resources: [labels], data }))
    const body = { data: { type: 'labels', id: '1', attributes: { NAME: 'WARP', Name: 'none' } } }
    expect((await api.patch('/labels/1', { body })).resource.attributes).toEqual({ name: 'ecm', NAME: 'WARP' })
    expect((await api.get('/labels/1?fields[labels]=NAME')).resource.attributes).toEqual({ NAME: 'WARP' })
    expect((await api.get('/labels/1?fields[labels]=Name')).status).toBe(400)
    expect((await api.get('/labels/1?include=Releases')).status).toBe(400)
    expect((await api.patch('/labels/1', { body: { Data: body.data } })).status).toBe(400)
  })
})

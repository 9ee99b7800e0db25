import type { TestClient, TestResource } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { exemptFromDescription } from '../support/described-exchange.js'
import { catalogueWorld } from '../support/catalogue-world.js'
import { asText, emptied, type EverythingRow, everythingWith, outdated, row, sparse } from '../support/everything.js'

/** The resource of a GET response can be sent back with PATCH unchanged, and changes nothing. */
async function expectRoundTrip(api: TestClient, path: string, rows: () => Promise<unknown>): Promise<void> {
  const before = await rows()
  const read = await api.get(path)
  const written = await api.patch(path, { body: { data: read.resource } })
  expect({ path, errors: written.errors }).toEqual({ path, errors: [] })
  expect(written.status).toBe(200)
  expect(written.text).toBe(read.text)
  expect(await rows()).toEqual(before)
}

const pathOf = (resource: TestResource, prefix: string): string =>
  `${prefix}/${resource.type}/${encodeURIComponent(resource.id)}`

describe.each([
  ['albums', '', 'artist,tracks', 'title,tracks,releaseInfo'],
  ['artists', '', 'albums', 'albums,createdAt'],
  ['tracks', '', 'album,playlists', 'displayTitle,playlists'],
  ['playlists', '', 'publicOwner,tracks,orderedTracks', 'orderedTracks'],
  ['libraries', '', 'items', 'items'],
  ['devices', '', '', 'label'],
  ['genres', '', '', ''],
  ['products', '', 'parent', 'parent'],
  ['favorites', '', 'favoritable', 'favoritable'],
  ['albums', '/admin', '', 'artist'],
  ['users', '/admin', '', 'email,password'],
])('every one of the %s of the catalogue (server %j)', (type, prefix, relations, fields) => {
  test('can be sent back as it was read', async () => {
    const { api, rows } = catalogueWorld()
    const { resources } = await api.get(`${prefix}/${type}`)
    expect(resources).not.toHaveLength(0)
    for (const resource of resources) await expectRoundTrip(api, pathOf(resource, prefix), rows)
  })

  test('can be sent back with the linkage of all its relations', async () => {
    const { api, rows } = catalogueWorld()
    for (const resource of (await api.get(`${prefix}/${type}`)).resources) {
      await expectRoundTrip(api, `${pathOf(resource, prefix)}?include=${relations}`, rows)
    }
  })

  test('can be sent back as the collection shows it, or with some of its fields', async () => {
    const { api, rows } = catalogueWorld()
    const before = await rows()
    for (const query of [`?include=${relations}`, `?fields[${type}]=${fields}`]) {
      for (const resource of (await api.get(`${prefix}/${type}${query}`)).resources) {
        const written = await api.patch(pathOf(resource, prefix), { body: { data: resource } })
        expect([written.status, written.errors]).toEqual([200, []])
      }
    }
    expect(await rows()).toEqual(before)
  })
})

/** A fieldset of all members, including those that are sparse by default. */
async function allFields(api: TestClient, path: string): Promise<string> {
  const { attributes = {} } = (await api.get(path)).resource
  return `?fields[everything]=${[...Object.keys(attributes), 'sparse', 'label'].join(',')}`
}

describe.each([
  ['values of every kind', row],
  ['values that a store keeps as text', asText],
  ['nulls that may not be sent', emptied],
  ['composites with nulls in them', sparse],
])('a resource with %s', (_name, stored) => {
  const path = `/everything/${stored.id}`

  test('can be sent back as it was read', async () => {
    const { api, rows } = everythingWith([stored])
    await expectRoundTrip(api, path, rows)
  })

  test('can be sent back with the related resources, and with members that are sparse by default', async () => {
    const { api, rows } = everythingWith([stored])
    await expectRoundTrip(api, `${path}?include=label`, rows)
    await expectRoundTrip(api, `${path}${await allFields(api, path)}`, rows)
  })

  test('can be sent back attribute by attribute', async () => {
    exemptFromDescription('requests', 'Values that are stored may be sent back, although they break the rules.')
    const { api, rows } = everythingWith([stored])
    const before = await rows()
    const { attributes = {} } = (await api.get(`${path}${await allFields(api, path)}`)).resource
    for (const [name, value] of Object.entries(attributes)) {
      const data = { type: 'everything', id: String(stored.id), attributes: { [name]: value } }
      const written = await api.patch(path, { body: { data } })
      expect({ name, errors: written.errors }).toEqual({ name, errors: [] })
    }
    expect(await rows()).toEqual(before)
  })
})

describe('a stored value that violates the current rules', () => {
  const broken = ['/data/attributes/choice/format', '/data/attributes/email', '/data/attributes/text']

  test('is reported if it is sent back, and nothing is written', async () => {
    exemptFromDescription('exchanges', 'Values that are stored are older than the enumeration.')
    const { api, rows } = everythingWith([outdated])
    const before = await rows()
    const { resource } = await api.get('/everything/5')
    const written = await api.patch('/everything/5', { body: { data: resource } })
    expect(written.errors.map(({ source }) => String(source?.pointer)).toSorted()).toEqual(broken)
    expect(await rows()).toEqual(before)
  })

  test('is not checked if it is not sent', async () => {
    exemptFromDescription('exchanges', 'Values that are stored are older than the enumeration.')
    const { api } = everythingWith([outdated])
    const data = { type: 'everything', id: '5', attributes: { note: 'new' } }
    expect((await api.patch('/everything/5', { body: { data } })).status).toBe(200)
  })

  test('is reported with validateStored though it is not sent', async () => {
    const { api, rows } = everythingWith([outdated], { validateStored: true })
    const before = await rows()
    const data = { type: 'everything', id: '5', attributes: { note: 'new' } }
    const written = await api.patch('/everything/5', { body: { data } })
    expect(written.errors.map(({ source }) => String(source?.pointer)).toSorted()).toEqual(broken)
    expect(await rows()).toEqual(before)
  })
})

/** Sends all of a resource back, with some attributes changed; returns the row after it. */
async function changed(attributes: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { api, rows } = everythingWith([row])
  const { resource } = await api.get('/everything/1')
  const data = { ...resource, attributes: { ...resource.attributes, ...attributes } }
  expect((await api.patch('/everything/1', { body: { data } })).errors).toEqual([])
  return (await rows())['everything']?.[0]
}

/** The row as it would be with these columns. */
async function rowWith(columns: Partial<EverythingRow>): Promise<unknown> {
  return (await everythingWith([{ ...row, ...columns }]).rows())['everything']?.[0]
}

describe('if one value changes, the others that are sent back with it do not change in the store', () => {
  test('attributes', async () => {
    expect(await changed({ integer: 8, note: 'n' })).toBe(await rowWith({ integer: 8, note: 'n' }))
  })

  test('members of a map', async () => {
    const map = { a: 'b', b: 2, deep: { c: '2024-02-29T12:30:15.678+00:00' } }
    expect(await changed({ map })).toBe(await rowWith({ columnA: 'b' }))
  })

  test('members of an object, in objects and variants inside of it too', async () => {
    const held = {
      name: 'm',
      at: '2024-02-29T12:30:15.678+00:00',
      inner: { x: 2, y: 2.5 },
      either: { type: 'one', n: 2 },
    }
    const inner = { x: 2, y: '2.50', z: 'kept' }
    const either = { type: 'one', n: 2, more: true }
    expect(await changed({ held })).toBe(await rowWith({ held: { ...row.held, name: 'm', inner, either } }))
  })

  test('members of a variant', async () => {
    const choice = { format: 'vinyl', speed: 45, pressed: '1997-09-22' }
    expect(await changed({ choice })).toBe(await rowWith({ choice: { ...row.choice, speed: 45 } }))
  })
})

import type { AttributeKit } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe } from 'vitest'
import { albumFaults, faultsOf, refusals, resource } from './refusals.js'

type Kit = AttributeKit<Record<string, unknown>>

describe('a column has one writer', () => {
  refusals([
    {
      name: 'of two attributes',
      found: () =>
        albumFaults({ attributes: (a: Kit) => ({ x: a.string().storedAs('c'), y: a.integer().storedAs('c') }) }),
      messages: [
        "albums.y: writes the column 'c', which 'x' writes too. Remedy: make it readOnly(), or store it in another column with storedAs().",
      ],
    },
    {
      name: 'of an attribute and the child of a map',
      found: () =>
        albumFaults({ attributes: (a: Kit) => ({ label: a.string(), info: a.map().fields({ label: a.string() }) }) }),
      messages: [
        "albums.info.label: writes the column 'label', which 'label' writes too. Remedy: make it readOnly(), or store it in another column with storedAs().",
      ],
    },
    {
      name: 'which is the id for the key',
      found: () => albumFaults({ attributes: (a: Kit) => ({ code: a.string().storedAs('id') }) }),
      messages: [
        "albums.code: writes the column 'id', which 'id' writes too. Remedy: make it readOnly(), or store it in another column with storedAs().",
      ],
    },
    {
      name: 'and as many readers as there are',
      found: () =>
        albumFaults({
          attributes: (a: Kit) => ({
            x: a.string().storedAs('c'),
            y: a.string().storedAs('c').readOnly(),
            z: a.string().storedAs('id').readOnly(),
          }),
        }),
      messages: [],
    },
  ])
})

describe('the members of a serializer', () => {
  refusals([
    {
      name: 'must not be named id or type',
      found: () => albumFaults({ serializer: { members: ['id', 'title'], serialize: () => ({ id: '1' }) } }),
      messages: [
        "albums.serializer: returns an attribute 'id', which is not an attribute name that JSON:API allows. Remedy: rename it in the members of the serializer.",
      ],
    },
    {
      name: 'must not be named id or type if they have schemas, which must be objects',
      found: () =>
        albumFaults({ serializer: { members: { type: {}, title: 'string' }, serialize: () => ({ id: '1' }) } }),
      messages: [
        "albums.serializer: returns an attribute 'type', which is not an attribute name that JSON:API allows. Remedy: rename it in the members of the serializer.",
        "albums.serializer: 'string' is not a JSON Schema for the attribute 'title'. Remedy: give an object, such as { type: 'string' }.",
      ],
    },
  ])
})

describe('the path of a type does not begin with the prefix of another server', () => {
  const servers = { admin: { prefix: '/admin' } }
  refusals([
    {
      name: 'on the same host',
      found: () =>
        faultsOf({
          resources: [resource('admin'), resource('albums', { server: 'admin' })],
          servers,
          data: memoryData(),
        }),
      messages: [
        "admin.uriType: has the path '/admin', where the prefix of the server 'admin' begins. Remedy: give the server another prefix, or the type another uriType.",
      ],
    },
    {
      name: 'but may on another server',
      found: () => faultsOf({ resources: [resource('admin', { server: 'admin' })], servers, data: memoryData() }),
      messages: [],
    },
  ])
})

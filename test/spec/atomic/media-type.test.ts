import { expectErrors } from 'ashlar/testing'
import { expect } from 'vitest'
import { batchWorld, headers, mediaType, newArtist, post, renaming, uri } from './batch-world.js'
import { statement } from './statement.js'

/** https://jsonapi.org/format/1.1/#content-negotiation-servers */

const other = 'https://music.example/ext/other'
const body = { 'atomic:operations': [renaming('1', 'On a Friday')] }

statement(
  'media-type-request',
  'a batch whose Content-Type does not name the extension, or names another one too, is 415 and does not run',
  async () => {
    const { api, rows } = batchWorld()
    const before = await rows()
    for (const sent of [
      null,
      'application/json',
      'application/vnd.api+json',
      `application/vnd.api+json; ext="${other}"`,
      `application/vnd.api+json; ext="${uri} ${other}"`,
      `application/vnd.api+json; profile="${uri}"`,
      `${mediaType}; charset=utf-8`,
    ]) {
      const response = await post(api, { body, headers: { 'Content-Type': sent } })
      expectErrors(response, [{ status: 415, code: 'MEDIA_TYPE_UNSUPPORTED', header: 'Content-Type' }])
    }
    expect(await rows()).toEqual(before)
    for (const sent of [mediaType, `application/vnd.api+json;ext=${uri}`]) {
      expect((await post(api, { body, headers: { 'Content-Type': sent } })).status).toBe(200)
    }
  },
)

statement(
  'media-type-request',
  'the extension works only at its endpoint; at other URLs a body that names it is 415',
  async () => {
    const { api } = batchWorld()
    expectErrors(await api.post('/artists', { body: { data: newArtist('Portishead') }, headers }), [
      { status: 415, code: 'MEDIA_TYPE_UNSUPPORTED' },
    ])
  },
)

statement(
  'media-type-accept',
  'a client is 406 if its Accept neither names the extension nor accepts everything, and the batch does not run',
  async () => {
    const { api, rows } = batchWorld()
    const before = await rows()
    for (const accept of [
      '*/*;q=0',
      'application/json',
      'application/vnd.api+json',
      `application/vnd.api+json; ext="${other}"`,
      `application/vnd.api+json; ext="${uri} ${other}"`,
    ]) {
      const response = await post(api, { body, headers: { Accept: accept } })
      expectErrors(response, [{ status: 406, code: 'MEDIA_TYPE_UNACCEPTABLE', header: 'Accept' }])
    }
    expect(await rows()).toEqual(before)
    for (const accept of [
      null,
      mediaType,
      '*/*',
      'application/json, */*',
      `text/html, application/vnd.api+json; ext="${other}", ${mediaType}; q=0.1`,
    ]) {
      expect((await post(api, { body, headers: { Accept: accept } })).status).toBe(200)
    }
  },
)

statement(
  'media-type-response',
  'results and errors name the extension in the Content-Type and in jsonapi.ext, except errors of the negotiation',
  async () => {
    const { api, send } = batchWorld()
    for (const response of [
      await send(renaming('1', 'On a Friday')),
      await send(renaming('1', '')),
      await send(renaming('99', 'Nobody')),
      await send(),
      await post(api, { raw: '{' }),
    ]) {
      expect(response.headers.get('Content-Type')).toBe(mediaType)
      expect(response.document?.jsonapi).toMatchObject({ ext: [uri] })
    }
    for (const name of ['Content-Type', 'Accept']) {
      const refused = await post(api, { body, headers: { [name]: 'application/vnd.api+json' } })
      expect(refused.headers.get('Content-Type')).toBe('application/vnd.api+json')
      expect(refused.document?.jsonapi).not.toHaveProperty('ext')
    }
  },
)

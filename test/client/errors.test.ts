import { ClientError, type ErrorCode, type ErrorObject } from '@ashlar/client'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { failure, scriptedServer, thrownBy } from './scripted-server.js'

const errorOf = async (reply: Response): Promise<ClientError> => {
  const { albums } = scriptedServer([reply])
  const thrown = await thrownBy(albums.create({ attributes: { title: 'x' } }))
  if (!(thrown instanceof ClientError)) throw new Error(`There was no ClientError, but ${String(thrown)}.`)
  return thrown
}

const html = (status: number): Response =>
  new Response('<h1>Hello</h1>', { status, headers: { 'Content-Type': 'text/html' } })

describe('an error', () => {
  test.each([
    ['/data/attributes/title', 'title'],
    ['/data/attributes/releaseInfo/label', 'releaseInfo.label'],
    ['/data/attributes/tags/0', 'tags.0'],
    ['/data/attributes/meta/pivot', 'meta.pivot'],
    ['/data/relationships/artist', 'artist'],
    ['/data/relationships/artist/data', 'artist'],
    ['/data/relationships/artist/data/id', 'artist.id'],
    ['/data/relationships/tracks/data/1', 'tracks.1'],
    ['/data/relationships/tracks/data/1/meta/pivot/position', 'tracks.1.$pivot.position'],
    ['/data/relationships/data/data/0', 'data.0'],
    ['/data/relationships/meta/data/0/meta/pivot/at', 'meta.0.$pivot.at'],
    ['/data/0/meta/pivot/position', '0.$pivot.position'],
    ['/data/1/id', '1.id'],
    ['/data/id', 'id'],
    ['/data', ''],
    ['', ''],
    ['/atomic:operations', ''],
    ['/atomic:operations/1', '1'],
    ['/atomic:operations/1/ref/id', '1.id'],
    ['/atomic:operations/1/data', '1'],
    ['/atomic:operations/1/data/attributes/a~1b', '1.a/b'],
    ['/atomic:operations/1/data/relationships/tracks/data/0/meta/pivot/position', '1.tracks.0.$pivot.position'],
    ['/atomic:operations/0/data/2/meta/pivot/position', '0.2.$pivot.position'],
    ['/atomic:operations/1/data/meta/version', '1.version'],
  ])("about '%s' is at '%s'", async (pointer, path) => {
    expect(Object.keys((await errorOf(failure(422, [{ source: { pointer } }]))).at)).toEqual([path])
  })

  test('about a parameter or a header is at its name, and about nothing at the empty path', async () => {
    const errors: readonly ErrorObject[] = [
      { source: { parameter: 'filter[x]' } },
      { source: { header: 'If-Match' } },
      { title: 'Forbidden' },
      { source: { pointer: '/data/attributes/__proto__' } },
    ]
    const { at } = await errorOf(failure(400, errors))
    expect(at['filter[x]']).toEqual([errors[0]])
    expect(at['If-Match']).toEqual([errors[1]])
    expect(at['']).toEqual([errors[2]])
    expect(at['__proto__']).toEqual([errors[3]])
    expect(at['toString']).toBeUndefined()
    expectTypeOf(at['title']).toEqualTypeOf<readonly ErrorObject[] | undefined>()
  })

  test('is listed if it is at none of the fields that a form shows', async () => {
    const errors: readonly ErrorObject[] = [
      { source: { pointer: '/data/attributes/title' } },
      { source: { pointer: '/data/relationships/tracks/data/0' } },
      { source: { parameter: 'include' } },
      { title: 'Forbidden' },
    ]
    const error = await errorOf(failure(422, errors))
    expect(error.notAt(['title', 'artist', 'toString'])).toEqual(errors.slice(1))
    expect(error.notAt(['tracks'])).toEqual(errors)
    expect(error.notAt(['title', 'tracks.0', 'include', ''])).toEqual([])
  })

  test('has the message of the first error object, and what was requested', async () => {
    const error = await errorOf(failure(409, [{ code: 'SOLD_OUT', detail: 'No more.' }, { detail: 'Really.' }]))
    expect(error).toMatchObject({
      name: 'ClientError',
      message: 'No more.',
      method: 'POST',
      url: 'https://music.example/records',
      status: 409,
    })
    expect(error.headers.get('Content-Type')).toBe('application/vnd.api+json')
  })

  test('whose detail is empty has its title as the message', async () => {
    expect((await errorOf(failure(401, [{ title: 'Unauthorized', detail: '' }]))).message).toBe('Unauthorized')
  })

  test('has codes that the compiler knows, and codes of applications', async () => {
    const error = await errorOf(failure(409, [{ code: 'SOLD_OUT' }, { code: 'RESOURCE_NOT_FOUND' }]))
    expect(error.has('RESOURCE_NOT_FOUND')).toBe(true)
    expect(error.has('VALIDATION_FAILED')).toBe(false)
    expect(error.has<'SOLD_OUT'>('SOLD_OUT')).toBe(true)
    // @ts-expect-error -- a misspelt code
    expect(error.has('RESOURCE_NOT_FUND')).toBe(false)
    expectTypeOf<'VALIDATION_FAILED'>().toExtend<ErrorCode>()
  })

  test('of a proxy, which is no document, has no error objects', async () => {
    expect(await errorOf(html(413))).toMatchObject({
      status: 413,
      errors: [],
      message: 'The server responded with 413.',
    })
  })

  test.each<[string, () => Response]>([
    ['a page', () => html(200)],
    ['other JSON', () => Response.json({ message: 'Hello' })],
    ['broken JSON', () => new Response('{"data":', { headers: { 'Content-Type': 'application/json' } })],
    ['JSON that is no object', () => Response.json('Hello')],
    ['null', () => Response.json(null)],
  ])('is a success with %s, too', async (_title, reply) => {
    expect(await errorOf(reply())).toMatchObject({
      status: 200,
      errors: [],
      message: 'The server responded with 200, but not in the expected format.',
    })
  })

  test('is a redirect that fetch did not follow', async () => {
    expect(await errorOf(new Response(null, { status: 308, headers: { Location: '/' } }))).toMatchObject({
      status: 308,
    })
  })
})

import {
  apiKeys,
  atomic,
  belongsTo,
  createServer,
  cursorPage,
  defaultProfiles,
  defineResource,
  hasMany,
  type HttpRequest,
  id,
  model,
  rule,
} from 'ashlar'
import { jwtBearer } from 'ashlar/jwt'
import { memoryData } from 'ashlar/memory'
import { describe, expect, it } from 'vitest'
import { plainPaths } from '../../src/server/frameworks/plain-path.js'
import { cpuTime } from '../support/cpu-time.js'
import { expectLinear } from '../support/growth.js'
import { isLong } from '../support/runs.js'
import { MEDIA_TYPE } from '../adapters/send-to.js'

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').via('artistId') },
  policy: 'public',
})

/** A type with an attribute of each kind whose values are texts, and of each form that can be required of a text. */
const albums = defineResource('albums', {
  model: model<{ id: number; title: string; artistId: number; [name: string]: unknown }>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().sortable(),
    email: a.string().constrain(rule.email()),
    strict: a.string().constrain(rule.email({ strict: true })),
    url: a.string().constrain(rule.url()),
    web: a.string().constrain(rule.url(['https'])),
    uuid: a.string().constrain(rule.uuid()),
    ip: a.string().constrain(rule.ip()),
    slug: a.string().constrain(rule.slug()),
    day: a.date(),
    moment: a.dateTime(),
    time: a.time(),
    amount: a.decimal(),
    count: a.bigint(),
  }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({ title: f.where(), moment: f.where(), amount: f.where(), count: f.where() }),
  pagination: cursorPage(),
  policy: 'public',
})

const server = createServer({
  resources: [albums, artists],
  data: memoryData({ artists: [{ id: 1, name: 'Portishead' }], albums: [{ id: 1, title: 'Dummy', artistId: 1 }] }),
  extensions: [atomic()],
  profiles: defaultProfiles,
  idempotency: true,
  versions: 'hash',
  secret: 'The secret of the service',
  compression: true,
  cors: { origins: ['https://app.example'] },
  trustProxy: true,
  middleware: [
    apiKeys({ find: () => null }),
    jwtBearer({ issuer: 'a', audience: 'b', keys: { set: { keys: [] } }, algorithms: ['RS256'], caller: () => null }),
  ],
  logger: { error: ({ err }) => logged.push(err) },
})
const logged: unknown[] = []

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Passes a request to the server, as an adapter does. No request may cause an unexpected error. */
async function send({ method = 'GET', path = '/albums', query = '', headers = {}, body }: Sent): Promise<void> {
  const sent: Readonly<Record<string, string>> = {
    ...(body === undefined ? {} : { 'content-type': MEDIA_TYPE }),
    ...headers,
  }
  const bytes = body === undefined ? null : Buffer.from(body)
  const request: HttpRequest = {
    method,
    path,
    query,
    origin: 'http://music.example',
    header: (name) => sent[name],
    hasBody: bytes !== null,
    body: async () => bytes,
  }
  await server.handle(request)
}

/** The parts of hostile texts: separators, quotes, escapes, and the words of the grammars. */
const units = [
  'a', '1', ' ', '\t', ',', ';', '=', '"', '\\', '/', ':', '.', '-', '_', '*', '%', '%41', '[', ']', '%5B', '+', '@', '&', '?', '{', '~1',
  'a,', 'a;', 'a=', 'a ', 'a.', 'a-', '"a",', '\\"', ';for=', ',for=', 'q=0;', '1:', '[]', '&a=', '-title,', 'artist.', 'W/"a",', '%E9', '0.',
] // biome-ignore format: a list
const starts = ['', 'a', '"', 'a=', 'a="', 'for=', 'a;b=', '[', '0.', '-', 'a@', 'https://', '1997-05-21T', 'Bearer ']
const ends = ['', '!', '"', ',', 'a', '%']

/** How texts begin and end: in a few ways for `npm test`, in all of them for `npm run test:long`. */
const frames = isLong
  ? starts.flatMap((start) => ends.map((end) => [start, end] as const))
  : ([
      ['a', '!'],
      ['', ','],
    ] as const)

/** Texts that repeat a part. */
function textsOf(size: number): readonly string[] {
  return units.flatMap((unit) => {
    const repeated = unit.repeat(size / unit.length)
    return frames.map(([start, end]) => start + repeated + end)
  })
}

/** Work below this CPU time, in milliseconds, is no concern: `expectLinear` would ignore it, too. */
const negligible = 40

/** Expects the time for each text to grow no faster than its length. */
async function expectLinearTexts(size: number, run: (text: string) => unknown): Promise<void> {
  for (const [index, text] of textsOf(size).entries()) {
    const start = cpuTime()
    await run(text)
    if (cpuTime() - start < negligible) continue
    await expectLinear(
      (length) => {
        const [other = ''] = [textsOf(length)[index]]
        return () => run(other)
      },
      { small: size / 8 },
    ).catch((error: unknown) => {
      throw new Error(`Not linear: ${JSON.stringify(text.slice(0, 20))}…${JSON.stringify(text.slice(-5))}`, {
        cause: error,
      })
    })
  }
  expect(logged).toEqual([])
}

/** The longest header that `listen` accepts, and the longest target. */
const HEADER = 32_000
const TARGET = 16_000
const BODY = 64_000

const attributes = [
  'title',
  'email',
  'strict',
  'url',
  'web',
  'uuid',
  'ip',
  'slug',
  'day',
  'moment',
  'time',
  'amount',
  'count',
]

function post(data: object): Promise<void> {
  return send({ method: 'POST', body: JSON.stringify({ data }) })
}

describe('The time for a text of a client grows with its length', () => {
  it.each([
    'accept', 'accept-encoding', 'authorization', 'forwarded', 'if-match', 'if-none-match', 'if-modified-since', 'origin', 'prefer', 'traceparent',
    'x-api-key', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-prefix', 'x-forwarded-proto', 'x-request-id', 'read-after',
  ])('in the header %s', (name) => expectLinearTexts(HEADER, (text) => send({ headers: { [name]: text } }))) // biome-ignore format: a list

  it.each(['content-type', 'content-encoding', 'if-match', 'if-none-match', 'prefer', 'idempotency-key'])(
    'in the header %s of a write',
    (name) =>
      expectLinearTexts(HEADER, (text) =>
        send({ method: 'PATCH', path: '/albums/1', headers: { [name]: text }, body: '{}' }),
      ),
  )

  it.each(['/', '/albums/', '/albums/1/', '/albums/1/relationships/'])('in the path after %s', (before) =>
    expectLinearTexts(TARGET, (text) => send({ path: before + text.replaceAll('?', '') })),
  )

  it.each([
    '',
    'include=',
    'sort=',
    'fields[albums]=',
    'filter[title]=',
    'filter[moment]=',
    'filter[amount]=',
    'filter[count]=',
    'filter[',
    'page[after]=',
    'page[size]=',
    'profile=',
  ])('in the query after "%s"', (before) => expectLinearTexts(TARGET, (text) => send({ query: before + text })))

  it.each(attributes)('in the attribute %s', (name) =>
    expectLinearTexts(BODY, (text) => post({ type: 'albums', attributes: { [name]: text } })),
  )

  it('in names and identifiers of a body', async () => {
    await expectLinearTexts(BODY, (text) => post({ type: 'albums', attributes: { [text]: 1 } }))
    await expectLinearTexts(BODY, (text) => post({ type: text, id: text }))
    await expectLinearTexts(BODY, (text) =>
      post({ type: 'albums', relationships: { artist: { data: { type: 'artists', id: text } } } }),
    )
  })

  it('in a body that is not JSON', () => expectLinearTexts(BODY, (body) => send({ method: 'POST', body })))

  it('in the address of an operation', () => {
    const type = `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`
    return expectLinearTexts(TARGET, (href) =>
      send({
        method: 'POST',
        path: '/operations',
        headers: { 'content-type': type, accept: type },
        body: JSON.stringify({ 'atomic:operations': [{ op: 'remove', href }] }),
      }),
    )
  })

  it('in a path that Express has not decoded', () => {
    const isPlain = plainPaths(server)
    return expectLinearTexts(TARGET, (text) => isPlain(`/albums/%61/${text}`))
  })
})

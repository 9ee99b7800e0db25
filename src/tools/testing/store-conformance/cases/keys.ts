import type { KeyedResponse } from '../../../../stores/common/idempotency-store.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectIds, successOrErrors } from '../case-declaration.js'
import type { Catalogue } from '../catalogue.js'
import { expectSame } from '../expect-same.js'
import { committedPlaylists } from './transactions.js'

const key = { caller: 'a'.repeat(64), key: 'a key "of" \\ one caller' } as const
const start = Date.UTC(2026, 0, 1)
const end = start + 1000

function response(changes: Partial<KeyedResponse> = {}): KeyedResponse {
  return {
    ...key,
    request: 'POST /playlists?include=albums',
    bodyHash: 'b'.repeat(64),
    status: 201,
    headers: ['Content-Type', 'application/vnd.api+json', 'Location', '/playlists/ä'],
    body: Uint8Array.of(0, 123, 255, 0, 10),
    expiresAt: end,
    ...changes,
  }
}

type Keyed = Pick<Catalogue, 'store' | 'keys'>

function save({ store, keys }: Keyed, changes: Partial<KeyedResponse> = {}, now = start): Promise<boolean> {
  return store.transactions.run((transaction) => keys.save(response(changes), transaction, now))
}

/** Returns the status of the response under a key; `null` without one. */
async function statusOf({ store, keys }: Keyed, of: Partial<KeyedResponse> = {}, now = start): Promise<unknown> {
  const found = await store.transactions.run((transaction) => keys.find({ ...key, ...of }, transaction, now))
  return found === null || found === 'running' ? found : found.status
}

const repeated = casesNeeding(['idempotency'], {
  async 'a repeated request with a key writes once, and gets the stored response'({ api }) {
    const request = {
      headers: { 'Idempotency-Key': '"once"' },
      body: { data: { type: 'playlists', id: 'a', attributes: { title: 'A' } } },
    }
    const [first, second] = [await api.post('/playlists', request), await api.post('/playlists', request)]
    expectSame(
      'The first response',
      successOrErrors(first, ({ resource }) => resource.id),
      'a',
    )
    expectSame(
      'The second response',
      successOrErrors(second, ({ document }) => document),
      first.document,
    )
    expectSame('Idempotency-Replayed', second.headers.get('Idempotency-Replayed'), 'true')
    await expectIds({ api }, '/playlists', ['a', 'empty', 'home', 'road'])
  },
  async 'a key of a stored response is rejected with another body'({ api }) {
    const create = (id: string) =>
      api.post('/playlists', {
        headers: { 'Idempotency-Key': '"other"' },
        body: { data: { type: 'playlists', id, attributes: { title: id } } },
      })
    await create('a')
    expectSame('The code of the error', (await create('b')).errors[0]?.code, 'IDEMPOTENCY_KEY_REUSED')
    await expectIds({ api }, '/playlists', ['a', 'empty', 'home', 'road'])
  },
})

const stored = casesNeeding(['idempotency'], {
  async 'a response is found under its key as it was stored'(catalogue) {
    for (const body of [response().body, null]) {
      const name = body === null ? 'without a body' : 'with bytes'
      expectSame('Whether it was stored', await save(catalogue, { key: name, body }), true)
      const found = await catalogue.store.transactions.run((transaction) =>
        catalogue.keys.find({ ...key, key: name }, transaction, start),
      )
      expectSame('The response', shown(found), shown(response({ key: name, body })))
    }
  },
  async 'a key is that of one caller'(catalogue) {
    await save(catalogue)
    expectSame('Of another caller', await statusOf(catalogue, { caller: 'c'.repeat(64) }), null)
    expectSame('Of the same caller', await statusOf(catalogue), 201)
  },
  async 'a rollback removes a response together with the rows'(catalogue) {
    const { store, keys } = catalogue
    const failed = new Error('The work of the transaction failed.')
    await store.transactions
      .run(async (transaction) => {
        await store.create('playlists', { code: 'a', title: 'a' }, transaction)
        await keys.save(response(), transaction, start)
        throw failed
      })
      .catch((thrown: unknown) => {
        if (thrown !== failed) throw thrown
      })
    expectSame('The response', await statusOf(catalogue), null)
    expectSame('The committed playlists', await committedPlaylists(store, 'a'), [])
  },
  async 'a second response under a key is not stored'(catalogue) {
    await save(catalogue)
    expectSame('Whether it was stored', await save(catalogue, { status: 200 }), false)
    expectSame('The status', await statusOf(catalogue), 201)
  },
  async 'of concurrent transactions with one key, one stores a response'({ store, keys }) {
    const once = (): Promise<boolean> =>
      store.transactions.run(async (transaction) => {
        const found = await keys.find(key, transaction, start)
        return found === null && keys.save(response(), transaction, start)
      })
    const results = await Promise.all([once(), once(), once()])
    expectSame('How many were stored', results.filter(Boolean).length, 1)
  },
})

const expired = casesNeeding(['idempotency'], {
  async 'an expired response is absent, and its key can be used again'(catalogue) {
    await save(catalogue)
    expectSame('One millisecond before', await statusOf(catalogue, {}, end - 1), 201)
    expectSame('When it has expired', await statusOf(catalogue, {}, end), null)
    expectSame('Whether it was stored', await save(catalogue, { status: 200, expiresAt: end + 1 }, end), true)
    expectSame('The next response', await statusOf(catalogue, {}, end), 200)
  },
  async 'removeExpired removes expired responses, and no others'(catalogue) {
    await catalogue.keys.removeExpired(end)
    for (const name of ['a', 'b']) await save(catalogue, { key: name })
    await save(catalogue, { key: 'c', expiresAt: end + 1 })
    expectSame('How many were removed', await catalogue.keys.removeExpired(end), 2)
    expectSame('How many are left to remove', await catalogue.keys.removeExpired(end), 0)
    expectSame('The one that has not expired', await statusOf(catalogue, { key: 'c' }, end), 201)
  },
})

const counted = casesNeeding(['idempotency'], {
  async 'the responses of one caller are counted, without those that have expired'(catalogue) {
    const { store, keys } = catalogue
    const usage = (limit: number, now: number) =>
      store.transactions.run((transaction) => keys.usage(key.caller, limit, transaction, now))
    expectSame('Without responses', await usage(10, start), { count: 0, firstExpiresAt: null })
    for (const [name, expiresAt] of [
      ['a', end],
      ['b', end + 1],
      ['c', end + 2],
    ] as const) {
      await save(catalogue, { key: name, expiresAt })
    }
    await save(catalogue, { caller: 'c'.repeat(64), expiresAt: end - 1 })
    expectSame('All of the caller', await usage(10, start), { count: 3, firstExpiresAt: end })
    expectSame('When one has expired', await usage(10, end), { count: 2, firstExpiresAt: end + 1 })
    expectSame('No more than the limit', (await usage(2, start)).count, 2)
  },
})

/** Cases of responses that a store saves under keys of requests: see `IdempotencyStore`. */
export const keyCases: readonly CaseDeclaration[] = [...repeated, ...stored, ...counted, ...expired]

/** Returns a response with its bytes as a list of numbers, since JSON has no bytes. */
function shown(found: KeyedResponse | 'running' | null): unknown {
  if (found === null || found === 'running') return found
  return { ...found, body: found.body === null ? null : [...found.body] }
}

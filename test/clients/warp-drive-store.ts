import { setupSignals } from '@warp-drive/core/configure'
import { cacheKeyFor, useRecommendedStore } from '@warp-drive/core'
import { withDefaults } from '@warp-drive/core/reactive'
import { JSONAPICache } from '@warp-drive/json-api'
import {
  createRecord,
  deleteRecord,
  serializePatch,
  serializeResources,
  setBuildURLConfig,
  updateRecord,
} from '@warp-drive/utilities/json-api'

// WarpDrive needs signals of a framework. No framework renders anything here, so they do nothing.
setupSignals(() => ({
  createSignal: () => ({}),
  consumeSignal: () => undefined,
  notifySignal: () => undefined,
  createMemo: (_object, _key, compute) => compute,
  willSyncFlushWatchers: () => false,
}))

const attribute = (name: string) => ({ kind: 'field', name }) as const
const options = { async: false, inverse: null, linksMode: true } as const
const toOne = (name: string, type: string) => ({ kind: 'belongsTo', name, type, options }) as const
const toMany = (name: string, type: string) => ({ kind: 'hasMany', name, type, options }) as const

const MusicStore = useRecommendedStore({
  cache: JSONAPICache,
  schemas: [
    withDefaults({ type: 'artists', fields: [attribute('name'), attribute('slug')] }),
    withDefaults({
      type: 'albums',
      fields: [
        ...['title', 'averageRating', 'releasedAt', 'explicit', 'status'].map(attribute),
        toOne('artist', 'artists'),
        toMany('tracks', 'tracks'),
      ],
    }),
    withDefaults({ type: 'tracks', fields: [attribute('title'), attribute('genres')] }),
    withDefaults({ type: 'genres', fields: [attribute('name')] }),
    withDefaults({ type: 'playlists', fields: [attribute('title'), attribute('slug'), toMany('tracks', 'tracks')] }),
  ],
})

export type Store = InstanceType<typeof MusicStore>

/** An empty store of WarpDrive for a service. The address is a setting of the module: all stores of a process share it. */
export function warpDriveStore(host: string): Store {
  setBuildURLConfig({ host, namespace: '' })
  return new MusicStore()
}

const contentType = 'application/vnd.api+json'

/** Saves a new record. The builder of the request sets neither the body nor its Content-Type. */
export async function create(store: Store, record: object): Promise<void> {
  const request = createRecord(record)
  request.headers.set('Content-Type', contentType)
  await store.request({ ...request, body: JSON.stringify(serializeResources(store.cache, cacheKeyFor(record))) })
}

/** Saves the changes of a record. Without `patch` the request would be a PUT. */
export async function update(store: Store, record: object): Promise<void> {
  const request = updateRecord(record, { patch: true })
  request.headers.set('Content-Type', contentType)
  await store.request({ ...request, body: JSON.stringify(serializePatch(store.cache, cacheKeyFor(record))) })
}

export async function remove(store: Store, record: object): Promise<void> {
  store.deleteRecord(record)
  await store.request(deleteRecord(record))
}

interface ToOne {
  readonly record: object
  readonly field: string
  readonly value: object | null
}

/** Changes a to-one relationship in the store: a field that is one cannot be assigned. */
export function replaceOne(store: Store, { record, field, value }: ToOne): void {
  store.cache.mutate({
    op: 'replaceRelatedRecord',
    record: cacheKeyFor(record),
    field,
    value: value === null ? null : cacheKeyFor(value),
  })
}

/** Sends members to a relationship. WarpDrive has no builder for that. */
export async function writeMembers(store: Store, method: string, url: string, ids: readonly string[]): Promise<void> {
  const headers = new Headers({ Accept: contentType, 'Content-Type': contentType })
  const body = JSON.stringify({ data: ids.map((id) => ({ type: 'tracks', id })) })
  await store.requestManager.request({ url, method: method as 'POST', headers, body })
}

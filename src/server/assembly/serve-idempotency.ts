import type { DataSource } from '../../stores/common/data-source.js'
import type { IdempotencyStore } from '../../stores/common/idempotency-store.js'
import type { RequestServices } from '../../serve/read/read-context.js'
import type { Caller } from '../../declare/resource/request/registered.js'
import type { Transaction } from '../../declare/resource/request/transactions.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { invariant } from '../../core/util/invariant.js'
import { memoize } from '../../core/util/memoize.js'
import type { RollBack } from '../../serve/write/persist/in-transaction.js'
import { inTransaction } from '../../serve/write/persist/in-transaction.js'
import type { BuildContext, DeclaredType } from './declared/build-rule.js'
import { defaultCallerKey } from '../../declare/resource/request/caller-key.js'
import { idempotencyByServer } from './declared/idempotency-settings.js'
import type { KeyAllowances } from './key-allowances.js'
import { keyAllowances } from './key-allowances.js'
import { acceptsIdempotencyKeys } from './declared/accepts-idempotency-keys.js'

/** The store of the responses to requests for a type. */
export interface ResponseStore {
  /** The type that is written, or a type of the store. */
  readonly type: string
  readonly responses: IdempotencyStore
  /** How many more keys callers may store. */
  readonly allowances: KeyAllowances
  /** Runs work in a transaction of the store. The writes of the work join it. */
  inTransaction<Result>(
    context: RequestContext,
    work: (transaction: Transaction, rollBack: RollBack<Result>) => Promise<Result>,
  ): Promise<Result>
}

/** The setting `idempotency` of one server. */
export interface ServedIdempotency {
  /** In milliseconds. */
  readonly expiresAfter: number
  /** Returns a text that identifies a caller; `null` for an anonymous caller. */
  readonly callerKey: (caller: Caller) => string | null
  /** The keys of the requests that are running in this process. */
  readonly running: Set<string>
  /**
   * Returns where the responses to requests for a type are stored; without a type of the server, as for some batches, the first
   * store that can store them.
   */
  storeOf(type: string | null): ResponseStore | null
}

/** Returns the setting `idempotency` of each server that has it, by its name. */
export function serveIdempotency(
  { settings, typesByServer }: BuildContext,
  services: RequestServices,
): ReadonlyMap<string, ServedIdempotency> {
  return new Map(
    [...idempotencyByServer(settings)].map(([server, { expiresAfter = 86_400, maxKeys = 10_000, callerKey }]) => {
      const types = [...(typesByServer.get(server)?.values() ?? [])]
      const allowancesOf = memoize((_store: IdempotencyStore) => keyAllowances(maxKeys))
      const stores = new Map(
        types.flatMap((declared) => responseStore(declared, { server, services, allowancesOf }) ?? []),
      )
      const [first = null] = stores.values()
      const keyOf = callerKey ?? defaultCallerKey
      return [
        server,
        {
          expiresAfter: expiresAfter * 1000,
          callerKey: (caller) => (caller === null || caller === undefined ? null : checkedKey(keyOf(caller))),
          running: new Set<string>(),
          storeOf: (type) => (type === null ? first : (stores.get(type) ?? first)),
        },
      ]
    }),
  )
}

interface ServedStores {
  readonly server: string
  readonly services: RequestServices
  readonly allowancesOf: (store: IdempotencyStore) => KeyAllowances
}

function responseStore(
  { type: { type }, persisterStore, transactions: store }: DeclaredType,
  { server, services, allowancesOf }: ServedStores,
): [[string, ResponseStore]] | null {
  const responses = persisterStore?.idempotency
  if (responses === undefined || store === null) return null
  const served = services.find(server, type)
  invariant(served !== null, `'${type}' is not served on '${server}'`)
  return [
    [
      type,
      {
        type,
        responses,
        allowances: allowancesOf(responses),
        inTransaction: (context, work) =>
          inTransaction([served], { services, context }, ({ byStore }, rollBack) => {
            const transaction = byStore.get(store)
            invariant(transaction !== undefined, `the store of '${type}' has no open transaction`)
            return work(transaction, rollBack)
          }),
      },
    ],
  ]
}

function checkedKey(key: unknown): string {
  if (typeof key === 'string' && key !== '') return key
  throw new TypeError("The function 'callerKey' of the setting 'idempotency' must return a text that is not empty.")
}

/** Returns the stores that store responses for the setting `idempotency`. */
export function storesOfResponses({ settings, typesByServer }: BuildContext): ReadonlySet<DataSource> {
  const servers = [...idempotencyByServer(settings).keys()]
  const types = servers.flatMap((server) => [...(typesByServer.get(server)?.values() ?? [])])
  return new Set(
    types.filter(({ type }) => acceptsIdempotencyKeys(type)).flatMap(({ persisterStore }) => persisterStore ?? []),
  )
}

/** Removes the expired responses of several stores. Returns their number. */
export async function removeExpiredKeys(stores: ReadonlySet<DataSource>): Promise<number> {
  const now = Date.now()
  let removed = 0
  for (const { idempotency } of stores) removed += (await idempotency?.removeExpired(now)) ?? 0
  return removed
}

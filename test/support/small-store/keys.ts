import type { CallerKey, IdempotencyStore, KeyedResponse, Transaction } from 'ashlar/store'
import type { Tables, Wrong } from './values.js'

/** The responses are rows of a table that no type has. */
const table = 'responses'

/** The responses to requests with an `Idempotency-Key`. */
export function smallKeys(
  committed: Tables,
  tablesIn: (transaction: Transaction | null) => Tables,
  wrong: Wrong,
): IdempotencyStore {
  const tablesOf = (transaction: Transaction): Tables =>
    tablesIn(wrong('stores responses outside its transactions') ? null : transaction)
  const isOf = (key: CallerKey, other: CallerKey): boolean =>
    key.key === other.key && (key.caller === other.caller || wrong('takes all callers for one'))
  const isPast = ({ expiresAt }: KeyedResponse, now: number): boolean =>
    expiresAt <= now && !wrong('finds responses that have expired')
  return {
    async find(key, { transaction, now }) {
      if (wrong('finds no responses')) return null
      return responsesIn(tablesOf(transaction)).find((each) => isOf(key, each) && !isPast(each, now)) ?? null
    },
    async save(response, { transaction, now }) {
      const tables = tablesOf(transaction)
      const left = responsesIn(tables).filter((each) => !isOf(response, each) || !isPast(each, now))
      const isTaken = left.some((each) => isOf(response, each))
      if (isTaken && !wrong('stores a second response under a key')) return false
      const stored = wrong('stores the bytes of responses as text')
        ? { ...response, body: asText(response.body) }
        : response
      tables.set(table, [{ response: stored }, ...left.map((each) => ({ response: each }))])
      return true
    },
    async usage(caller, limit, { transaction, now }) {
      const expiries = responsesIn(tablesOf(transaction))
        .filter((each) => each.caller === caller || wrong('counts the responses of all callers'))
        .filter((each) => each.expiresAt > now || wrong('counts responses that have expired'))
        .slice(0, limit)
        .map(({ expiresAt }) => expiresAt)
      return { count: expiries.length, firstExpiresAt: expiries.length === 0 ? null : Math.min(...expiries) }
    },
    async removeExpired(now) {
      const all = responsesIn(committed)
      const left = wrong('removes responses that have not expired')
        ? []
        : all.filter(({ expiresAt }) => expiresAt > now)
      committed.set(
        table,
        left.map((response) => ({ response })),
      )
      return all.length - left.length
    },
  }
}

function responsesIn(tables: Tables): readonly KeyedResponse[] {
  return (tables.get(table) ?? []).map((row) => row['response'] as KeyedResponse)
}

function asText(body: Uint8Array | null): Uint8Array | null {
  return body === null ? null : Buffer.from(Buffer.from(body).toString('utf8'))
}

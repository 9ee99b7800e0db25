import type { DataSource, StorePositions } from '../../stores/common/data-source.js'
import { fail } from '../../core/errors/json-api-error.js'
import type { HttpRequest } from '../../core/http/request.js'

/** The header that has the position of a write, in responses and in later requests of the client. */
export const READ_AFTER = 'Read-After'

/** Lets clients see what they have written, on a server whose stores have read replicas. */
export interface ServedReadAfter {
  /** Makes the reads of a request see the writes that its header names. Fails with 400 if the header is malformed. */
  require(request: HttpRequest): void
  /** Returns the header with the positions of the writes of a request; `null` if it has written nothing. */
  valueFor(request: HttpRequest): string | null
}

/** The index of a store of the server, and a position in the log of that store: `0.16b3748`. */
const token = /^(\d{1,3})\.([\w-]+)$/

/** The maximum length of the header: enough for more stores than a server has. */
const MAX_LENGTH = 1000

/** Returns `null` if no store has replicas. */
export function serveReadAfter(sources: readonly DataSource[]): ServedReadAfter | null {
  const stores = sources.map(({ positions }) => positions)
  if (stores.every((positions) => positions === undefined)) return null
  return Object.freeze<ServedReadAfter>({
    require(request) {
      const header = request.header('read-after')
      if (header === undefined) return
      const isValid = header.length <= MAX_LENGTH && header.split(',').every((each) => requires(stores, request, each))
      if (!isValid) fail('READ_AFTER_INVALID', { header: READ_AFTER }, { source: { header: READ_AFTER } })
    },
    valueFor(request) {
      const reached = stores.flatMap((positions, index) => {
        const position = positions?.reachedBy(request) ?? null
        return position === null ? [] : [`${index}.${position}`]
      })
      return reached.length === 0 ? null : reached.join(', ')
    },
  })
}

/** A store that does not exist, such as one of an earlier version of the service, is ignored. */
function requires(stores: readonly (StorePositions | undefined)[], request: HttpRequest, text: string): boolean {
  const [, index, position] = token.exec(text.trim()) ?? []
  if (index === undefined || position === undefined) return false
  return stores[Number(index)]?.require(request, position) ?? true
}

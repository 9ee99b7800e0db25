import type { ResponseValue } from '../operation/response-value.js'
import { isPromise } from '../../core/util/awaitable.js'
import type { Awaitable } from '../../core/util/types.js'
import { reportRefusal } from './conflicts/store-refusal.js'
import type { HiddenMembers } from './persist/hidden-members.js'
import { inTransaction } from './persist/in-transaction.js'
import type { Write, WriteKind } from './write-kind.js'

/**
 * Runs a write: by one statement, or step by step in a transaction of each store that it writes to. Everything that is written for
 * a client, but for the rows of a batch that are created together, passes here.
 */
export async function execute<Of extends Write, Stored extends object>(
  prepared: Awaitable<Of>,
  kind: WriteKind<Of, Stored>,
): Promise<ResponseValue> {
  for (let write = isPromise(prepared) ? await prepared : prepared; ; ) {
    const stored = (await kind.byStatement(write)) ?? (await inSteps(write, kind))
    const { withMembers } = kind
    if (stored instanceof Recovery) write = stored.write
    // Only a kind with members is rolled back because of them. What others store may be a row, with columns of any name.
    else if (withMembers === undefined || !isHidden(stored)) return kind.respond(write, stored as Stored)
    else write = await withMembers(write, stored)
  }
}

/** The write to run after an error of the steps. */
class Recovery<Of extends Write> {
  readonly write: Of

  constructor(write: Of) {
    this.write = write
  }
}

async function inSteps<Of extends Write, Stored extends object>(
  write: Of,
  { types, inSteps: run, recover }: WriteKind<Of, Stored>,
): Promise<Stored | HiddenMembers | Recovery<Of>> {
  const { served, request } = write
  try {
    return await inTransaction<Stored | HiddenMembers>(types(write), request, (open, rollBack) =>
      run(write, { open, rollBack }),
    )
  } catch (thrown) {
    return await reportRefusal(thrown, served, request).catch((reported: unknown) => {
      const next = recover?.(reported, write) ?? null
      if (next === null) throw reported
      return new Recovery(next)
    })
  }
}

function isHidden(stored: object): stored is HiddenMembers {
  return 'kind' in stored && stored.kind === 'hidden'
}

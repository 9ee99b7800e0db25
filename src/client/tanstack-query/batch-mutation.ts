import type { Invalidating, Touched } from './invalidation.js'
import { type AnyVariables, type AnyWriteOptions, membersOf, mutate, noId } from './writes.js'

/** Sends a batch: `atomic` of the client. */
export type SendAnyBatch = (
  build: (batch: AnyBatch) => readonly object[],
  options: AnyWriteOptions,
) => Promise<readonly unknown[]>

/** A batch at run time: its operations by name. */
type AnyBatch = Readonly<Record<string, (...given: readonly unknown[]) => object>>

/** Returns the options of a mutation that sends a batch, and invalidates the queries of the resources that its operations change. */
export function batchMutation(
  key: string,
  sendBatch: SendAnyBatch,
  {
    build,
    options,
  }: { readonly build: (batch: AnyBatch, variables: unknown) => readonly object[]; readonly options: AnyWriteOptions },
): object {
  return {
    mutationKey: [key, 'atomic'],
    mutationFn: (variables: unknown, { client }: { readonly client: Invalidating }) => {
      const touched: Touched[] = []
      return mutate(client, key, {
        options,
        send: (all) => sendBatch((batch) => build(recorded(batch, touched), variables), all),
        touched: () => touched,
      })
    },
  }
}

/** Returns a batch that also collects the resources that its operations touch. */
function recorded(batch: AnyBatch, touched: Touched[]): AnyBatch {
  return Object.fromEntries(
    Object.entries(batch).map(([name, operation]) => [
      name,
      (...given) => {
        touched.push(...touchedBy(name, given))
        return operation(...given)
      },
    ]),
  )
}

/** Returns the resources that an operation touches, by its arguments. */
function touchedBy(name: string, [type, target, ...rest]: readonly unknown[]): readonly Touched[] {
  // The second argument is the id of a resource, its identifier, or the new resource.
  const { id = noId, relationships } = (typeof target === 'string' ? { id: target } : target) as AnyVariables
  const resource = { type: type as string, id, isDeleted: name === 'delete' }
  if (name === 'add' || name === 'remove' || name === 'replace') {
    return [resource, ...membersOf(rest[1] as AnyVariables['members'])]
  }
  const changes = (rest[0] ?? {}) as AnyVariables
  return [resource, ...membersOf(...Object.values({ ...relationships, ...changes.relationships }))]
}

import type { CallOptions } from '../client/type-verbs.js'
import type { Invalidating, Touched } from './invalidation.js'
import { type AnyVariables, membersOf, mutate, none } from './writes.js'

type Step = (...given: readonly unknown[]) => object
type Build = (batch: object, variables: unknown) => readonly object[]

/** Returns a function that returns the options of a mutation for a batch. It invalidates what the operations touch. */
export function batchMutation(
  key: string,
  send: (build: (batch: object) => readonly object[], options: CallOptions) => Promise<object>,
) {
  return (build: Build, options: CallOptions = {}): object => ({
    mutationKey: [key, 'atomic'],
    mutationFn: (variables: unknown, { client }: { readonly client: Invalidating }) => {
      const touched: Touched[] = []
      return mutate({ client, key }, options, {
        send: (all) => send((batch) => build(recorded(batch, touched), variables), all),
        touched: () => touched,
      })
    },
  })
}

/** Returns a batch that also collects the resources that its operations touch. */
function recorded(batch: object, touched: Touched[]): object {
  const record =
    (name: string, step: Step): Step =>
    (...given) => {
      const [type, target, ...rest] = given as [string, string | AnyVariables, ...unknown[]]
      const { id = none, relationships = {} } = typeof target === 'string' ? { id: target } : target
      const changes = (name === 'update' ? rest[0] : {}) as AnyVariables
      const members = ['add', 'remove', 'replace'].includes(name) ? (rest[1] as AnyVariables['members']) : null
      touched.push(
        { type, id, isDeleted: name === 'delete' },
        ...membersOf(...Object.values({ ...relationships, ...changes.relationships }), members),
      )
      return step(...given)
    }
  return Object.fromEntries(Object.entries(batch).map(([name, step]) => [name, record(name, step as Step)]))
}

import type { TypeVerbs, CallOptions } from '../client/type-verbs.js'
import type { SentLinkage } from '../client/write-document.js'
import type { Invalidating, Touched } from './invalidation.js'
import { infiniteOptions, readOptions } from './reads.js'
import { type AnyVariables, membersOf, mutate, none, optionsWith, resourcesOf } from './writes.js'

/** The verbs of a type of the client. */
export type Verbs = Pick<TypeVerbs, keyof TypeVerbs>

type Send = (variables: AnyVariables, options: CallOptions) => Promise<object>

/** Returns the queries and mutations of one type. The types of `Queries` say which of them it has. */
export function queriesOfType(key: string, type: string, verbs: Verbs): object {
  const write = (
    name: readonly string[],
    options: CallOptions | undefined,
    send: Send,
    touchedBy: (variables: AnyVariables, result: object) => readonly Touched[],
  ): object => ({
    mutationKey: [key, type, ...name],
    mutationFn: (given: AnyVariables | undefined, { client }: { readonly client: Invalidating }) => {
      const variables = given ?? {}
      return mutate({ client, key }, optionsWith(options ?? {}, variables), {
        send: (all) => send(variables, all),
        touched: (result) => touchedBy(variables, result),
      })
    },
  })
  const resource = ({ id = none }: AnyVariables): Touched => ({ type, id })
  const change = (verb: 'add' | 'remove' | 'replace') => (relation: string, options?: CallOptions) =>
    write(
      [verb, relation],
      options,
      ({ id, members }, all) => verbs[verb](id ?? none, relation, members as SentLinkage, all),
      (variables) => [resource(variables), ...membersOf(variables.members)],
    )
  return Object.freeze({
    key: [key, type],
    list: (query: CallOptions = {}) => readOptions([key, type, 'list'], query, (all) => verbs.list(all)),
    infinite: (query: CallOptions = {}) => infiniteOptions([key, type, 'infinite'], query, (all) => verbs.list(all)),
    first: (query: CallOptions) =>
      readOptions([key, type, 'first'], query, (all) => verbs.first(all) as Promise<object | null>),
    get: (id: string, query: CallOptions = {}) =>
      readOptions([key, type, 'get', id], query, (all) => verbs.get(id, all)),
    related: (id: string, relation: string, query: CallOptions = {}) =>
      readOptions([key, type, 'related', id, relation], query, (all) => verbs.related(id, relation, all)),
    infiniteRelated: (id: string, relation: string, query: CallOptions = {}) =>
      infiniteOptions([key, type, 'infiniteRelated', id, relation], query, (all) => verbs.related(id, relation, all)),
    linkage: (id: string, relation: string) =>
      readOptions([key, type, 'linkage', id, relation], {}, (all) => verbs.linkage(id, relation, all)),
    create: (options?: CallOptions) =>
      write(
        ['create'],
        options,
        (variables, all) => verbs.create(variables as object, all),
        (variables, result) => [
          resource(variables),
          ...resourcesOf(result),
          ...membersOf(...Object.values(variables.relationships ?? {})),
        ],
      ),
    update: (options?: CallOptions) =>
      write(
        ['update'],
        options,
        (variables, all) => verbs.update(variables.id ?? none, variables as object, all),
        (variables) => [resource(variables), ...membersOf(...Object.values(variables.relationships ?? {}))],
      ),
    delete: (options?: CallOptions) =>
      write(
        ['delete'],
        options,
        ({ id }, all) => verbs.delete(id ?? none, all),
        (variables) => [{ ...resource(variables), isDeleted: true }],
      ),
    add: change('add'),
    remove: change('remove'),
    replace: change('replace'),
    act: (action: string, options?: CallOptions) =>
      write(
        ['act', action],
        options,
        ({ id, input }, all) => verbs.act(id ?? none, action, input as object, all),
        (variables, result) => [resource(variables), ...resourcesOf(result)],
      ),
    run: (action: string, options?: CallOptions) =>
      write(
        ['run', action],
        options,
        ({ input }, all) => verbs.run(action, input as object, all),
        (_variables, result) => [{ type }, ...resourcesOf(result)],
      ),
  })
}

import type { Invalidating, Touched } from './invalidation.js'
import { type AnyQuery, infiniteOptions, readOptions } from './reads.js'
import { type AnyVariables, type AnyWriteOptions, membersOf, mutate, noId, optionsWith, resourcesOf } from './writes.js'

type ReadVerb = 'list' | 'first' | 'get' | 'related' | 'linkage'
type ChangeVerb = 'add' | 'remove' | 'replace'
type WriteVerb = 'create' | 'update' | 'upsert' | 'delete' | ChangeVerb | 'act' | 'run'

/** The verbs of a type of the client. Each has the options as its last argument. */
export type Verbs = Readonly<Record<ReadVerb | WriteVerb, (...given: readonly unknown[]) => Promise<object | null>>>

/** A mutation: the arguments of its verb before the options, and the resources that it touches. */
interface Mutation {
  readonly given: (variables: AnyVariables) => readonly unknown[]
  readonly touched: (variables: AnyVariables, result: object) => readonly Touched[]
}

/** Returns the queries and mutations of one type. The types of `Queries` define which of them it has. */
export function queriesOfType(key: string, type: string, verbs: Verbs): object {
  const read = (verb: ReadVerb, path: readonly string[], query: AnyQuery = {}): object =>
    readOptions([key, type, verb, ...path], query, (all) => verbs[verb](...path, all))
  const readPages = (name: string, verb: ReadVerb, path: readonly string[], query: AnyQuery = {}): object =>
    infiniteOptions([key, type, name, ...path], query, (all) => verbs[verb](...path, all))
  return Object.freeze({
    key: [key, type],
    list: (query?: AnyQuery) => read('list', [], query),
    infinite: (query?: AnyQuery) => readPages('infinite', 'list', [], query),
    first: (query: AnyQuery) => read('first', [], query),
    get: (id: string, query?: AnyQuery) => read('get', [id], query),
    related: (id: string, relation: string, query?: AnyQuery) => read('related', [id, relation], query),
    infiniteRelated: (id: string, relation: string, query?: AnyQuery) =>
      readPages('infiniteRelated', 'related', [id, relation], query),
    linkage: (id: string, relation: string, query?: AnyQuery) => read('linkage', [id, relation], query),
    infiniteLinkage: (id: string, relation: string, query?: AnyQuery) =>
      readPages('infiniteLinkage', 'linkage', [id, relation], query),
    ...mutationsOfType(key, type, verbs),
  })
}

function mutationsOfType(key: string, type: string, verbs: Verbs): object {
  const write = (
    [verb, ...name]: readonly [WriteVerb, ...string[]],
    options: AnyWriteOptions | undefined,
    { given, touched }: Mutation,
  ): object => ({
    mutationKey: [key, type, verb, ...name],
    mutationFn: (variables: AnyVariables = {}, { client }: { readonly client: Invalidating }) =>
      mutate(client, key, {
        options: optionsWith(options ?? {}, variables),
        send: (all) => verbs[verb](...given(variables), all),
        touched: (result) => touched(variables, result),
      }),
  })
  const resource = ({ id = noId }: AnyVariables): Touched => ({ type, id })
  const change = (verb: ChangeVerb) => (relation: string, options?: AnyWriteOptions) =>
    write([verb, relation], options, {
      given: ({ id, members }) => [id, relation, members],
      touched: (variables) => [resource(variables), ...membersOf(variables.members)],
    })
  return {
    create: (options?: AnyWriteOptions) =>
      write(['create'], options, {
        given: (variables) => [variables],
        touched: (variables, result) => [resource(variables), ...resourcesOf(result), ...relatedTo(variables)],
      }),
    update: (options?: AnyWriteOptions) =>
      write(['update'], options, {
        given: (variables) => [variables.id, variables],
        touched: (variables) => [resource(variables), ...relatedTo(variables)],
      }),
    upsert: (options?: AnyWriteOptions) =>
      write(['upsert'], options, {
        given: (variables) => [variables.id, variables],
        touched: (variables) => [resource(variables), ...relatedTo(variables)],
      }),
    delete: (options?: AnyWriteOptions) =>
      write(['delete'], options, {
        given: ({ id }) => [id],
        touched: (variables) => [{ ...resource(variables), isDeleted: true }],
      }),
    add: change('add'),
    remove: change('remove'),
    replace: change('replace'),
    act: (action: string, options?: AnyWriteOptions) =>
      write(['act', action], options, {
        given: ({ id, input }) => [id, action, input],
        touched: (variables, result) => [resource(variables), ...resourcesOf(result)],
      }),
    run: (action: string, options?: AnyWriteOptions) =>
      write(['run', action], options, {
        given: ({ input }) => [action, input],
        touched: (_variables, result) => [{ type }, ...resourcesOf(result)],
      }),
  }
}

/** Returns the resources that the relationships of a resource name. */
function relatedTo({ relationships = {} }: AnyVariables): readonly Touched[] {
  return membersOf(...Object.values(relationships))
}

import { accepted, type ActionKit, actionResource, answer, created, metaResult, noContent } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, capabilities, faultsOf, refusals, resource } from './refusals.js'

type Kit = ActionKit<Readonly<Record<string, unknown>>>

const done = { responds: noContent(), handle: () => answer.noContent() }
const later = async (): Promise<boolean> => true

/** The faults of albums with an action of these options. */
const faults = (options: object, members: object = {}, scope: 'resource' | 'collection' = 'resource') =>
  albumFaults({ actions: (a: Kit) => ({ play: a[scope]({ ...done, ...options }) }), ...members })

describe('actions', () => {
  refusals([
    {
      name: 'are declared with the kit',
      found: () => albumFaults({ actions: () => ({ play: () => answer.noContent() }) }),
      says: ['albums.actions.play: is no action. Remedy: declare it with the kit, such as a.resource({ handle: … }).'],
    },
    {
      name: 'are some by name',
      found: () => albumFaults({ actions: () => [] }),
      says: [
        'albums.actions: declares nothing. Remedy: give an object, or a function that answers one: actions: () => ({}).',
      ],
    },
    {
      name: 'have a handler',
      found: () => faults({ handle: undefined }),
      says: [
        'albums.actions.play.handle: is undefined. Remedy: give a function that answers with answer.resource() and others.',
      ],
    },
    {
      name: 'have options of the shape that is expected',
      found: () =>
        faults({
          methods: [],
          input: 'json',
          inputType: 1,
          allowed: later,
          asLink: 'yes',
          linkedWhen: true,
          name: '',
          tags: 'x',
          description: 1,
          path: 'x',
        }),
      says: [
        "albums.actions.play.methods: is an empty list. Remedy: give a list of methods: ['POST'].",
        "albums.actions.play.input: is 'json'. Remedy: choose 'none', 'document' or 'raw'.",
        "albums.actions.play.inputType: is 1. Remedy: name a type: 'albums'.",
        'albums.actions.play.allowed: is an async function. Remedy: answer without a promise: the value is needed at once.',
        "albums.actions.play.asLink: is 'yes'. Remedy: give true or false.",
        'albums.actions.play.linkedWhen: is true. Remedy: give a function of a row that answers true or false.',
        "albums.actions.play.name: is ''. Remedy: give a text, or leave it out for the usual name.",
        "albums.actions.play.tags: is 'x'. Remedy: give a list of texts: ['Catalog'].",
        'albums.actions.play.description: is 1. Remedy: give a text.',
        'albums.actions.play.path: is no option of an action. Remedy: take it away, or correct its spelling.',
      ],
    },
    {
      name: 'are called with methods that there are',
      found: () => faults({ methods: ['POST', 'BREW'] }),
      says: [
        "albums.actions.play.methods: 'BREW' is no method of actions. Remedy: use one of 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'.",
      ],
    },
    {
      name: 'on collections are no links',
      found: () => faults({ asLink: true }, {}, 'collection'),
      says: [
        'albums.actions.play: is to be a link, but is an action on the collection. Remedy: take it away, or declare the action with a.resource().',
      ],
    },
    {
      name: 'that are no links have no conditions for one',
      found: () => faults({ linkedWhen: () => true }),
      says: ['albums.actions.play: has linkedWhen, but is no link. Remedy: add asLink: true.'],
    },
    {
      name: 'have a type of documents where they take documents',
      found: () => faults({ inputType: 'albums', input: 'raw' }),
      says: ["albums.actions.play: has an inputType, but its input is 'raw'. Remedy: say input: 'document'."],
    },
    {
      name: 'take no body with GET',
      found: () => faults({ input: 'raw', methods: ['GET', 'POST'] }),
      says: [
        "albums.actions.play: takes raw input with GET, which brings no body. Remedy: say input: 'none', or take the method away.",
      ],
    },
    {
      name: 'do not write what is read-only',
      found: () => faults({ methods: ['GET', 'POST', 'DELETE'] }, { readOnly: true }),
      says: [
        "albums.actions.play: is called with POST, DELETE, but the type is readOnly. Remedy: say operations: ['FetchCollection', 'FetchOne'] instead of readOnly, or take the actions away with actions: null.",
      ],
    },
    { name: 'may read what is read-only', found: () => faults({ methods: ['GET'] }, { readOnly: true }), says: [] },
    {
      name: 'may be taken away',
      found: () => albumFaults({ readOnly: true, actions: null }),
      says: [],
    },
  ])
})

const named = (path: string, options: object = {}) =>
  albumFaults({ actions: (a: Kit) => ({ [path]: a.resource({ ...done, ...options }) }) })

describe('the paths and names of actions', () => {
  refusals([
    {
      name: 'stand in a path as they are',
      found: () => [...named('play it'), ...named('a/b'), ...named('..')],
      says: [
        "albums.actions.play it: 'play it' cannot be a segment of a path as it is. Remedy: call it by letters, digits, hyphens, underscores, dots and tildes.",
        "albums.actions.a/b: 'a/b' cannot be a segment of a path as it is. Remedy: call it by letters, digits, hyphens, underscores, dots and tildes.",
        "albums.actions...: '..' cannot be a segment of a path as it is. Remedy: call it by letters, digits, hyphens, underscores, dots and tildes.",
      ],
    },
    {
      name: 'name links that there can be',
      found: () => [...named('self', { asLink: true }), ...named('v1.play', { asLink: true }), ...named('v1.play')],
      says: [
        "albums.actions.self: a link cannot be called 'self'. Remedy: give the action another path, or take asLink away.",
        "albums.actions.v1.play: a link cannot be called 'v1.play'. Remedy: give the action another path, or take asLink away.",
      ],
    },
    {
      name: 'are one to each',
      found: () =>
        albumFaults(
          { actions: (a: Kit) => ({ play: a.resource({ ...done, name: 'play' }) }) },
          resource('tracks', { actions: (a: Kit) => ({ start: a.resource({ ...done, name: 'play' }) }) }),
        ),
      says: [
        "tracks.actions.start.name: the route name 'play' is that of 'albums.actions.play' too. Remedy: give each action a name of its own.",
      ],
    },
  ])
})

describe('what actions respond with', () => {
  refusals([
    {
      name: 'is something',
      found: () => faults({ responds: [] }),
      says: ['albums.actions.play.responds: has no response. Remedy: name one, or leave it out for the usual one.'],
    },
    {
      name: 'can be an answer of an action, each status once',
      found: () => faults({ responds: [created(), 'x', metaResult(), actionResource()] }),
      says: [
        'albums.actions.play.responds: cannot answer with created(). Remedy: use noContent(), accepted(), seeOther(), metaResult(), actionResource().',
        "albums.actions.play.responds: 'x' is no response. Remedy: use noContent(), accepted(), seeOther(), metaResult(), actionResource().",
        'albums.actions.play.responds: has two responses with the status 200. Remedy: keep one of them.',
      ],
    },
    {
      name: 'is of types that the server has',
      found: () => faults({ responds: [actionResource('labels'), accepted('jobs')] }),
      says: [
        "albums.actions.play.responds: actionResource('labels') names a type that the server 'default' does not have. Remedy: declare the type there, or name one that is declared.",
        "albums.actions.play.responds: accepted('jobs') names a type that the server 'default' does not have. Remedy: declare the job type there, or name one that is declared.",
      ],
    },
    {
      name: 'is not the answer of an operation',
      found: () => albumFaults({ update: actionResource() }),
      says: ['albums.update: cannot answer with actionResource(). Remedy: use ok(), noContent(), accepted().'],
    },
    {
      name: 'can be rendered',
      found: () =>
        faultsOf({
          resources: [
            capabilities('countries', {
              actions: (a: Kit) => ({ all: a.collection({ handle: () => answer.resource([]) }) }),
            }),
          ],
        }),
      says: [
        "countries.actions.all.responds: resources of 'countries' cannot be rendered: the type has no serializer. Remedy: give it one, or declare the type with defineResource(), whose attributes say how it is rendered.",
      ],
    },
  ])
})

describe('what actions work with', () => {
  refusals([
    {
      name: 'is a provider that finds the resource',
      found: () =>
        faultsOf({ resources: [capabilities('countries', { actions: (a: Kit) => ({ visit: a.resource(done) }) })] }),
      says: [
        "countries.actions.visit: is an action on a resource, which nobody finds: the type has no provider. Remedy: give the type a provider, put a store that reads it under 'data', or declare it with a.collection().",
      ],
    },
    {
      name: 'is a type of documents that the server has',
      found: () => faults({ input: 'document', inputType: 'labels' }),
      says: [
        "albums.actions.play.inputType: 'labels' is no type of the server 'default'. Remedy: declare the type there, or name one that is declared.",
      ],
    },
    {
      name: 'is a type of documents that can say something',
      found: () => faults({ input: 'document' }),
      says: [
        "albums.actions.play.inputType: documents of 'albums' say nothing: the type has no attributes. Remedy: give it attributes, name another type, or say input: 'none'.",
      ],
    },
    {
      name: 'may be documents that a hydrator reads',
      found: () => faults({ input: 'document' }, { hydrator: { hydrate: () => ({}) } }),
      says: [],
    },
  ])
})

import { accepted, type ActionKit, actionResource, bytes, reply, created, metaResult, noContent } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, capabilities, faultsOf, refusals, resource } from './refusals.js'

type Kit = ActionKit<Readonly<Record<string, unknown>>>

const done = { responds: noContent(), handle: () => reply.noContent() }
const later = async (): Promise<boolean> => true

/** The faults of albums with an action of these options. */
const faults = (options: object, members: object = {}, scope: 'resource' | 'collection' = 'resource') =>
  albumFaults({ actions: (a: Kit) => ({ play: a[scope]({ ...done, ...options }) }), ...members })

describe('actions', () => {
  refusals([
    {
      name: 'must be declared with the kit',
      found: () => albumFaults({ actions: () => ({ play: () => reply.noContent() }) }),
      messages: [
        'albums.actions.play: is not an action. Remedy: declare it with the kit, such as a.resource({ handle: … }).',
      ],
    },
    {
      name: 'must be in an object',
      found: () => albumFaults({ actions: () => [] }),
      messages: [
        'albums.actions: declares nothing. Remedy: give an object, or a function that returns one: actions: () => ({}).',
      ],
    },
    {
      name: 'must have a handler',
      found: () => faults({ handle: undefined }),
      messages: [
        'albums.actions.play.handle: is undefined. Remedy: give a function that returns a reply, such as reply.resource().',
      ],
    },
    {
      name: 'must have options of the expected shape',
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
      messages: [
        "albums.actions.play.methods: is an empty list. Remedy: give a list of methods: ['POST'].",
        "albums.actions.play.input: is 'json'. Remedy: choose 'none', 'document', 'raw', or bytes() with media types.",
        "albums.actions.play.inputType: is 1. Remedy: name a type: 'albums'.",
        'albums.actions.play.allowed: is an async function. Remedy: use a synchronous function: the result is not awaited.',
        "albums.actions.play.asLink: is 'yes'. Remedy: give true or false.",
        'albums.actions.play.linkedWhen: is true. Remedy: give a function that takes a row and returns true or false.',
        "albums.actions.play.name: is ''. Remedy: give a string, or leave it out for the default name.",
        "albums.actions.play.tags: is 'x'. Remedy: give a list of strings: ['Catalog'].",
        'albums.actions.play.description: is 1. Remedy: give a string.',
        'albums.actions.play.path: is not an option of an action. Remedy: remove it, or correct its spelling.',
      ],
    },
    {
      name: 'must have known methods',
      found: () => faults({ methods: ['POST', 'BREW'] }),
      messages: [
        "albums.actions.play.methods: 'BREW' is not a supported method. Remedy: use one of 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'.",
      ],
    },
    {
      name: 'on collections must not be links',
      found: () => faults({ asLink: true }, {}, 'collection'),
      messages: [
        'albums.actions.play: has asLink or linkedWhen, but is an action on the collection. Remedy: remove the option, or declare the action with a.resource().',
      ],
    },
    {
      name: 'that are no links must not have conditions for one',
      found: () => faults({ linkedWhen: () => true }),
      messages: ['albums.actions.play: has linkedWhen, but asLink is not set. Remedy: add asLink: true.'],
    },
    {
      name: 'need a type of documents if they take documents',
      found: () => faults({ inputType: 'albums', input: 'raw' }),
      messages: ["albums.actions.play: has an inputType, but its input is 'raw'. Remedy: set input: 'document'."],
    },
    {
      name: 'must not take a body with GET',
      found: () => faults({ input: 'raw', methods: ['GET', 'POST'] }),
      messages: [
        "albums.actions.play: takes raw input with GET, which has no request body. Remedy: set input: 'none', or remove the method.",
      ],
    },
    {
      name: 'take and send bytes of media types without parameters',
      found: () => [
        ...faults({ input: bytes() }),
        ...faults({ input: bytes('png', 'image/*', '*/*', 'image/png; q=1') }),
        ...faults({ responds: bytes('image/*', 'application/vnd.api+json', 'image/png') }),
        ...faults({ input: bytes('image/png'), methods: ['GET'] }),
        ...faults({ responds: [bytes('image/png'), metaResult()] }),
      ],
      messages: [
        "albums.actions.play.input: bytes() has no media type. Remedy: give media types: bytes('image/png').",
        "albums.actions.play.input: bytes() has 'png', which is not a media type or a range of them without parameters. Remedy: give media types: bytes('image/png').",
        "albums.actions.play.input: bytes() has 'image/png; q=1', which is not a media type or a range of them without parameters. Remedy: give media types: bytes('image/png').",
        "albums.actions.play.responds: bytes() has 'image/*', which is not a media type without parameters. Remedy: give media types: bytes('image/png').",
        "albums.actions.play.responds: bytes() has 'application/vnd.api+json', which is not a media type without parameters. Remedy: give media types: bytes('image/png').",
        "albums.actions.play: takes raw input with GET, which has no request body. Remedy: set input: 'none', or remove the method.",
        'albums.actions.play.responds: has two responses with the status 200. Remedy: keep one of them.',
      ],
    },
    {
      name: 'must not write read-only columns',
      found: () => faults({ methods: ['GET', 'POST', 'DELETE'] }, { readOnly: true }),
      messages: [
        "albums.actions.play: accepts POST, DELETE, but the type is readOnly. Remedy: declare operations: ['FetchCollection', 'FetchOne'] instead of readOnly, or remove the actions with actions: null.",
      ],
    },
    { name: 'may read read-only columns', found: () => faults({ methods: ['GET'] }, { readOnly: true }), messages: [] },
    {
      name: 'may be removed',
      found: () => albumFaults({ readOnly: true, actions: null }),
      messages: [],
    },
  ])
})

const named = (path: string, options: object = {}) =>
  albumFaults({ actions: (a: Kit) => ({ [path]: a.resource({ ...done, ...options }) }) })

describe('the paths and names of actions', () => {
  refusals([
    {
      name: 'must be valid in a path as they are',
      found: () => [...named('play it'), ...named('a/b'), ...named('..')],
      messages: [
        "albums.actions.play it: 'play it' cannot be used as a path segment. Remedy: use only letters, digits, hyphens, underscores, dots and tildes.",
        "albums.actions.a/b: 'a/b' cannot be used as a path segment. Remedy: use only letters, digits, hyphens, underscores, dots and tildes.",
        "albums.actions...: '..' cannot be used as a path segment. Remedy: use only letters, digits, hyphens, underscores, dots and tildes.",
      ],
    },
    {
      name: 'must be valid names of links',
      found: () => [...named('self', { asLink: true }), ...named('v1.play', { asLink: true }), ...named('v1.play')],
      messages: [
        "albums.actions.self: a link cannot be called 'self'. Remedy: give the action another path, or remove asLink.",
        "albums.actions.v1.play: a link cannot be called 'v1.play'. Remedy: give the action another path, or remove asLink.",
      ],
    },
    {
      name: 'must not be those of operations',
      found: () =>
        albumFaults({ actions: (a: Kit) => ({ play: a.resource({ ...done, name: 'jsonapi.albums.show' }) }) }),
      messages: [
        "albums.actions.play.name: the route name 'jsonapi.albums.show' is that of an operation. Remedy: give the action another name, or leave it out.",
      ],
    },
    {
      name: 'must be unique',
      found: () =>
        albumFaults(
          { actions: (a: Kit) => ({ play: a.resource({ ...done, name: 'play' }) }) },
          resource('tracks', { actions: (a: Kit) => ({ start: a.resource({ ...done, name: 'play' }) }) }),
        ),
      messages: [
        "tracks.actions.start.name: the route name 'play' is already used by 'albums.actions.play'. Remedy: give each action a unique name.",
      ],
    },
  ])
})

describe('responses of actions', () => {
  refusals([
    {
      name: 'must not be empty',
      found: () => faults({ responds: [] }),
      messages: ['albums.actions.play.responds: has no response. Remedy: name one, or leave it out for the default.'],
    },
    {
      name: 'can be responses of an action, each status once',
      found: () => faults({ responds: [created(), 'x', metaResult(), actionResource()] }),
      messages: [
        'albums.actions.play.responds: cannot respond with created(). Remedy: use noContent(), accepted(), seeOther(), metaResult(), actionResource(), bytes().',
        "albums.actions.play.responds: 'x' is not a response. Remedy: use noContent(), accepted(), seeOther(), metaResult(), actionResource(), bytes().",
        'albums.actions.play.responds: has two responses with the status 200. Remedy: keep one of them.',
      ],
    },
    {
      name: 'must have contents that a document can have',
      found: () => faults({ responds: actionResource('albums', 'few' as 'many') }),
      messages: [
        "albums.actions.play.responds: 'few' is not what a document can have. Remedy: use actionResource(type, 'one'), 'oneOrNull' or 'many'.",
      ],
    },
    {
      name: 'must be of types that the server has',
      found: () => faults({ responds: [actionResource('labels'), accepted('jobs')] }),
      messages: [
        "albums.actions.play.responds: actionResource('labels') names a type that the server 'default' does not have. Remedy: declare the type there, or name one that is declared.",
        "albums.actions.play.responds: accepted('jobs') names a type that the server 'default' does not have. Remedy: declare the job type there, or name one that is declared.",
      ],
    },
    {
      name: 'must not be a response of an operation',
      found: () => albumFaults({ update: actionResource() }),
      messages: ['albums.update: cannot respond with actionResource(). Remedy: use ok(), noContent(), accepted().'],
    },
    {
      name: 'can be rendered',
      found: () =>
        faultsOf({
          resources: [
            capabilities('countries', {
              actions: (a: Kit) => ({ all: a.collection({ handle: () => reply.resource({}) }) }),
            }),
          ],
        }),
      messages: [
        "countries.actions.all.responds: resources of 'countries' cannot be rendered: the type has no serializer. Remedy: give it one, or declare the type with defineResource(), whose attributes define how it is rendered.",
      ],
    },
  ])
})

describe('settings of actions', () => {
  refusals([
    {
      name: 'must be a provider that finds the resource',
      found: () =>
        faultsOf({ resources: [capabilities('countries', { actions: (a: Kit) => ({ visit: a.resource(done) }) })] }),
      messages: [
        "countries.actions.visit: is an action on a resource, but the type has no provider to find it. Remedy: give the type a provider, put a store that reads it under 'data', or declare the action with a.collection().",
      ],
    },
    {
      name: 'must be a type of documents that the server has',
      found: () => faults({ input: 'document', inputType: 'labels' }),
      messages: [
        "albums.actions.play.inputType: 'labels' is not a type of the server 'default'. Remedy: declare the type there, or name one that is declared.",
      ],
    },
    {
      name: 'must be a type of documents with members',
      found: () => faults({ input: 'document' }),
      messages: [
        "albums.actions.play.inputType: the type 'albums' has no attributes that an input document could contain. Remedy: give it attributes, name another type, or set input: 'none'.",
      ],
    },
    {
      name: 'may be documents that a hydrator reads',
      found: () => faults({ input: 'document' }, { hydrator: { hydrate: () => ({}) } }),
      messages: [],
    },
  ])
})

import { fixedPage, numberPage, pageMenu } from 'ashlar'
import { describe } from 'vitest'
import { faultsOf, refusals, resource, settingFaults } from './refusals.js'

class OutOfStock extends Error {}

describe('the settings', () => {
  refusals([
    {
      name: 'must be an object',
      found: () => faultsOf(null),
      messages: ['resources: is undefined. Remedy: give a list of declarations: resources: [albums].'],
    },
    {
      name: 'must have a list of resources',
      found: () => faultsOf({ resources: 'albums' }),
      messages: ["resources: is 'albums'. Remedy: give a list of declarations: resources: [albums]."],
    },
    {
      name: 'must contain declarations only',
      found: () => settingFaults({ resources: [5] }),
      messages: [
        'resources[0]: is not a declaration. Remedy: give the return value of defineResource() or defineType().',
      ],
    },
    {
      name: 'must not have unknown members',
      found: () => settingFaults({ baseURI: '' }),
      messages: ['baseURI: is not a setting. Remedy: remove it, or correct its spelling.'],
    },
    {
      name: 'must have an absolute base URI',
      found: () => settingFaults({ baseUri: 'example.com/api' }),
      messages: [
        "baseUri: is 'example.com/api'. Remedy: give an absolute URL, baseUri: 'https://example.com', or leave it out.",
      ],
    },
    {
      name: 'must have a base URI without a query',
      found: () => settingFaults({ baseUri: 'https://a.org/?x' }),
      messages: [
        "baseUri: is 'https://a.org/?x'. Remedy: give an absolute URL, baseUri: 'https://example.com', or leave it out.",
      ],
    },
    {
      name: 'must have a base URI that is a text',
      found: () => settingFaults({ baseUri: 5 }),
      messages: ["baseUri: is 5. Remedy: give an absolute URL, baseUri: 'https://example.com', or leave it out."],
    },
    {
      name: 'must have a version that is a text',
      found: () => settingFaults({ version: 1.1 }),
      messages: ["version: is 1.1. Remedy: give a string, such as '1.1', or '' for none."],
    },
    {
      name: 'must have jsonapi meta that is an object',
      found: () => settingFaults({ jsonapiMeta: 'x' }),
      messages: ["jsonapiMeta: is 'x'. Remedy: give an object."],
    },
    {
      name: 'must ignore or reject unknown members',
      found: () => settingFaults({ unknownMembers: 'drop' }),
      messages: ["unknownMembers: is 'drop'. Remedy: choose 'ignore' or 'reject'."],
    },
    {
      name: 'must have flags that are true or false',
      found: () => settingFaults({ trustProxy: 'yes' }),
      messages: ["trustProxy: is 'yes'. Remedy: give true or false."],
    },
    {
      name: 'must have a largest page size that is a number',
      found: () => settingFaults({ maxPageSize: -1 }),
      messages: ['maxPageSize: is -1. Remedy: give a whole number, 0 to turn paging off.'],
    },
    {
      name: 'must have an include depth that is a number',
      found: () => settingFaults({ maxIncludeDepth: '3' }),
      messages: ["maxIncludeDepth: is '3'. Remedy: give a whole number, 0 for no limit."],
    },
    {
      name: 'must have a linkage policy that exists',
      found: () => settingFaults({ linkage: true }),
      messages: ["linkage: is true. Remedy: choose 'always' or 'whenLoaded'."],
    },
    {
      name: 'must have a handler that is a function',
      found: () => settingFaults({ handler: {} }),
      messages: [
        'handler: is an object. Remedy: give a function that takes the built-in handler, or null for a server that handles nothing.',
      ],
    },
    {
      name: 'must have a handler function that returns one',
      found: () => settingFaults({ handler: () => 5 }),
      messages: [
        'handler: does not return a handler. Remedy: return a function that takes an operation, such as the built-in handler that is passed in.',
      ],
    },
    {
      name: 'must have a handler function that does not throw',
      found: () =>
        settingFaults({
          handler: () => {
            throw new Error('no luck')
          },
        }),
      messages: [
        'handler: the function threw: no luck. Remedy: return a function that takes an operation, such as the built-in handler that is passed in.',
      ],
    },
    {
      name: 'must have a logger that logs',
      found: () => settingFaults({ logger: {} }),
      messages: ["logger: is an object. Remedy: give a logger with a function 'error', or null for none."],
    },
    {
      name: 'must have messages as a function or an object',
      found: () => settingFaults({ messages: 5 }),
      messages: ['messages: is 5. Remedy: give a function, or an object of messages by code.'],
    },
    {
      name: 'must have services by name',
      found: () => settingFaults({ services: [] }),
      messages: ['services: is an empty list. Remedy: give an object of serializers and hydrators by name.'],
    },
  ])
})

describe('limits', () => {
  refusals([
    {
      name: 'must be an object',
      found: () => settingFaults({ limits: 5 }),
      messages: ['limits: is 5. Remedy: give an object of numbers.'],
    },
    {
      name: 'must be positive',
      found: () => settingFaults({ limits: { bodyBytes: 0 } }),
      messages: ['limits.bodyBytes: is 0. Remedy: give a whole number above 0.'],
    },
    {
      name: 'must be whole',
      found: () => settingFaults({ limits: { jsonDepth: 1.5 } }),
      messages: ['limits.jsonDepth: is 1.5. Remedy: give a whole number above 0.'],
    },
    {
      name: 'must be known ones',
      found: () => settingFaults({ limits: { bodySize: 5 } }),
      messages: [
        "limits.bodySize: is not a limit. Remedy: use one of 'bodyBytes', 'jsonDepth', 'uriLength', 'includePaths', 'sortKeys', 'filterValues', 'queryFilterValues', 'filterDepth', 'filterLeaves', 'filterValueLength', 'attributeItems', 'identifiers', 'resources', 'includedResources', 'linkage', 'documentBytes', 'errors'.",
      ],
    },
  ])
})

describe('query parameter families', () => {
  refusals([
    {
      name: 'must be a list',
      found: () => settingFaults({ queryFamilies: 'myFamily' }),
      messages: ["queryFamilies: is 'myFamily'. Remedy: give a list: ['myFamily']."],
    },
    {
      name: 'must have names',
      found: () => settingFaults({ queryFamilies: ['a b]'] }),
      messages: [
        "queryFamilies: 'a b]' is not a name for a query parameter family. Remedy: use letters and digits, such as camelCase.",
      ],
    },
    {
      name: 'must have a character other than a-z',
      found: () => settingFaults({ queryFamilies: ['search'] }),
      messages: [
        "queryFamilies: 'search' has only lowercase letters, and JSON:API reserves such names. Remedy: add an uppercase letter, a digit or a hyphen, such as camelCase.",
      ],
    },
    {
      name: 'must not be those of JSON:API',
      found: () => settingFaults({ queryFamilies: ['withCount'] }),
      messages: ["queryFamilies: 'withCount' is reserved. Remedy: choose another name."],
    },
  ])
})

describe('exception mappers and the exception map', () => {
  refusals([
    {
      name: 'mappers must be a list',
      found: () => settingFaults({ mappers: {} }),
      messages: ['mappers: is not a list. Remedy: give a list of exception mappers.'],
    },
    {
      name: 'mappers must be callable',
      found: () => settingFaults({ mappers: [{}] }),
      messages: ["mappers: the exception mapper 0 has no function 'map'. Remedy: give one with a function 'map'."],
    },
    {
      name: 'mappers must have a number as priority',
      found: () => settingFaults({ mappers: [{ priority: 'high', map: () => null }] }),
      messages: [
        'mappers: the priority of exception mapper 0 is not a number. Remedy: give a number, or leave it out.',
      ],
    },
    {
      name: 'the map must be a list or a Map',
      found: () => settingFaults({ exceptionMap: { OutOfStock: 409 } }),
      messages: [
        'exceptionMap: is not a list of classes and statuses. Remedy: give a list, exceptionMap: [[OutOfStock, 409]], or a Map.',
      ],
    },
    {
      name: 'the map must name classes',
      found: () => settingFaults({ exceptionMap: [['OutOfStock', 409]] }),
      messages: [
        'exceptionMap: the exception map has an entry without a class. Remedy: give the class itself, not its name.',
      ],
    },
    {
      name: 'the map must have error statuses',
      found: () => settingFaults({ exceptionMap: [[OutOfStock, 200]] }),
      messages: ['exceptionMap: the exception map gives OutOfStock the status 200. Remedy: give one from 400 to 599.'],
    },
    {
      name: 'all faults are reported',
      found: () =>
        settingFaults({
          mappers: [null],
          exceptionMap: [
            [OutOfStock, 409],
            [OutOfStock, 410],
          ],
        }),
      messages: [
        'exceptionMap: the exception map names OutOfStock twice. Remedy: keep one of the two.',
        "mappers: the exception mapper 0 has no function 'map'. Remedy: give one with a function 'map'.",
      ],
    },
  ])
})

describe('named servers', () => {
  refusals([
    {
      name: 'must be in an object',
      found: () => settingFaults({ servers: ['admin'] }),
      messages: ['servers: is a list. Remedy: give an object keyed by server name: servers: { admin: {} }.'],
    },
    {
      name: 'must have settings',
      found: () => settingFaults({ servers: { admin: '/admin' } }),
      messages: ["servers.admin: is '/admin'. Remedy: give its settings: { prefix: '/admin' }."],
    },
    {
      name: 'must have a name',
      found: () => settingFaults({ servers: { 'a/b': { prefix: '/x' } } }),
      messages: [
        "servers.a/b: 'a/b' is not a name for a server. Remedy: use a letter first, then letters, digits, hyphens and underscores.",
      ],
    },
    {
      name: 'must have a prefix that is a path',
      found: () => settingFaults({ servers: { admin: { prefix: 'admin' } } }),
      messages: [
        "servers.admin.prefix: 'admin' is not a path. Remedy: leave it out, or start it with a slash: prefix: '/admin'.",
      ],
    },
    {
      name: 'must have a host without a scheme',
      found: () => settingFaults({ servers: { admin: { host: 'https://a.org' } } }),
      messages: [
        "servers.admin.host: 'https://a.org' is not a host. Remedy: give a name without scheme or path: host: 'admin.example.com'.",
      ],
    },
    {
      name: 'must not have the path of the default server',
      found: () => settingFaults({ servers: { admin: {} } }),
      messages: [
        "servers.admin: has the same host and prefix as the server 'default'. Remedy: give one of the two another prefix or host: { prefix: '/admin' }.",
      ],
    },
    {
      name: 'must not have the path of another',
      found: () => settingFaults({ servers: { admin: { prefix: '/x' }, staff: { prefix: '/x/' } } }),
      messages: [
        "servers.staff: has the same host and prefix as the server 'admin'. Remedy: give one of the two another prefix or host: { prefix: '/admin' }.",
      ],
    },
    {
      name: 'must not have a prefix or a host if the application places their routes',
      found: () =>
        settingFaults({
          servers: {
            staff: { routing: 'manual', prefix: '/staff', host: 'a.org' },
            admin: { routing: 'none', prefix: '/x' },
          },
        }),
      messages: [
        "servers.staff.prefix: is given together with routing: 'manual'. Remedy: leave it out: the group of the application has the prefix, and links follow it.",
        "servers.staff.host: is given together with routing: 'manual'. Remedy: leave it out: the group of the application has the host, and links follow it.",
        "servers.admin.routing: is 'none'. Remedy: use 'automatic', or 'manual' for routes that the application places in its own router.",
      ],
    },
    {
      name: 'must be declared before a type is assigned to them',
      found: () => settingFaults({ resources: [resource('albums', { server: ['default', 'admin', 5] })] }),
      messages: [
        "albums.server: is assigned to the server 'admin', which is not declared. Remedy: declare it in the settings, servers: { admin: {} }, or name 'default'.",
        "albums.server: is assigned to the server 5, which is not declared. Remedy: name 'default'.",
      ],
    },
  ])
})

describe('the paginator of the server', () => {
  refusals([
    {
      name: 'must be a paginator',
      found: () => settingFaults({ pagination: 20 }),
      messages: ['pagination: 20 is not a paginator. Remedy: give one, such as numberPage(), or null for none.'],
    },
    {
      name: 'must have a positive page size',
      found: () => settingFaults({ pagination: numberPage({ size: 0 }) }),
      messages: ['pagination: has the page size 0. Remedy: give a whole number above 0.'],
    },
    {
      name: 'must have a cap that is none or positive',
      found: () => settingFaults({ pagination: numberPage({ maxSize: -1 }) }),
      messages: ['pagination: has the largest page size -1. Remedy: give a whole number, 0 for no limit.'],
    },
    {
      name: 'must have pages within its own cap',
      found: () => settingFaults({ pagination: numberPage({ size: 200 }) }),
      messages: [
        'pagination: has the page size 200, which is above its largest page size 100. Remedy: raise maxSize, or lower size.',
      ],
    },
    {
      name: 'must have page keys that are names',
      found: () => settingFaults({ pagination: numberPage({ keys: { size: 'a[b]' } }) }),
      messages: [
        "pagination: has a page key that is not a name. Remedy: give strings without brackets: keys: { size: 'limit' }.",
      ],
    },
    {
      name: 'must have distinct page keys',
      found: () => settingFaults({ pagination: numberPage({ keys: { size: 'number' } }) }),
      messages: ["pagination: gives two page keys the name 'number'. Remedy: give each page key a different name."],
    },
    {
      name: 'must be named by a text',
      found: () => settingFaults({ pagination: numberPage().named('') }),
      messages: ["pagination: has the name ''. Remedy: give a string: named('large')."],
    },
    {
      name: 'must be a menu with a choice',
      found: () => settingFaults({ pagination: pageMenu([]) }),
      messages: [
        'pagination: is a page menu without choices. Remedy: offer some: pageMenu([numberPage(), cursorPage()]).',
      ],
    },
    {
      name: 'must be a menu of distinct kinds',
      found: () => settingFaults({ pagination: pageMenu([numberPage(), numberPage({ size: 50 })]) }),
      messages: [
        "pagination: offers two paginators of the kind 'page'. Remedy: name one of them: numberPage().named('large').",
      ],
    },
    {
      name: 'must be a menu whose default it offers',
      found: () => settingFaults({ pagination: pageMenu([numberPage(), fixedPage()], { default: 'cursor' }) }),
      messages: ["pagination: has the default 'cursor', which it does not offer. Remedy: use one of 'page', 'fixed'."],
    },
    {
      name: 'must be a menu of paginators',
      found: () => settingFaults({ pagination: pageMenu([pageMenu([]) as never]) }),
      messages: ['pagination: offers an object, which is not a paginator. Remedy: offer paginators, not menus.'],
    },
  ])
})

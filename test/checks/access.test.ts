import { type ActionKit, authenticate, noContent, reply, rowRules, type RuleKit } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, refusals, resource, settingFaults } from './refusals.js'

describe('policies', () => {
  const needsObject = "Remedy: return an object with the abilities, or declare policy: 'public'."
  const needsRule = 'Remedy: declare true, false, a rule of the kit, or a function that returns one.'
  const needsCaller =
    'Remedy: declare true, false, signedIn() of the kit, or a function of the caller; rules about rows belong to the policy of a type.'
  const needsPolicy =
    "Remedy: declare who may do what, in each type or for all of them in createServer(): policy: () => ({ viewAny: true, view: true }) lets everybody read and no caller write, and policy: 'public' lets everybody do everything."
  const signedIn = authenticate({ challenge: 'Bearer', caller: () => null })
  refusals([
    {
      name: 'must be functions',
      found: () => albumFaults({ policy: {} }),
      messages: [`albums.policy: is not a function. ${needsObject}`],
    },
    {
      name: 'must return objects',
      found: () => albumFaults({ policy: () => null }),
      messages: [`albums.policy: does not return an object. ${needsObject}`],
    },
    {
      name: 'must not throw',
      found: () =>
        albumFaults({
          policy: () => {
            throw new Error('Oh')
          },
        }),
      messages: ['albums.policy: throws an error: Oh. Remedy: correct the function.'],
    },
    {
      name: 'must have known abilities, with rules that fit them, all faults in one report',
      found: () =>
        albumFaults({
          policy: (p: RuleKit) => ({
            before: true,
            viewAny: p.eq('id', 1),
            view: p.check(() => true),
            create: 'yes',
            upate: true,
          }),
        }),
      messages: [
        'albums.policy.before: is not a function. Remedy: declare a function.',
        `albums.policy.viewAny: is a rule about rows, but is checked before rows are read. ${needsRule}`,
        `albums.policy.view: is a check() of single rows, but has to filter lists too. ${needsRule}`,
        `albums.policy.create: is not a rule. ${needsRule}`,
        'albums.policy.upate: is not an ability. Remedy: use one of viewAny, aggregate, view, create, update, updated, delete, restore, forceDelete.',
      ],
    },
    {
      name: 'must not be combined with shared caches',
      found: () =>
        albumFaults({
          policy: () => ({ view: true }),
          cacheHeaders: { public: true, max_age: 60, operations: { read: { s_maxage: 10 } } },
        }),
      messages: [
        'albums.cacheHeaders.public: lets shared caches store what the policy shows to one caller. Remedy: use private: true.',
        'albums.cacheHeaders.operations.read.s_maxage: lets shared caches store what the policy shows to one caller. Remedy: use private: true.',
      ],
    },
    {
      name: 'must be declared for the types of a server that authenticates its callers, in one fault for all of them',
      found: () =>
        settingFaults({
          resources: [resource('albums'), resource('artists', { policy: 'public' }), resource('tracks')],
          middleware: [signedIn],
        }),
      messages: [
        `policy: is missing for 2 types (albums, tracks), but the server 'default' authenticates its callers. ${needsPolicy}`,
      ],
    },
    {
      name: 'must be declared for the types of a server whose middleware says by which header it finds callers',
      found: () =>
        settingFaults({
          resources: [resource('albums')],
          middleware: [Object.assign((_: unknown, next: () => unknown) => next(), { vary: 'Cookie' })],
        }),
      messages: [
        `policy: is missing for one type (albums), but the server 'default' authenticates its callers. ${needsPolicy}`,
      ],
    },
    {
      name: 'must be declared for all types of a server if one of them has a policy, and for its actions',
      found: () =>
        settingFaults({
          resources: [
            resource('albums', {
              policy: () => ({ view: true }),
              actions: (a: ActionKit<object>) => ({
                count: a.collection({ responds: noContent(), handle: () => reply.noContent() }),
              }),
            }),
            resource('artists'),
            resource('tracks', { server: ['default', 'open'] }),
            resource('genres', { server: 'open' }),
          ],
          servers: { open: { prefix: '/open' } },
        }),
      messages: [
        `policy: is missing for 2 types (artists, tracks), but 'albums' on the server 'default' has a policy. ${needsPolicy}`,
        "albums.actions.count: does not declare who may call it, but 'albums' on the server 'default' has a policy. Remedy: name an ability of the policy with ability, or set ability: false if everybody may call it.",
      ],
    },
    {
      name: 'of a server must not depend on rows, and its faults are reported once',
      found: () =>
        settingFaults({
          resources: [resource('albums'), resource('artists')],
          policy: () => ({
            view: rowRules<{ readonly id: number }>().eq('id', 1),
            create: rowRules().check(() => true),
            upate: true,
            custom: { publish: 5 },
          }),
          servers: { admin: { prefix: '/admin', policy: 5 } },
        }),
      messages: [
        `policy.view: is a rule about rows, but the policy of a server is for types with different columns. ${needsCaller}`,
        `policy.create: is a rule about rows, but the policy of a server is for types with different columns. ${needsCaller}`,
        'policy.upate: is not an ability. Remedy: use one of viewAny, aggregate, view, create, update, updated, delete, restore, forceDelete.',
        `policy.custom.publish: is not a rule. ${needsCaller}`,
        "servers.admin.policy: is not a function. Remedy: return an object with the abilities, or declare policy: 'public'.",
      ],
    },
    {
      name: 'of a server has a kit without rules about rows',
      found: () =>
        settingFaults({ resources: [resource('albums')], policy: (p: RuleKit) => ({ view: p.eq('id', 1) }) }),
      messages: ['policy: throws an error: p.eq is not a function. Remedy: correct the function.'],
    },
    {
      name: 'is not replaced by access, which has one value',
      found: () => settingFaults({ resources: [resource('albums')], access: 'closed' }),
      messages: ["access: is 'closed'. Remedy: give 'open', or leave it out."],
    },
  ])
})

describe('abilities', () => {
  refusals([
    {
      name: 'must be abilities of the policy if operations name them',
      found: () =>
        albumFaults({
          policy: () => ({ custom: { publish: true, view: true, share: 1 } }),
          abilities: { FetchOne: false, Create: 'publish', Update: 'publsh', Delete: 1, Fetch: true },
        }),
      messages: [
        'albums.policy.custom.view: has the name of a usual ability. Remedy: declare it as policy.view.',
        'albums.policy.custom.share: is not a rule. Remedy: declare true, false, a rule of the kit, or a function that returns one.',
        "albums.abilities.Update: names the ability 'publsh', which the policy does not declare. Remedy: declare policy.custom.publsh, or name another ability.",
        'albums.abilities.Delete: is 1. Remedy: name an ability of the policy, or give false.',
        "albums.abilities.Fetch: is not an operation. Remedy: use one of 'FetchCollection', 'FetchOne', 'Create', 'Update', 'Delete'.",
      ],
    },
    {
      name: 'an ability of a list must not depend on rows',
      found: () =>
        albumFaults({
          policy: (p: RuleKit<{ readonly id: number }>) => ({ custom: { some: p.eq('id', 1), all: true } }),
          abilities: { FetchCollection: 'some', FetchOne: 'some', Create: 'all' },
        }),
      messages: [
        "albums.abilities.FetchCollection: names the ability 'some', which is a rule about rows, but is checked before rows are read. Remedy: name an ability that the caller decides, or give false.",
      ],
    },
  ])
})

describe('middleware', () => {
  const remedy = 'Remedy: give a list of functions: [(context, next) => next()].'
  refusals([
    {
      name: 'must be a list of functions',
      found: () => settingFaults({ middleware: () => null, servers: { admin: { prefix: '/a', middleware: [5] } } }),
      messages: [`middleware: is a function. ${remedy}`, `servers.admin.middleware[0]: is 5. ${remedy}`],
    },
    {
      name: 'of the default server is declared once',
      found: () => settingFaults({ middleware: [], servers: { default: { middleware: [] } } }),
      messages: [
        "middleware: is also declared as 'servers.default.middleware'. Remedy: leave one of them out: both are of the server 'default'.",
      ],
    },
  ])
})

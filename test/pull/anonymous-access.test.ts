import { expect, test } from 'vitest'
import { anonymousAccess } from '../../src/tools/pull/anonymous-access.js'

const server = (settings: string): string => `export const server = createServer({
  resources,
  ${settings}
})
`

const albums = (members: string): string =>
  `export const albums = defineResource('albums', {\n  id: id(),\n  ${members}\n})\n`

const access = (settings: string, members = '') => anonymousAccess(server(settings), [albums(members), null])

const nothing = { read: [], write: [], unknown: [] }
const everything = { read: ['albums'], write: ['albums'], unknown: [] }
const unknown = { read: [], write: [], unknown: ['albums'] }
const signedIn = 'policy: (p) => ({ viewAny: p.signedIn(), view: p.signedIn() }),'

test.each([
  { name: 'the policy of the server', settings: signedIn, expected: nothing },
  { name: 'no policy at all', settings: '', expected: everything },
  { name: 'a public server', settings: "policy: 'public',", expected: everything },
  {
    name: 'reads for all',
    settings: 'policy: () => ({ viewAny: true, view: true })',
    expected: { ...nothing, read: ['albums'] },
  },
  {
    name: 'a condition of the caller',
    settings: 'policy: (p) => ({ view: p.signedIn(isAdmin), create: false })',
    expected: nothing,
  },
  { name: 'a function', settings: 'policy: (p) => ({ view: ({ caller }) => caller !== null })', expected: unknown },
  { name: 'a policy of another module', settings: 'policy: catalogue,', expected: unknown },
  { name: 'a spread of rules', settings: 'policy: (p) => ({ ...internal(p), view: false })', expected: unknown },
  { name: 'before', settings: 'policy: (p) => ({ before: () => true })', expected: unknown },
  { name: 'a spread of settings', settings: '...settings,', expected: unknown },
])('$name', ({ settings, expected }) => {
  expect(access(settings)).toEqual(expected)
})

test('a type has its own policy, may be read-only, and may have public operations', () => {
  expect(access(signedIn, 'policy: () => ({ viewAny: true, view: true }),')).toEqual({ ...nothing, read: ['albums'] })
  expect(access('', 'readOnly: true,')).toEqual({ ...nothing, read: ['albums'] })
  expect(access(signedIn, 'abilities: { Create: false },')).toEqual(unknown)
  expect(access(signedIn, 'actions: { reissue },')).toEqual(unknown)
  expect(access(signedIn, "relations: { artist: belongsTo('artists').security({ read: false }) },")).toEqual(unknown)
  expect(access(signedIn, "policy: 'public',")).toEqual(everything)
})

test('a server in another form, and files that cannot be parsed, are unknown', () => {
  for (const text of [
    null,
    'export const server = build()\n',
    'export default createServer({})\n',
    'const server = (',
  ]) {
    expect(anonymousAccess(text, [albums('')])).toEqual(unknown)
  }
  expect(anonymousAccess(server(signedIn), [`${albums('')} (`])).toEqual(unknown)
})

test('types of several files and one file are found', () => {
  const tracks = albums("policy: 'public',").replaceAll('albums', 'tracks')
  const texts = [`${albums('')}\n${tracks}`, albums('').replaceAll('albums', 'artists')]
  expect(anonymousAccess(server(signedIn), texts)).toEqual({ read: ['tracks'], write: ['tracks'], unknown: [] })
})

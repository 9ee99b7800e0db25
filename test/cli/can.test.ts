import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ashlar } from '../support/cli.js'

const module = (name: string): string => fileURLToPath(new URL(`modules/${name}.ts`, import.meta.url))

const can = (...args: readonly string[]) => ashlar('can', ...args)

describe('ashlar can', () => {
  test('prints its usage', async () => {
    const { code, out } = await can('--help')
    expect(code).toBe(0)
    expect(out).toMatch(/^Usage: ashlar can <module> <type>\[\.<field>\]:<ability>\[:<id>\] \[--as <json>\]/)
  })

  test('ends with 0 if it is permitted, and prints the rule', async () => {
    expect(await can(module('guarded'), 'albums:update:1', '--as', '{"id":1}')).toEqual({
      code: 0,
      out: [
        'albums:update:1 is permitted.',
        "  - policy.update of 'albums' is a rule: ownerId = 1.",
        '  - The row meets it.',
        "  - After the change it must meet 'updated', which is a rule: ownerId = 1.",
      ].join('\n'),
      err: '',
    })
  })

  test('ends with 1 if it is denied, and prints the rule', async () => {
    expect(await can('--as', '{"id":2}', module('guarded'), 'albums:update:1')).toEqual({
      code: 1,
      out: [
        'albums:update:1 is denied with 403.',
        "  - policy.update of 'albums' is a rule: ownerId = 2.",
        '  - The row does not meet it.',
      ].join('\n'),
      err: '',
    })
  })

  test('lists the filters that a caller may use, and which condition withholds one', async () => {
    expect(await can(module('guarded'), 'albums:filter', '--as', '{"id":2}')).toEqual({
      code: 0,
      out: [
        'albums:filter is permitted.',
        "  - 'id' can be used.",
        "  - 'owner' is unknown to this caller. The condition of the filter 'owner' of 'albums' is a function, and does not return true for this caller.",
      ].join('\n'),
      err: '',
    })
    expect(await can(module('guarded'), 'albums.owner:filter', '--as', '{"id":2}')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^albums\.owner:filter is denied with 400\./),
    })
    expect(await can(module('guarded'), 'albums.owner:filter', '--as', '{"id":1}')).toMatchObject({ code: 0 })
  })

  test('checks an anonymous caller without --as', async () => {
    expect(await can(module('guarded'), 'albums:update:1')).toMatchObject({
      code: 1,
      out: "albums:update:1 is denied with 401.\n  - policy.update of 'albums' denies it to this caller.",
    })
  })

  test.each([
    { name: 'no question', args: [module('guarded')], message: 'can needs the path of a module and one question.' },
    {
      name: 'two questions',
      args: ['a.js', 'a:b', 'a:c'],
      message: 'can needs the path of a module and one question.',
    },
    { name: 'another form', args: [module('guarded'), 'albums'], message: "'albums' is not a question" },
    { name: 'a caller that is no JSON', args: ['a.js', 'a:b', '--as', 'bob'], message: '--as is not JSON: bob' },
    { name: 'no such module', args: ['absent.js', 'a:b'], message: "There is no module 'absent.js'." },
    { name: 'no such option', args: ['a.js', 'a:b', '--ass', '1'], message: "Unknown option '--ass'" },
    { name: 'no such type', args: [module('guarded'), 'songs:view:1'], message: "There is no type 'songs'" },
    { name: 'no such ability', args: [module('guarded'), 'albums:edit:1'], message: "'albums' has no ability 'edit'." },
    {
      name: 'no such server',
      args: [module('guarded'), 'albums:view:1', '--server', 'admin'],
      message: "There is no type 'albums' on the server 'admin'. There is no such server, or it has no types.",
    },
  ])('does not understand $name, and ends with 2', async ({ args, message }) => {
    const { code, out, err } = await can(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toContain('Usage: ashlar can')
  })

  test('ends with 2 if there is no result: a failure does not look like a denial', async () => {
    expect(await can(module('guarded'), 'albums:delete:1', '--as', '{"id":1}')).toEqual({
      code: 2,
      out: '',
      err: 'No result: The policy has a fault.',
    })
    expect(await can(module('faulty'), 'albums:view:1')).toMatchObject({ code: 2, out: '' })
    const unreachable = await can(module('unreachable'), 'albums:view:1')
    expect(unreachable).toMatchObject({ code: 2, out: '' })
    expect(unreachable.err).toMatch(/^No result: /)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { compile } from '../../support/compile.js'
import { isLong } from '../../support/runs.js'
import { largeSchemas } from './large-schemas.js'
import { databases, type PulledDatabase } from './pulled.js'

const open = databases.PostgreSQL

/** Everything that a pull writes, also the record. */
const filesOf = (pulled: PulledDatabase): Readonly<Record<string, string>> => ({
  ...pulled.texts(),
  'pulled.json': readFileSync(join(pulled.folder, 'src/resources/pulled.json'), 'utf8'),
})

const collectionsOf = (pulled: PulledDatabase): readonly string[] =>
  Object.values(pulled.texts()).flatMap((text) =>
    [...text.matchAll(/defineResource\('([^']+)'/g)].map(([, type]) => `/${type}`),
  )

describe.each(largeSchemas)('a database like that of $name', ({ sql, options, types, printed, written }) => {
  test('is pulled, closed, matches its tables, and is never changed by mistake', async () => {
    const other = await open('create table other_things (id integer primary key)')
    // The one that is opened last is the one that the service connects to.
    const pulled = await open(sql)
    const first = await pulled.pull(...options)
    expect(first, first.err).toMatchObject({ code: 0, err: '' })
    expect(first.out).toContain(`\n${types} types, `)
    expect(first.out).toMatch(/\nAn anonymous caller may read nothing and write nothing: policy of \S+server\.ts\.$/)
    for (const line of printed) expect(first.out.split('\n')).toContain(line)
    for (const [path, parts] of Object.entries(written)) {
      for (const part of parts) expect(pulled.text(path)).toContain(part)
    }

    const before = filesOf(pulled)
    const again = await pulled.pull()
    expect(again.out).toMatch(
      new RegExp(`^\\d+ notes? as in the last pull: .*\\n${types} types, 0 files changed\\.\\n`),
    )
    expect(filesOf(pulled)).toEqual(before)
    expect((await other.pullInto(pulled)).code).toBe(2)
    expect((await pulled.pull('--schema', 'absent')).code).toBe(2)
    expect(filesOf(pulled)).toEqual(before)

    const anonymous = testClient(await pulled.server())
    const paths = collectionsOf(pulled)
    expect(paths).toHaveLength(types)
    for (const path of paths) {
      expect((await anonymous.get(path)).status, path).toBe(401)
      const { status } = await anonymous.post(path, { body: { data: { type: path.slice(1) } } })
      expect([401, 405], path).toContain(status)
    }
    expect(await pulled.check()).toMatchObject({ code: 0, err: '' })
  })

  test('is served to callers without a secret, and passes verify', async () => {
    const pulled = await open(sql)
    await pulled.pull(...options)
    const client = await pulled.client()
    for (const path of collectionsOf(pulled)) {
      const { status, text, resources } = await client.get(path)
      expect(status, `${path}: ${text}`).toBe(200)
      expect(text).not.toContain('SECRET')
      for (const { id, relationships = {} } of resources.slice(0, 1)) {
        // A request may have at most 100 paths, and users of GitLab have more relations.
        const names = Object.keys(relationships).slice(0, 100)
        const one = await client.get(
          `${path}/${encodeURIComponent(id)}${names.length > 0 ? `?include=${names.join(',')}` : ''}`,
        )
        expect(one.status, one.text).toBe(200)
        expect(one.text).not.toContain('SECRET')
      }
    }
    const report = await pulled.verify('--write', ...(isLong ? ['--max-requests', '20000', '--timeout', '3000'] : []))
    expect(report.code, report.out).toBe(0)
  })
})

test('all declarations compile under strict', async () => {
  const files: Record<string, string> = {}
  for (const [index, { sql, options }] of largeSchemas.entries()) {
    const pulled = await open(sql)
    await pulled.pull(...options)
    for (const [path, text] of Object.entries(pulled.texts())) files[`${index}/${path}`] = text
  }
  const compiled = await compile(files)
  const faults = Object.keys(files).flatMap((path) =>
    compiled.diagnosticsOf(path).map(({ line, message }) => `${path}:${line} ${message}`),
  )
  expect(faults).toEqual([])
})

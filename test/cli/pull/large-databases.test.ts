import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { compile } from '../../support/compile.js'
import { isLong } from '../../support/runs.js'
import { type LargeSchema, largeSchemas } from './large-schemas.js'
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

/** What each database is pulled to. */
const pulledTexts = new Map<string, Readonly<Record<string, string>>>()

async function pullFirst(pulled: PulledDatabase, { name, options, types, printed, written }: LargeSchema) {
  const first = await pulled.pull(...options)
  expect(first, first.err).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain(`\n${types} types, `)
  expect(first.out).toMatch(/\nAn anonymous caller may read nothing and write nothing: policy of \S+server\.ts\.$/)
  for (const line of printed) expect(first.out.split('\n')).toContain(line)
  for (const [path, parts] of Object.entries(written)) {
    for (const part of parts) expect(pulled.text(path)).toContain(part)
  }
  pulledTexts.set(name, pulled.texts())
}

async function expectUnchanged(pulled: PulledDatabase, { types }: LargeSchema, other: PulledDatabase) {
  const before = filesOf(pulled)
  const again = await pulled.pull()
  expect(again.out).toMatch(new RegExp(`^\\d+ notes? as in the last pull: .*\\n${types} types, 0 files changed\\.\\n`))
  expect(filesOf(pulled)).toEqual(before)
  expect((await other.pullInto(pulled)).code).toBe(2)
  expect((await pulled.pull('--schema', 'absent')).code).toBe(2)
  expect(filesOf(pulled)).toEqual(before)
}

async function expectClosed(pulled: PulledDatabase, { types }: LargeSchema) {
  const anonymous = testClient(await pulled.server())
  const paths = collectionsOf(pulled)
  expect(paths).toHaveLength(types)
  for (const path of paths) {
    expect((await anonymous.get(path)).status, path).toBe(401)
    const { status } = await anonymous.post(path, { body: { data: { type: path.slice(1) } } })
    expect([401, 405], path).toContain(status)
  }
}

async function expectNoSecrets(pulled: PulledDatabase) {
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
}

describe.each(largeSchemas)('a database like that of $name', (schema) => {
  test('is pulled, closed, never changed by mistake, served without secrets, and passes verify', async () => {
    const other = await open('create table other_things (id integer primary key)')
    // The one that is opened last is the one that the service connects to.
    const pulled = await open(schema.sql)
    await pullFirst(pulled, schema)
    await expectUnchanged(pulled, schema, other)
    await expectClosed(pulled, schema)

    const permitting = pulled.copied()
    expect(await permitting.check()).toMatchObject({ code: 0, err: '' })
    await expectNoSecrets(permitting)
    // Most tables are alike.
    const limits = isLong ? ['--max-requests', '20000', '--timeout', '3000'] : ['--max-requests', '200']
    const report = await permitting.verify('--write', ...limits)
    expect(report.code, report.out).toBe(0)
    expect(report.out).toMatch(/^Creating resources: [1-9]\d* passed/m)
  })
})

test('all declarations compile under strict', async () => {
  const files: Record<string, string> = {}
  for (const { name, sql, options } of largeSchemas) {
    const texts = pulledTexts.get(name) ?? (await textsOf(sql, options))
    for (const [path, text] of Object.entries(texts)) files[`${name}/${path}`] = text
  }
  const compiled = await compile(files)
  const faults = Object.keys(files).flatMap((path) =>
    compiled.diagnosticsOf(path).map(({ line, message }) => `${path}:${line} ${message}`),
  )
  expect(faults).toEqual([])
})

/** Pulls a database again, if this test runs alone. */
async function textsOf(sql: string, options: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const pulled = await open(sql)
  await pulled.pull(...options)
  return pulled.texts()
}

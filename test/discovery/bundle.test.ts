import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { rawTexts } from '../../scripts/raw-texts.mjs'
import { endPrograms, startProgram } from '../support/program.js'

afterAll(endPrograms)

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

test('a service that is started from a snapshot reads no directory: its bundle runs without it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const src = pathOf('../../src')
  const build = await rolldown({
    input: pathOf('music/main.ts'),
    platform: 'node',
    resolve: { alias: { 'ashlar/memory': `${src}/memory.ts`, ashlar: `${src}/index.ts` } },
    plugins: [rawTexts()],
    onLog: () => undefined,
  })
  const { output } = await build.write({ dir: folder, entryFileNames: 'main.mjs', codeSplitting: false })
  await build.close()
  expect(readdirSync(folder)).toEqual(['main.mjs'])
  expect(output[0].imports).toContain('node:crypto')
  expect(output[0].imports.filter((name) => /\bfs\b/.test(name))).toEqual([])

  const program = startProgram(join(folder, 'main.mjs'), { cwd: folder })
  expect(await program.ended).toBe(0)
  const { stdout, stderr } = program.output()
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({
    types: ['albums', 'artists'],
    status: 200,
    document: { data: { type: 'albums', id: '1', attributes: { title: 'OK Computer' } } },
  })
})

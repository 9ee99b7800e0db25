import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchFiles } from '../../../src/tools/cli/dev/watch-files.js'
import { sourceFolder } from '../../support/source-folder.js'

test('changes of watched files are reported, and new and removed files next to them', async () => {
  const folder = sourceFolder({
    'src/server.ts': '1',
    'src/other.ts': '1',
    'src/server.test.ts': '1',
    'data/a.ts': '1',
  })
  const path = (name: string) => join(folder, name)
  const changes: string[][] = []
  const watched = watchFiles((files, since) => {
    expect(since).toBeLessThanOrEqual(performance.now())
    changes.push(files.map((file) => file.slice(folder.length + 1)))
  })
  onTestFinished(() => watched.close())
  watched.add([path('src/server.ts'), path('absent/gone.ts')])
  const next = async (): Promise<readonly string[]> => {
    await expect.poll(() => changes.length).toBe(1)
    return changes.splice(0)[0] ?? []
  }

  writeFileSync(path('src/server.ts'), '2')
  expect(await next()).toEqual(['src/server.ts'])

  // An editor may write another file, and rename it.
  writeFileSync(path('src/server.ts~'), '3')
  renameSync(path('src/server.ts~'), path('src/server.ts'))
  expect(await next()).toEqual(['src/server.ts'])

  // Neither a file that is not imported, nor a test, nor a database, nor a file elsewhere.
  writeFileSync(path('src/other.ts'), '2')
  writeFileSync(path('src/new.test.ts'), '')
  writeFileSync(path('src/music.db'), '')
  writeFileSync(path('data/a.ts'), '2')
  writeFileSync(path('src/new.ts'), '')
  expect(await next()).toEqual(['src/new.ts'])

  rmSync(path('src/new.ts'))
  expect(await next()).toEqual(['src/new.ts'])

  mkdirSync(path('absent'))
  watched.add([path('absent/gone.ts')])
  writeFileSync(path('absent/gone.ts'), '')
  expect(await next()).toEqual(['absent/gone.ts'])
})

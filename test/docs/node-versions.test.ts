import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeVersions } from '../../integration/node-versions.mjs'

/** CI, the script and the pages name the same versions of Node. */

const lines = Object.keys(nodeVersions)
const listed = `${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`

function text(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}

test('CI tests the versions of `npm run test:nodes`', () => {
  const [, matrix = ''] = /^ +node: \[(.*)\]$/m.exec(text('.github/workflows/ci.yml')) ?? []
  expect(matrix.split(', ')).toEqual(Object.values(nodeVersions).map((version) => `"${version}"`))
})

test('the upgrade policy lists them', () => {
  const [, table = ''] =
    /^\| Node \| Tested with \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(text('docs/guide/upgrade-policy.md')) ?? []
  expect(Array.from(table.matchAll(/^\| (\d+) \|/gm), ([, line]) => line)).toEqual(lines)
})

test.each(['README.md', 'CONTRIBUTING.md'])('%s names them', (page) => {
  expect(text(page)).toContain(`with Node ${listed}`)
})

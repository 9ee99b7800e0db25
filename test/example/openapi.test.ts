import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, describe, test } from 'vitest'
import { server } from '../../examples/music/src/described.js'
import { musicServer } from '../../examples/music/src/service.js'
import { documentDifferences } from '../../src/tools/cli/document-differences.js'
import { musicServices } from '../support/music-service.js'

/** Each document of the example, and the file that it is written to. */
const documents = [
  ['default', 'examples/music/openapi.json'],
  ['admin', 'examples/music/openapi.admin.json'],
] as const

const textOf = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`

test.each(documents)('the document of the server %s is in %s', (name, file) => {
  const written = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')
  const document = server.openapi(name)
  if (written === textOf(document)) return
  const differences = documentDifferences(JSON.parse(written), JSON.parse(textOf(document)))
  throw new Error(
    [
      `${file} is not what the example describes now. Run \`npm run openapi\`, and look at what the change means for clients:`,
      ...differences.slice(0, 20).map((difference) => `  - ${difference}`),
      ...(differences.length > 20 ? [`  - and ${differences.length - 20} more`] : []),
    ].join('\n'),
  )
})

describe.each(musicServices)('on %s', (_engine, open) => {
  const music = open()

  test.each(documents)('the server %s returns the same bytes', (name) => {
    expect(textOf(musicServer(music.storage).openapi(name))).toBe(textOf(server.openapi(name)))
  })
})

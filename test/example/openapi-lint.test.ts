import { describe, expect, test } from 'vitest'
import type { OpenApiDocument } from 'ashlar'
import { client } from '../support/client.js'
import { lintProblems } from '../support/linted.js'
import { callers, musicServices } from '../support/music-service.js'
import { strictProblems } from '../support/strict-schemas.js'

/** The documents do not depend on the engine. */
const [[, open]] = musicServices as readonly [(typeof musicServices)[number]]

describe('the documents of the catalogue', () => {
  const music = open()

  test.each(['/docs.json', '/admin/docs.json'])('%s has nothing that a validator or a linter finds', async (path) => {
    const api = client(music, { validate: false, caller: callers.admin })
    const { text } = await api.get(path)
    const document = JSON.parse(text) as OpenApiDocument
    expect(await lintProblems(document)).toEqual([])
    // The other server has the same types.
    if (path === '/docs.json') expect(strictProblems(document)).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import type { Report } from '../../src/tools/verify/report/report.js'
import { ashlar } from '../support/cli.js'
import { musicServices } from '../support/music-service.js'

/** Both engines give the same responses, so that one of them is enough. */
describe.each(musicServices.filter(([engine]) => engine === 'SQLite'))(
  'ashlar verify --write on %s',
  (_engine, open) => {
    const service = open()

    test.each([
      { server: 'default', path: '/', types: ['albums', 'artists', 'genres', 'playlists', 'tracks'], atLeast: 140 },
      { server: 'admin', path: '/admin', types: ['albums', 'users'], atLeast: 110 },
    ])('finds nothing wrong with the server $server', async ({ path, types, atLeast }) => {
      const { url } = await service.listen(service.adminHandle)
      const { out } = await ashlar('verify', `${url}${path}`, '--write', '--json')
      const report = JSON.parse(out) as Report
      const found = report.statements.filter(({ findings }) => findings.length > 0)
      // A pivot field that is missing is pointed to, and unknown keys of `page` are ignored: warnings of every server.
      const expected = ['error-source-pointer', 'query-parameters-bad-request']
      expect(found.filter(({ id, outcome }) => outcome !== 'warned' || !expected.includes(id))).toEqual([])
      expect(report.types).toEqual(expect.arrayContaining(types))
      expect(report.counts.passed).toBeGreaterThan(atLeast)
      expect(report.leftBehind).toEqual([])
    })
  },
)

// @ts-check
import assert from 'node:assert/strict'

const setUp = `
const database = new DatabaseSync(':memory:')
database.exec(\`
  create table artists (id integer primary key, name text not null);
  create table albums (
    id integer primary key, title text not null, year integer not null,
    "artistId" integer not null references artists, locked boolean not null
  );
  create index albums_artist on albums ("artistId");
  insert into artists values (1, 'Radiohead');
  insert into albums values (1, 'OK Computer', 1997, 1, false);
\`)
const data = sqlData(database)
process.on('SIGINT', () => process.exit(0))
`

/**
 * Returns the service of the README on a database, changed as the README says: `table` instead of `model`, and `sqlData` instead of
 * `memoryData`. It listens on a free port.
 * @param {string} readme
 */
export function readmeService(readme) {
  const [, service] = /^```ts file=server\.ts\n(.*?)^```$/ms.exec(readme) ?? []
  assert.ok(service !== undefined, 'The README has no server.ts.')
  return [
    [/, model \} from 'ashlar'/, ` } from 'ashlar'`],
    [
      /import \{ memoryData \} from 'ashlar\/memory'/,
      `import { sqlData, table } from 'ashlar/sql'\nimport { DatabaseSync } from '@photostructure/sqlite'`,
    ],
    [/\bmodel</g, 'table<'],
    [/^const data = memoryData\(\{.*?^\}\)\n/ms, setUp],
    [/port: 3000/, 'port: 0'],
  ].reduce((text, [from, to]) => {
    const changed = text.replace(/** @type {RegExp} */ (from), /** @type {string} */ (to))
    assert.notEqual(changed, text, `The service of the README has no ${from}.`)
    return changed
  }, service)
}

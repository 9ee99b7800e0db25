import { testStatements } from './statement-cases.js'

/** Writes of resources: how many statements each takes, and which. */

testStatements([
  {
    name: 'a new resource',
    method: 'POST',
    path: '/artists',
    body: { data: { type: 'artists', attributes: { name: 'Low' } } },
    PostgreSQL: [
      [
        `insert into "artists" ("name") overriding system value values ($1)
        returning "id", "name", "country"`,
        'Low',
      ],
    ],
    SQLite: [['insert into "artists" ("name") values (?) returning "id", "name", "country"', 'Low']],
  },
  {
    name: 'a resource with keys of others',
    method: 'POST',
    path: '/albums',
    body: {
      data: {
        type: 'albums',
        attributes: { title: 'Hey What' },
        relationships: {
          artist: { data: { type: 'artists', id: '1' } },
          tracks: {
            data: [
              { type: 'tracks', id: '1' },
              { type: 'tracks', id: '2' },
            ],
          },
        },
      },
    },
    PostgreSQL: [
      [
        `select "t0"."id" from "artists" as "t0"
        where "t0"."id" = $1::int8`,
        '1',
      ],
      [`select "t0"."id" from "tracks" as "t0" where "t0"."id" = any($1::int8[]) order by "t0"."id" asc`, ['1', '2']],
      [
        `insert into "albums" ("title", "artist_id") overriding system value values ($1, $2)
        returning "id", "title", "year", "artist_id"`,
        'Hey What',
        1,
      ],
      ['update "tracks" as "written" set "album_id" = $1 where "written"."id" = any($2::int8[])', 4, ['1', '2']],
    ],
    SQLite: [
      [
        `select "t0"."id" from "artists" as "t0"
        where "t0"."id" = ?`,
        1,
      ],
      [
        `select "t0"."id" from "tracks" as "t0" where "t0"."id" in (select value from json_each(?))
        order by "t0"."id" asc`,
        '[1,2]',
      ],
      [
        `insert into "albums" ("title", "artist_id") values (?, ?)
        returning "id", "title", "year", "artist_id"`,
        'Hey What',
        1,
      ],
      [
        `update "tracks" as "written" set "album_id" = ? where "written"."id" in (select value
        from json_each(?))`,
        4,
        '[1,2]',
      ],
    ],
  },
  {
    name: 'attributes, and the key of another',
    method: 'PATCH',
    path: '/albums/1',
    body: {
      data: {
        type: 'albums',
        id: '1',
        attributes: { title: 'Hey What', year: 2021 },
        relationships: { artist: { data: { type: 'artists', id: '1' } } },
      },
    },
    PostgreSQL: [
      [
        `update "albums" as "written" set "title" = $1, "year" = $2, "artist_id" = $3
        where "written"."id" = $4::int8 and exists (select 1 from "artists" as "pointed" where "pointed"."id" = $5::int8)
        and ("written"."title" is distinct from $6 or "written"."year" is distinct from $7
        or "written"."artist_id" is distinct from $8)
        returning "id", "title", "year", "artist_id"`,
        'Hey What',
        2021,
        1,
        '1',
        '1',
        'Hey What',
        2021,
        1,
      ],
    ],
    SQLite: [
      [
        `update "albums" as "written" set "title" = ?, "year" = ?, "artist_id" = ?
        where "written"."id" = ? and exists (select 1 from "artists" as "pointed" where "pointed"."id" = ? limit 1)
        and ("written"."title" is not ? or "written"."year" is not ? or "written"."artist_id" is not ?)
        returning "id", "title", "year", "artist_id"`,
        'Hey What',
        2021,
        1,
        1,
        1,
        'Hey What',
        2021,
        1,
      ],
    ],
  },
  {
    name: 'attributes, in a transaction',
    method: 'PATCH',
    path: '/tracks/1',
    body: { data: { type: 'tracks', id: '1', attributes: { title: 'Lullaby', rating: 5 } } },
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."seconds", "t0"."rating", "t0"."plays", "t0"."album_id"
        from "tracks" as "t0" where "t0"."id" = $1::int8 for update`,
        '1',
      ],
      [
        `update "tracks" as "written" set "title" = $1, "rating" = $2 where "written"."id" = $3::int8
        returning "id", "title", "seconds", "rating", "plays", "album_id"`,
        'Lullaby',
        5,
        '1',
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title", "t0"."seconds", "t0"."rating", "t0"."plays", "t0"."album_id"
        from "tracks" as "t0" where "t0"."id" = ?`,
        1,
      ],
      [
        `update "tracks" as "written" set "title" = ?, "rating" = ? where "written"."id" = ?
        returning "id", "title", "seconds", "rating", "plays", "album_id"`,
        'Lullaby',
        5,
        1,
      ],
    ],
  },
  {
    name: 'the deletion of a resource',
    method: 'DELETE',
    path: '/playlists/2',
    PostgreSQL: [
      [
        `delete from "playlists" as "written" where "written"."id" = $1::int8
        returning "id", "title", "public", "dedicated_to_id", "dedicated_to_type"`,
        '2',
      ],
    ],
    SQLite: [
      [
        `delete from "playlists" as "written" where "written"."id" = ?
        returning "id", "title", "public", "dedicated_to_id", "dedicated_to_type"`,
        2,
      ],
    ],
  },
  {
    name: 'the deletion of a resource, in a transaction',
    method: 'DELETE',
    path: '/playlists/2',
    isHooked: true,
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."public", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" where "t0"."id" = $1::int8 for update`,
        '2',
      ],
      ['delete from "playlists" as "written" where "written"."id" = $1::int8', '2'],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title", "t0"."public", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" where "t0"."id" = ?`,
        2,
      ],
      ['delete from "playlists" as "written" where "written"."id" = ?', 2],
    ],
  },
])

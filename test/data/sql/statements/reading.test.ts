import { testStatements } from './statement-cases.js'

/** Resources, lists and filters, and the scopes that hold for all of them. */

testStatements([
  {
    name: 'one resource',
    path: '/tracks/7?fields[tracks]=title',
    PostgreSQL: [['select "t0"."id", "t0"."title" from "tracks" as "t0" where "t0"."id" = $1::int8', '7']],
    SQLite: [['select "t0"."id", "t0"."title" from "tracks" as "t0" where "t0"."id" = ?', 7]],
  },
  {
    name: 'a page by number',
    path: '/tracks?page[kind]=page&page[number]=3&fields[tracks]=title',
    PostgreSQL: [
      ['select "t0"."id", "t0"."title" from "tracks" as "t0" order by "t0"."id" asc limit $1 offset $2', 21, 40],
    ],
    SQLite: [['select "t0"."id", "t0"."title" from "tracks" as "t0" order by "t0"."id" asc limit ? offset ?', 21, 40]],
  },
  {
    name: 'a list that is filtered and sorted',
    path: '/tracks?filter[rating][min]=3&filter[title]=100%25&sort=title&fields[tracks]=title',
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0"
        where ("t0"."title" collate "C" ilike $1::text escape '\\' and "t0"."rating" >= $2::int8)
        order by "t0"."title" collate "C" asc, "t0"."id" asc limit $3`,
        '%100\\%%',
        '3',
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0"
        where ("t0"."title" like ? escape '\\' and "t0"."rating" >= ?)
        order by "t0"."title" collate binary asc, "t0"."id" asc limit ?`,
        '%100\\%%',
        3,
        21,
      ],
    ],
  },
  {
    name: 'a list that is filtered by a long text',
    path: '/tracks?filter[title]=A longer title, in part&fields[tracks]=title',
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where "t0"."title" collate "C" ilike $1::text escape '\\'
        order by "t0"."id" asc limit $2`,
        '%A longer title, in part%',
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where instr(lower("t0"."title"), ?) > 0
        order by "t0"."id" asc limit ?`,
        'a longer title, in part',
        21,
      ],
    ],
  },
  {
    name: 'a set of ids, however many',
    path: '/tracks?filter[ids]=1,2,3&fields[tracks]=title',
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where "t0"."id" = any($1::int8[])
        order by "t0"."id" asc limit $2`,
        ['1', '2', '3'],
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where "t0"."id" in (select value
        from json_each(?)) order by "t0"."id" asc limit ?`,
        '[1,2,3]',
        21,
      ],
    ],
  },
  {
    name: 'a search in several places',
    path: '/tracks?filter[search]=Kid A&fields[tracks]=title',
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0"
        where ("t0"."title" collate "C" ilike $1::text escape '\\' or exists (select 1
        from "albums" as "t1" where ("t1"."id" = "t0"."album_id" and "t1"."title" = $2::text)))
        order by "t0"."id" asc limit $3`,
        '%Kid A%',
        'Kid A',
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0"
        where ("t0"."title" like ? escape '\\' or exists (select 1 from "albums" as "t1"
        where ("t1"."id" = "t0"."album_id" and "t1"."title" = ?) limit 1)) order by "t0"."id" asc limit ?`,
        '%Kid A%',
        'Kid A',
        21,
      ],
    ],
  },
  {
    name: 'a filter through relations to one',
    path: '/tracks?filter[artist]=Low&fields[tracks]=title',
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where exists (select 1
        from "albums" as "t1" where ("t1"."id" = "t0"."album_id" and exists (select 1
        from "artists" as "t2" where ("t2"."id" = "t1"."artist_id" and "t2"."name" = $1::text))))
        order by "t0"."id" asc limit $2`,
        'Low',
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where exists (select 1
        from "albums" as "t1" where ("t1"."id" = "t0"."album_id" and exists (select 1
        from "artists" as "t2" where ("t2"."id" = "t1"."artist_id" and "t2"."name" = ?) limit 1)) limit 1)
        order by "t0"."id" asc limit ?`,
        'Low',
        21,
      ],
    ],
  },
  {
    name: 'a filter through relations to many',
    path: '/artists?filter[track]=Lullaby&fields[artists]=name',
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."name" from "artists" as "t0" where exists (select 1
        from "albums" as "t1" where ("t1"."artist_id" = "t0"."id" and exists (select 1
        from "tracks" as "t2" where ("t2"."album_id" = "t1"."id" and "t2"."title" = $1::text))))
        order by "t0"."id" asc limit $2`,
        'Lullaby',
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."name" from "artists" as "t0" where exists (select 1
        from "albums" as "t1" where ("t1"."artist_id" = "t0"."id" and exists (select 1
        from "tracks" as "t2" where ("t2"."album_id" = "t1"."id" and "t2"."title" = ?) limit 1)) limit 1)
        order by "t0"."id" asc limit ?`,
        'Lullaby',
        21,
      ],
    ],
  },
  {
    name: 'a filter by whether there are join rows',
    path: '/tracks?filter[listed]=1&fields[tracks]=title',
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where exists (select 1
        from "playlist_tracks" as "t2"
        inner join "playlists" as "t1" on "t2"."playlist_id" = "t1"."id"
        where "t2"."track_id" = "t0"."id") order by "t0"."id" asc limit $1`,
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where exists (select 1
        from "playlist_tracks" as "t2"
        inner join "playlists" as "t1" on "t2"."playlist_id" = "t1"."id"
        where "t2"."track_id" = "t0"."id" limit 1) order by "t0"."id" asc limit ?`,
        21,
      ],
    ],
  },
  {
    name: 'the scope of a list',
    path: '/playlists?fields[playlists]=title',
    isScoped: true,
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title" from "playlists" as "t0" where "t0"."public" = $1::bool
        order by "t0"."id" asc limit $2`,
        true,
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title" from "playlists" as "t0" where "t0"."public" = ?
        order by "t0"."id" asc limit ?`,
        1,
        21,
      ],
    ],
  },
  {
    name: 'the scope of one resource',
    path: '/playlists/1?fields[playlists]=title',
    isScoped: true,
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title" from "playlists" as "t0"
        where ("t0"."id" = $1::int8 and "t0"."public" = $2::bool)`,
        '1',
        true,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title" from "playlists" as "t0"
        where ("t0"."id" = ? and "t0"."public" = ?)`,
        1,
        1,
      ],
    ],
  },
  {
    name: 'the scope within the path of a filter',
    path: '/tracks?filter[listed]=1&fields[tracks]=title',
    isScoped: true,
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where exists (select 1
        from "playlist_tracks" as "t2"
        inner join "playlists" as "t1" on "t2"."playlist_id" = "t1"."id"
        where ("t2"."track_id" = "t0"."id" and "t1"."public" = $1::bool))
        order by "t0"."id" asc limit $2`,
        true,
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where exists (select 1
        from "playlist_tracks" as "t2"
        inner join "playlists" as "t1" on "t2"."playlist_id" = "t1"."id"
        where ("t2"."track_id" = "t0"."id" and "t1"."public" = ?) limit 1) order by "t0"."id" asc limit ?`,
        1,
        21,
      ],
    ],
  },
  {
    name: 'the scope of related rows',
    path: '/tracks/1/playlists?fields[playlists]=title',
    isScoped: true,
    PostgreSQL: [
      ['select "t0"."id" from "tracks" as "t0" where "t0"."id" = $1::int8', '1'],
      [
        `select "t0"."id", "t0"."title", "t1"."track_id" from "playlist_tracks" as "t1"
        inner join "playlists" as "t0" on "t1"."playlist_id" = "t0"."id"
        where ("t1"."track_id" = $1::int8 and "t0"."public" = $2::bool)
        order by "t0"."id" asc limit $3`,
        '1',
        true,
        21,
      ],
    ],
    SQLite: [
      ['select "t0"."id" from "tracks" as "t0" where "t0"."id" = ?', 1],
      [
        `select "t0"."id", "t0"."title", "t1"."track_id" from "playlist_tracks" as "t1"
        inner join "playlists" as "t0" on "t1"."playlist_id" = "t0"."id"
        where ("t1"."track_id" = ? and "t0"."public" = ?) order by "t0"."id" asc limit ?`,
        1,
        1,
        21,
      ],
    ],
  },
  {
    name: 'the scope of counted rows',
    path: '/tracks?withCount=playlists&fields[tracks]=title',
    isScoped: true,
    PostgreSQL: [
      ['select "t0"."id", "t0"."title" from "tracks" as "t0" order by "t0"."id" asc limit $1', 21],
      [
        `select "t1"."track_id", count(*) from "playlist_tracks" as "t1"
        inner join "playlists" as "t0" on "t1"."playlist_id" = "t0"."id"
        where ("t1"."track_id" = any($1::int8[]) and "t0"."public" = $2::bool)
        group by "t1"."track_id"`,
        ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19', '20'],
        true,
      ],
    ],
    SQLite: [
      ['select "t0"."id", "t0"."title" from "tracks" as "t0" order by "t0"."id" asc limit ?', 21],
      [
        `select "t1"."track_id", count(*) from "playlist_tracks" as "t1"
        inner join "playlists" as "t0" on "t1"."playlist_id" = "t0"."id"
        where ("t1"."track_id" in (select value from json_each(?)) and "t0"."public" = ?)
        group by "t1"."track_id"`,
        '[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]',
        1,
      ],
    ],
  },
  {
    name: 'the scope of a written row',
    method: 'DELETE',
    path: '/playlists/3',
    isScoped: true,
    PostgreSQL: [
      [
        `delete from "playlists" as "written" where "written"."id" = $1::int8 and "written"."public" = $2::bool
        returning "id", "title", "public", "dedicated_to_id", "dedicated_to_type"`,
        '3',
        true,
      ],
    ],
    SQLite: [
      [
        `delete from "playlists" as "written" where "written"."id" = ? and "written"."public" = ?
        returning "id", "title", "public", "dedicated_to_id", "dedicated_to_type"`,
        3,
        1,
      ],
    ],
  },
  {
    name: 'the scope of a written row in a transaction',
    method: 'DELETE',
    path: '/playlists/3',
    isScoped: true,
    isHooked: true,
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."public", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0"
        where ("t0"."id" = $1::int8 and "t0"."public" = $2::bool) for update`,
        '3',
        true,
      ],
      ['delete from "playlists" as "written" where "written"."id" = $1::int8', '3'],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title", "t0"."public", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" where ("t0"."id" = ? and "t0"."public" = ?)`,
        3,
        1,
      ],
      ['delete from "playlists" as "written" where "written"."id" = ?', 3],
    ],
  },
])

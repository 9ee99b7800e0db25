import { testStatements } from './statement-cases.js'

/** Changes of linkage: how many statements each takes, and which. However many the members are, they are as many. */

testStatements([
  {
    name: 'members without fields of join rows that are added',
    method: 'POST',
    path: '/tracks/2/relationships/playlists',
    body: {
      data: [
        { type: 'playlists', id: '2' },
        { type: 'playlists', id: '3' },
      ],
    },
    PostgreSQL: [
      [
        `insert into "playlist_tracks" ("track_id", "playlist_id") select "owner"."id", "member"."id"
        from "tracks" as "owner", "playlists" as "member"
        where "owner"."id" = $1::int8 and "member"."id" = any($2::int8[])
        and (select count(*) from "playlists" as "counted" where "counted"."id" = any($3::int8[])) = $4
        on conflict ("track_id", "playlist_id") do nothing returning 1`,
        '2',
        ['2', '3'],
        ['2', '3'],
        2,
      ],
    ],
    SQLite: [
      [
        `insert into "playlist_tracks" ("track_id", "playlist_id") select "owner"."id", "member"."id"
        from "tracks" as "owner", "playlists" as "member"
        where "owner"."id" = ? and "member"."id" in (select value from json_each(?))
        and (select count(*) from "playlists" as "counted" where "counted"."id" in (select value from json_each(?))) = ?
        on conflict ("track_id", "playlist_id") do nothing returning 1`,
        2,
        '[2,3]',
        '[2,3]',
        2,
      ],
    ],
  },
  {
    name: 'one member without fields of its join row that is added',
    method: 'POST',
    path: '/tracks/2/relationships/playlists',
    body: { data: [{ type: 'playlists', id: '2' }] },
    isScoped: true,
    PostgreSQL: [
      [
        `insert into "playlist_tracks" ("track_id", "playlist_id") select "owner"."id", "member"."id"
        from "tracks" as "owner", "playlists" as "member"
        where "owner"."id" = $1::int8 and "member"."id" = any($2::int8[]) and "member"."public" = $3::bool
        on conflict ("track_id", "playlist_id") do nothing returning 1`,
        '2',
        ['2'],
        true,
      ],
    ],
    SQLite: [
      [
        `insert into "playlist_tracks" ("track_id", "playlist_id") select "owner"."id", "member"."id"
        from "tracks" as "owner", "playlists" as "member"
        where "owner"."id" = ? and "member"."id" in (select value from json_each(?)) and "member"."public" = ?
        on conflict ("track_id", "playlist_id") do nothing returning 1`,
        2,
        '[2]',
        1,
      ],
    ],
  },
  {
    name: 'members without fields of join rows that are removed',
    method: 'DELETE',
    path: '/tracks/1/relationships/playlists',
    body: {
      data: [
        { type: 'playlists', id: '1' },
        { type: 'playlists', id: '2' },
      ],
    },
    PostgreSQL: [
      [
        `delete from "playlist_tracks" as "written"
        where "written"."track_id" in (select "owner"."id" from "tracks" as "owner" where "owner"."id" = $1::int8)
        and "written"."playlist_id" in (select "member"."id" from "playlists" as "member" where "member"."id" = any($2::int8[]))
        returning 1`,
        '1',
        ['1', '2'],
      ],
    ],
    SQLite: [
      [
        `delete from "playlist_tracks" as "written"
        where "written"."track_id" in (select "owner"."id" from "tracks" as "owner" where "owner"."id" = ?)
        and "written"."playlist_id" in (select "member"."id" from "playlists" as "member"
        where "member"."id" in (select value from json_each(?))) returning 1`,
        1,
        '[1,2]',
      ],
    ],
  },
  {
    name: 'members with fields of join rows that are added',
    method: 'POST',
    path: '/playlists/1/relationships/tracks',
    body: { data: [{ type: 'tracks', id: '8', meta: { pivot: { position: 8 } } }] },
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."public", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" where "t0"."id" = $1::int8 for update`,
        '1',
      ],
      [
        `select "t0"."id", "t1"."playlist_id", "t1"."track_id", "t1"."position", "t1"."weight"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where ("t1"."playlist_id" = $1::int8 and "t0"."id" = any($2::int8[])) order by "t0"."id" asc`,
        '1',
        ['8'],
      ],
      [`select "t0"."id" from "tracks" as "t0" where "t0"."id" = $1::int8`, '8'],
      [
        `insert into "playlist_tracks" ("position", "playlist_id", "track_id") select "given"."position", "given"."playlist_id", "given"."track_id"
        from json_populate_recordset(null::"playlist_tracks", $1::json) as given
        on conflict ("playlist_id", "track_id") do update set "position" = "excluded"."position"`,
        '[{"position":"8","playlist_id":"1","track_id":"8"}]',
      ],
      [
        `select "t2"."c0", "t2"."c1", "t2"."c2", "t2"."c3", "t2"."c4"
        from (select "t0"."id" as "c0", "t1"."playlist_id" as "c1", "t1"."track_id" as "c2", "t1"."position" as "c3", "t1"."weight" as "c4"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where "t1"."playlist_id" = $1::int8 limit $2) as "t2" order by "t2"."c0" asc`,
        '1',
        10_001,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title", "t0"."public", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" where "t0"."id" = ?`,
        1,
      ],
      [
        `select "t0"."id", "t1"."playlist_id", "t1"."track_id", "t1"."position", "t1"."weight"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where ("t1"."playlist_id" = ? and "t0"."id" in (select value from json_each(?))) order by "t0"."id" asc`,
        1,
        '[8]',
      ],
      [`select "t0"."id" from "tracks" as "t0" where "t0"."id" = ?`, 8],
      [
        `insert into "playlist_tracks" ("position", "playlist_id", "track_id") values (?, ?, ?)
        on conflict ("playlist_id", "track_id") do update set "position" = "excluded"."position"`,
        8,
        1,
        8,
      ],
      [
        `select "t2"."c0", "t2"."c1", "t2"."c2", "t2"."c3", "t2"."c4"
        from (select "t0"."id" as "c0", "t1"."playlist_id" as "c1", "t1"."track_id" as "c2", "t1"."position" as "c3", "t1"."weight" as "c4"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where "t1"."playlist_id" = ? limit ?) as "t2" order by "t2"."c0" asc limit -1`,
        1,
        10_001,
      ],
    ],
  },
  {
    name: 'members with fields of join rows that are removed',
    method: 'DELETE',
    path: '/playlists/1/relationships/tracks',
    body: { data: [{ type: 'tracks', id: '2' }] },
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."public", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" where "t0"."id" = $1::int8 for update`,
        '1',
      ],
      [
        `select "t0"."id", "t1"."playlist_id", "t1"."track_id", "t1"."position", "t1"."weight"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where ("t1"."playlist_id" = $1::int8 and "t0"."id" = any($2::int8[])) order by "t0"."id" asc`,
        '1',
        ['2'],
      ],
      [
        `delete from "playlist_tracks" as "written"
        where "written"."playlist_id" = $1::int8 and ("written"."track_id" = any($2::int8[]))`,
        '1',
        ['2'],
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title", "t0"."public", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" where "t0"."id" = ?`,
        1,
      ],
      [
        `select "t0"."id", "t1"."playlist_id", "t1"."track_id", "t1"."position", "t1"."weight"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where ("t1"."playlist_id" = ? and "t0"."id" in (select value from json_each(?))) order by "t0"."id" asc`,
        1,
        '[2]',
      ],
      [
        `delete from "playlist_tracks" as "written"
        where "written"."playlist_id" = ? and ("written"."track_id" in (select value
        from json_each(?)))`,
        1,
        '[2]',
      ],
    ],
  },
  {
    name: 'members that are replaced',
    method: 'PATCH',
    path: '/playlists/1/relationships/tracks',
    body: {
      data: [
        { type: 'tracks', id: '2', meta: { pivot: { position: 1 } } },
        { type: 'tracks', id: '3', meta: { pivot: { position: 2 } } },
      ],
    },
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."public", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" where "t0"."id" = $1::int8 for update`,
        '1',
      ],
      [
        `select "t2"."c0", "t2"."c1", "t2"."c2", "t2"."c3", "t2"."c4"
        from (select "t0"."id" as "c0", "t1"."playlist_id" as "c1", "t1"."track_id" as "c2", "t1"."position" as "c3", "t1"."weight" as "c4"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where "t1"."playlist_id" = $1::int8 limit $2) as "t2" order by "t2"."c0" asc`,
        '1',
        10_003,
      ],
      [`select "t0"."id" from "tracks" as "t0" where "t0"."id" = $1::int8`, '3'],
      [
        `delete from "playlist_tracks" as "written"
        where "written"."playlist_id" = $1::int8 and ("written"."track_id" = any($2::int8[]))`,
        '1',
        ['1'],
      ],
      [
        `insert into "playlist_tracks" ("position", "playlist_id", "track_id") select "given"."position", "given"."playlist_id", "given"."track_id"
        from json_populate_recordset(null::"playlist_tracks", $1::json) as given
        on conflict ("playlist_id", "track_id") do update set "position" = "excluded"."position"`,
        '[{"position":"2","playlist_id":"1","track_id":"3"}]',
      ],
      [
        `update "playlist_tracks" as "written" set "position" = "given"."position"
        from json_populate_recordset(null::"playlist_tracks", $1::json) as given
        where "written"."playlist_id" = "given"."playlist_id" and "written"."track_id" = "given"."track_id"
        returning "written"."playlist_id", "written"."track_id"`,
        '[{"position":"1","playlist_id":"1","track_id":"2"}]',
      ],
      [
        `select "t2"."c0", "t2"."c1", "t2"."c2", "t2"."c3", "t2"."c4"
        from (select "t0"."id" as "c0", "t1"."playlist_id" as "c1", "t1"."track_id" as "c2", "t1"."position" as "c3", "t1"."weight" as "c4"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where "t1"."playlist_id" = $1::int8 limit $2) as "t2" order by "t2"."c0" asc`,
        '1',
        10_001,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title", "t0"."public", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" where "t0"."id" = ?`,
        1,
      ],
      [
        `select "t2"."c0", "t2"."c1", "t2"."c2", "t2"."c3", "t2"."c4"
        from (select "t0"."id" as "c0", "t1"."playlist_id" as "c1", "t1"."track_id" as "c2", "t1"."position" as "c3", "t1"."weight" as "c4"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where "t1"."playlist_id" = ? limit ?) as "t2" order by "t2"."c0" asc limit -1`,
        1,
        10_003,
      ],
      [`select "t0"."id" from "tracks" as "t0" where "t0"."id" = ?`, 3],
      [
        `delete from "playlist_tracks" as "written"
        where "written"."playlist_id" = ? and ("written"."track_id" in (select value
        from json_each(?)))`,
        1,
        '[1]',
      ],
      [
        `insert into "playlist_tracks" ("position", "playlist_id", "track_id") values (?, ?, ?)
        on conflict ("playlist_id", "track_id") do update set "position" = "excluded"."position"`,
        2,
        1,
        3,
      ],
      [
        `with given ("position", "playlist_id", "track_id") as (values (?, ?, ?)) update "playlist_tracks" as "written" set "position" = "given"."position"
        from given
        where "written"."playlist_id" = "given"."playlist_id" and "written"."track_id" = "given"."track_id"
        returning "playlist_id", "track_id"`,
        1,
        1,
        2,
      ],
      [
        `select "t2"."c0", "t2"."c1", "t2"."c2", "t2"."c3", "t2"."c4"
        from (select "t0"."id" as "c0", "t1"."playlist_id" as "c1", "t1"."track_id" as "c2", "t1"."position" as "c3", "t1"."weight" as "c4"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where "t1"."playlist_id" = ? limit ?) as "t2" order by "t2"."c0" asc limit -1`,
        1,
        10_001,
      ],
    ],
  },
  {
    name: 'keys of members that are replaced',
    method: 'PATCH',
    path: '/albums/1/relationships/tracks',
    body: {
      data: [
        { type: 'tracks', id: '11' },
        { type: 'tracks', id: '12' },
      ],
    },
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."year", "t0"."artist_id" from "albums" as "t0"
        where "t0"."id" = $1::int8 for update`,
        '1',
      ],
      [
        `select "t0"."id", "t0"."album_id" from "tracks" as "t0" where "t0"."album_id" = $1::int8
        order by "t0"."id" asc limit $2 for update`,
        '1',
        10_003,
      ],
      [`select "t0"."id" from "tracks" as "t0" where "t0"."id" = any($1::int8[]) order by "t0"."id" asc`, ['11', '12']],
      [
        `update "tracks" as "written" set "album_id" = $1
        where "written"."id" = any($2::int8[]) and "written"."album_id" = $3::int8`,
        null,
        ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
        '1',
      ],
      ['update "tracks" as "written" set "album_id" = $1 where "written"."id" = any($2::int8[])', 1, ['11', '12']],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title", "t0"."year", "t0"."artist_id" from "albums" as "t0"
        where "t0"."id" = ?`,
        1,
      ],
      [
        `select "t0"."id", "t0"."album_id" from "tracks" as "t0" where "t0"."album_id" = ?
        order by "t0"."id" asc limit ?`,
        1,
        10_003,
      ],
      [
        `select "t0"."id" from "tracks" as "t0" where "t0"."id" in (select value from json_each(?))
        order by "t0"."id" asc`,
        '[11,12]',
      ],
      [
        `update "tracks" as "written" set "album_id" = ? where "written"."id" in (select value
        from json_each(?)) and "written"."album_id" = ?`,
        null,
        '[1,2,3,4,5,6,7,8,9,10]',
        1,
      ],
      [
        `update "tracks" as "written" set "album_id" = ? where "written"."id" in (select value
        from json_each(?))`,
        1,
        '[11,12]',
      ],
    ],
  },
])

import { testStatements } from './statement-cases.js'

/** Related rows, of all parents together. */

testStatements([
  {
    name: 'related rows of all parents together',
    path: '/albums?include=tracks&fields[albums]=title,tracks&fields[tracks]=title',
    PostgreSQL: [
      ['select "t0"."id", "t0"."title" from "albums" as "t0" order by "t0"."id" asc limit $1', 21],
      [
        `select "t1"."c0", "t1"."c1", "t1"."c2"
        from (select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."album_id" as "c2" from "tracks" as "t0"
        where "t0"."album_id" = any($1::int8[]) limit $2) as "t1" order by "t1"."c0" asc`,
        ['1', '2', '3'],
        10_001,
      ],
    ],
    SQLite: [
      ['select "t0"."id", "t0"."title" from "albums" as "t0" order by "t0"."id" asc limit ?', 21],
      [
        `select "t1"."c0", "t1"."c1", "t1"."c2"
        from (select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."album_id" as "c2" from "tracks" as "t0"
        where "t0"."album_id" in (select value from json_each(?)) limit ?) as "t1" order by "t1"."c0" asc limit -1`,
        '[1,2,3]',
        10_001,
      ],
    ],
  },
  {
    name: 'related rows of which each parent has a page',
    path: '/albums?include=pagedTracks&fields[albums]=title,pagedTracks&fields[tracks]=title',
    PostgreSQL: [
      ['select "t0"."id", "t0"."title" from "albums" as "t0" order by "t0"."id" asc limit $1', 21],
      [
        `select "t1"."c0", "t1"."c1", "t1"."c2"
        from (select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."album_id" as "c2", row_number() over (partition by "t0"."album_id"
        order by "t0"."id" asc) as "n" from "tracks" as "t0"
        where "t0"."album_id" = any($1::int8[])) as "t1" where "t1"."n" <= $2 order by "t1"."n"`,
        ['1', '2', '3'],
        4,
      ],
    ],
    SQLite: [
      ['select "t0"."id", "t0"."title" from "albums" as "t0" order by "t0"."id" asc limit ?', 21],
      [
        `select "t1"."c0", "t1"."c1", "t1"."c2"
        from (select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."album_id" as "c2", row_number() over (partition by "t0"."album_id"
        order by "t0"."id" asc) as "n" from "tracks" as "t0" where "t0"."album_id" in (select value
        from json_each(?))) as "t1" where "t1"."n" <= ? order by "t1"."n"`,
        '[1,2,3]',
        4,
      ],
    ],
  },
  {
    name: 'related rows by join rows',
    path: '/playlists?include=tracks&fields[playlists]=title,tracks&fields[tracks]=title',
    PostgreSQL: [
      ['select "t0"."id", "t0"."title" from "playlists" as "t0" order by "t0"."id" asc limit $1', 21],
      [
        `select "t2"."c0", "t2"."c1", "t2"."c2", "t2"."c3", "t2"."c4", "t2"."c5"
        from (select "t0"."id" as "c0", "t0"."title" as "c1", "t1"."playlist_id" as "c2", "t1"."track_id" as "c3", "t1"."position" as "c4", "t1"."weight" as "c5"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where "t1"."playlist_id" = any($1::int8[]) limit $2) as "t2" order by "t2"."c0" asc`,
        ['1', '2', '3'],
        20_001,
      ],
    ],
    SQLite: [
      ['select "t0"."id", "t0"."title" from "playlists" as "t0" order by "t0"."id" asc limit ?', 21],
      [
        `select "t2"."c0", "t2"."c1", "t2"."c2", "t2"."c3", "t2"."c4", "t2"."c5"
        from (select "t0"."id" as "c0", "t0"."title" as "c1", "t1"."playlist_id" as "c2", "t1"."track_id" as "c3", "t1"."position" as "c4", "t1"."weight" as "c5"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where "t1"."playlist_id" in (select value from json_each(?)) limit ?) as "t2" order by "t2"."c0" asc limit -1`,
        '[1,2,3]',
        20_001,
      ],
    ],
  },
  {
    name: 'requested linkage, up to a limit',
    path: '/playlists?withLinkage[playlists]=tracks&fields[playlists]=title,tracks',
    PostgreSQL: [
      ['select "t0"."id", "t0"."title" from "playlists" as "t0" order by "t0"."id" asc limit $1', 21],
      [
        `select "t2"."c0", "t2"."c1", "t2"."c2", "t2"."c3", "t2"."c4"
        from (select "t0"."id" as "c0", "t1"."playlist_id" as "c1", "t1"."track_id" as "c2", "t1"."position" as "c3", "t1"."weight" as "c4"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where "t1"."playlist_id" = any($1::int8[]) limit $2) as "t2" order by "t2"."c0" asc`,
        ['1', '2', '3'],
        10_001,
      ],
    ],
    SQLite: [
      ['select "t0"."id", "t0"."title" from "playlists" as "t0" order by "t0"."id" asc limit ?', 21],
      [
        `select "t2"."c0", "t2"."c1", "t2"."c2", "t2"."c3", "t2"."c4"
        from (select "t0"."id" as "c0", "t1"."playlist_id" as "c1", "t1"."track_id" as "c2", "t1"."position" as "c3", "t1"."weight" as "c4"
        from "playlist_tracks" as "t1" inner join "tracks" as "t0" on "t1"."track_id" = "t0"."id"
        where "t1"."playlist_id" in (select value from json_each(?)) limit ?) as "t2" order by "t2"."c0" asc limit -1`,
        '[1,2,3]',
        10_001,
      ],
    ],
  },
  {
    name: 'related rows of several types',
    path: '/playlists?include=dedicatedTo&fields[playlists]=title,dedicatedTo&fields[artists]=name&fields[albums]=title',
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" order by "t0"."id" asc limit $1`,
        21,
      ],
      [
        `select "t0"."id", "t0"."name" from "artists" as "t0" where "t0"."id" = $1::int8
        order by "t0"."id" asc`,
        '1',
      ],
      [
        `select "t0"."id", "t0"."title" from "albums" as "t0" where "t0"."id" = $1::int8
        order by "t0"."id" asc`,
        '2',
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title", "t0"."dedicated_to_id", "t0"."dedicated_to_type"
        from "playlists" as "t0" order by "t0"."id" asc limit ?`,
        21,
      ],
      ['select "t0"."id", "t0"."name" from "artists" as "t0" where "t0"."id" = ? order by "t0"."id" asc', 1],
      ['select "t0"."id", "t0"."title" from "albums" as "t0" where "t0"."id" = ? order by "t0"."id" asc', 2],
    ],
  },
  {
    name: 'related rows counted for all parents together',
    path: '/albums?withCount=tracks&fields[albums]=title',
    PostgreSQL: [
      ['select "t0"."id", "t0"."title" from "albums" as "t0" order by "t0"."id" asc limit $1', 21],
      [
        `select "t0"."album_id", count(*) from "tracks" as "t0"
        where "t0"."album_id" = any($1::int8[]) group by "t0"."album_id"`,
        ['1', '2', '3'],
      ],
    ],
    SQLite: [
      ['select "t0"."id", "t0"."title" from "albums" as "t0" order by "t0"."id" asc limit ?', 21],
      [
        `select "t0"."album_id", count(*) from "tracks" as "t0"
        where "t0"."album_id" in (select value from json_each(?)) group by "t0"."album_id"`,
        '[1,2,3]',
      ],
    ],
  },
])

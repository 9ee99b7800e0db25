import { testStatements } from './statement-cases.js'

/** Pages that begin or end at a position in an order. */

testStatements([
  {
    name: 'a page by the key',
    path: '/tracks?page[after]={cursor}&fields[tracks]=title',
    cursor: ['id', '5,6'],
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where ("t0"."id") > ($1::int8)
        order by "t0"."id" asc limit $2`,
        '5',
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title" from "tracks" as "t0" where ("t0"."id") > (?)
        order by "t0"."id" asc limit ?`,
        5,
        21,
      ],
    ],
  },
  {
    name: 'a page by columns that always have a value',
    path: '/tracks?sort=seconds&page[after]={cursor}&fields[tracks]=title',
    cursor: ['seconds', '5,6'],
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."seconds" from "tracks" as "t0"
        where ("t0"."seconds", "t0"."id") > ($1::int8, $2::int8)
        order by "t0"."seconds" asc, "t0"."id" asc limit $3`,
        '65',
        '5',
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."seconds" as "c2"
        from "tracks" as "t0" where ("t0"."seconds" = ? and "t0"."id" > ?) union all
        select "t1"."id" as "c0", "t1"."title" as "c1", "t1"."seconds" as "c2"
        from "tracks" as "t1" where "t1"."seconds" > ?
        order by "c2" asc, "c0" asc limit ?`,
        65,
        5,
        65,
        21,
      ],
    ],
  },
  {
    name: 'a page backwards',
    path: '/tracks?sort=seconds&page[before]={cursor}&fields[tracks]=title',
    cursor: ['seconds', '5,6'],
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."seconds" from "tracks" as "t0"
        where ("t0"."seconds", "t0"."id") < ($1::int8, $2::int8)
        order by "t0"."seconds" desc, "t0"."id" desc limit $3`,
        '65',
        '5',
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."seconds" as "c2"
        from "tracks" as "t0" where ("t0"."seconds" = ? and "t0"."id" < ?) union all
        select "t1"."id" as "c0", "t1"."title" as "c1", "t1"."seconds" as "c2"
        from "tracks" as "t1" where "t1"."seconds" < ?
        order by "c2" desc, "c0" desc limit ?`,
        65,
        5,
        65,
        21,
      ],
    ],
  },
  {
    name: 'a page in two directions',
    path: '/tracks?sort=-seconds,id&page[after]={cursor}&fields[tracks]=title',
    cursor: ['-seconds,id', '5,6'],
    PostgreSQL: [
      [
        `select "t4"."c0", "t4"."c1", "t4"."c2" from (select *
        from (select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."seconds" as "c2"
        from "tracks" as "t0" where ("t0"."seconds" = $1::int8 and "t0"."id" > $2::int8)
        order by "t0"."seconds" desc, "t0"."id" asc limit $3) as "t1" union all select *
        from (select "t2"."id" as "c0", "t2"."title" as "c1", "t2"."seconds" as "c2"
        from "tracks" as "t2" where "t2"."seconds" < $4::int8
        order by "t2"."seconds" desc, "t2"."id" asc limit $5) as "t3") as "t4"
        order by "t4"."c2" desc, "t4"."c0" asc limit $6`,
        '66',
        '6',
        21,
        '66',
        21,
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."seconds" as "c2"
        from "tracks" as "t0" where ("t0"."seconds" = ? and "t0"."id" > ?) union all
        select "t1"."id" as "c0", "t1"."title" as "c1", "t1"."seconds" as "c2"
        from "tracks" as "t1" where "t1"."seconds" < ?
        order by "c2" desc, "c0" asc limit ?`,
        66,
        6,
        66,
        21,
      ],
    ],
  },
  {
    name: 'a page by a column that may have no value',
    path: '/tracks?sort=rating&page[after]={cursor}&fields[tracks]=title',
    cursor: ['rating', '5,6'],
    PostgreSQL: [
      [
        `select "t6"."c0", "t6"."c1", "t6"."c2" from (select *
        from (select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."rating" as "c2"
        from "tracks" as "t0" where ("t0"."rating" = $1::int8 and "t0"."id" > $2::int8)
        order by "t0"."rating" asc, "t0"."id" asc limit $3) as "t1" union all select *
        from (select "t2"."id" as "c0", "t2"."title" as "c1", "t2"."rating" as "c2"
        from "tracks" as "t2" where "t2"."rating" > $4::int8
        order by "t2"."rating" asc, "t2"."id" asc limit $5) as "t3" union all select *
        from (select "t4"."id" as "c0", "t4"."title" as "c1", "t4"."rating" as "c2"
        from "tracks" as "t4" where "t4"."rating" is null
        order by "t4"."rating" asc, "t4"."id" asc limit $6) as "t5") as "t6"
        order by "t6"."c2" asc, "t6"."c0" asc limit $7`,
        '5',
        '5',
        21,
        '5',
        21,
        21,
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."rating" as "c2"
        from "tracks" as "t0" where ("t0"."rating" = ? and "t0"."id" > ?) union all
        select "t1"."id" as "c0", "t1"."title" as "c1", "t1"."rating" as "c2"
        from "tracks" as "t1" where "t1"."rating" > ? union all
        select "t2"."id" as "c0", "t2"."title" as "c1", "t2"."rating" as "c2"
        from "tracks" as "t2" where "t2"."rating" is null
        order by "c2" asc nulls last, "c0" asc limit ?`,
        5,
        5,
        5,
        21,
      ],
    ],
  },
  {
    name: 'a page by a column that may have no value, backwards',
    path: '/tracks?sort=rating&page[before]={cursor}&fields[tracks]=title',
    cursor: ['rating', '5,6'],
    PostgreSQL: [
      [
        `select "t4"."c0", "t4"."c1", "t4"."c2" from (select *
        from (select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."rating" as "c2"
        from "tracks" as "t0" where ("t0"."rating" = $1::int8 and "t0"."id" < $2::int8)
        order by "t0"."rating" desc, "t0"."id" desc limit $3) as "t1" union all select *
        from (select "t2"."id" as "c0", "t2"."title" as "c1", "t2"."rating" as "c2"
        from "tracks" as "t2" where "t2"."rating" < $4::int8
        order by "t2"."rating" desc, "t2"."id" desc limit $5) as "t3") as "t4"
        order by "t4"."c2" desc, "t4"."c0" desc limit $6`,
        '5',
        '5',
        21,
        '5',
        21,
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id" as "c0", "t0"."title" as "c1", "t0"."rating" as "c2"
        from "tracks" as "t0" where ("t0"."rating" = ? and "t0"."id" < ?) union all
        select "t1"."id" as "c0", "t1"."title" as "c1", "t1"."rating" as "c2"
        from "tracks" as "t1" where "t1"."rating" < ?
        order by "c2" desc nulls first, "c0" desc limit ?`,
        5,
        5,
        5,
        21,
      ],
    ],
  },
  {
    name: 'a page by a text',
    path: '/tracks?sort=title&page[after]={cursor}&fields[tracks]=seconds',
    cursor: ['title', '5,6'],
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."seconds", "t0"."title" from "tracks" as "t0"
        where ("t0"."title" collate "C", "t0"."id") > ($1::text, $2::int8)
        order by "t0"."title" collate "C" asc, "t0"."id" asc limit $3`,
        'Track 5 of 5',
        '5',
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id" as "c0", "t0"."seconds" as "c1", "t0"."title" as "c2", "t0"."title" collate binary as "o0"
        from "tracks" as "t0" where ("t0"."title" collate binary = ? and "t0"."id" > ?) union all
        select "t1"."id" as "c0", "t1"."seconds" as "c1", "t1"."title" as "c2", "t1"."title" collate binary as "o0"
        from "tracks" as "t1" where "t1"."title" collate binary > ?
        order by "o0" asc, "c0" asc limit ?`,
        'Track 5 of 5',
        5,
        'Track 5 of 5',
        21,
      ],
    ],
  },
  {
    name: 'a page by a column that has no value there',
    path: '/tracks?sort=rating&page[after]={cursor}&fields[tracks]=title',
    cursor: ['rating', '4,8'],
    PostgreSQL: [
      [
        `select "t0"."id", "t0"."title", "t0"."rating" from "tracks" as "t0"
        where ("t0"."rating" is null and "t0"."id" > $1::int8)
        order by "t0"."rating" asc, "t0"."id" asc limit $2`,
        '4',
        21,
      ],
    ],
    SQLite: [
      [
        `select "t0"."id", "t0"."title", "t0"."rating" from "tracks" as "t0"
        where ("t0"."rating" is null and "t0"."id" > ?)
        order by "t0"."rating" asc nulls last, "t0"."id" asc limit ?`,
        4,
        21,
      ],
    ],
  },
  {
    name: 'a page of a relation',
    path: '/albums/1/pagedTracks?page[after]={cursor}&fields[tracks]=title',
    cursor: ['id', '5,6'],
    PostgreSQL: [
      ['select "t0"."id" from "albums" as "t0" where "t0"."id" = $1::int8', '1'],
      [
        `select "t0"."id", "t0"."title", "t0"."album_id" from "tracks" as "t0"
        where ("t0"."album_id" = $1::int8 and ("t0"."id") > ($2::int8))
        order by "t0"."id" asc limit $3`,
        '1',
        '5',
        4,
      ],
    ],
    SQLite: [
      ['select "t0"."id" from "albums" as "t0" where "t0"."id" = ?', 1],
      [
        `select "t0"."id", "t0"."title", "t0"."album_id" from "tracks" as "t0"
        where ("t0"."album_id" = ? and ("t0"."id") > (?)) order by "t0"."id" asc limit ?`,
        1,
        5,
        4,
      ],
    ],
  },
])

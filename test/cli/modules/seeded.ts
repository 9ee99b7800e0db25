import { DatabaseSync } from '@photostructure/sqlite'
import { belongsTo, createServer, defineResource, hasMany, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'

const albums = defineResource('albums', {
  model: table<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { tracks: hasMany('tracks') },
})

const tracks = defineResource('tracks', {
  model: table<{ id: number; albumId: number }>('tracks'),
  id: id(),
  relations: { album: belongsTo('albums') },
})

/** A server over a database that has rows. */
export const server = () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    create table albums (id integer primary key, title text not null);
    create table tracks (id integer primary key, albumId integer not null references albums);
    insert into albums values (1, 'Debut'), (2, 'Post');
    insert into tracks values (1, 1), (2, 1), (3, 2);
  `)
  return createServer({ resources: [albums, tracks], data: sqlData(database) })
}

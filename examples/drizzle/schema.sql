-- The tables of src/schema.ts, for a database that has none yet.
create type album_format as enum ('single', 'ep', 'album');

create table artists (
  id serial primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table albums (
  id serial primary key,
  title text not null,
  format album_format not null default 'album',
  released_at timestamptz,
  artist_id integer not null references artists (id)
);

create table playlists (
  id uuid primary key default gen_random_uuid(),
  name text not null
);

create table playlist_albums (
  playlist_id uuid not null references playlists (id) on delete cascade,
  album_id integer not null references albums (id) on delete cascade,
  added_at timestamptz not null default now(),
  primary key (playlist_id, album_id)
);

create index albums_of_artist on albums (artist_id);
create index playlists_of_album on playlist_albums (album_id);

/**
 * Fortune expects its own tables: columns are named as fields, and both sides of a relationship are stored, the to-many side as an
 * array. These views show the tables of the catalogue in this form. Writes to the to-many side are ignored.
 */
export const views = `
  create or replace view fortune_artists as
    select id, name, country, founded_in as "foundedIn", biography,
      array(select albums.id from albums where artist_id = artists.id order by albums.id) as albums
    from artists;
  create or replace view fortune_albums as
    select id, title, status, label, released_at as "releasedAt", explicit, track_count as "trackCount", description,
      artist_id as artist, array(select tracks.id from tracks where album_id = albums.id order by tracks.id) as tracks
    from albums;
  create or replace view fortune_tracks as
    select id, title, position, seconds, explicit, lyrics, recorded_on as "recordedOn", album_id as album from tracks;

  create or replace function fortune_is_there() returns trigger language plpgsql as 'begin return new; end';
  create or replace trigger is_there instead of update on fortune_artists
    for each row execute function fortune_is_there();
  create or replace trigger is_there instead of update on fortune_albums
    for each row execute function fortune_is_there();
`

/** The view of each type. */
export const typeMap = { artists: 'fortune_artists', albums: 'fortune_albums', tracks: 'fortune_tracks' }

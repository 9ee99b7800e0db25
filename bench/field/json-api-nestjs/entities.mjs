/** The entities of TypeORM. Decorators are called as functions, so that no compiler is needed. */
import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'

/* oxlint-disable typescript/no-extraneous-class -- decorators add the members of these classes */
// The classes are named as the types. The library sorts in the order of the columns, not of the request, so ids come last.
export class Artists {}
export class Albums {}
export class Tracks {}

declare(Artists, 'artists', {
  name: [String, Column({ type: 'text' })],
  country: [String, Column({ type: 'text' })],
  foundedIn: [Number, Column({ type: 'integer', name: 'founded_in', nullable: true })],
  biography: [String, Column({ type: 'text' })],
  albums: [
    Array,
    OneToMany(
      () => Albums,
      (album) => album.artist,
    ),
  ],
  id: [Number, PrimaryGeneratedColumn()],
})

declare(Albums, 'albums', {
  title: [String, Column({ type: 'text' })],
  status: [String, Column({ type: 'text' })],
  label: [String, Column({ type: 'text', nullable: true })],
  releasedAt: [Date, Column({ type: 'timestamptz', name: 'released_at' })],
  explicit: [Boolean, Column({ type: 'boolean' })],
  trackCount: [Number, Column({ type: 'integer', name: 'track_count' })],
  description: [String, Column({ type: 'text' })],
  artist: [
    Object,
    ManyToOne(
      () => Artists,
      (artist) => artist.albums,
    ),
    JoinColumn({ name: 'artist_id' }),
  ],
  tracks: [
    Array,
    OneToMany(
      () => Tracks,
      (track) => track.album,
    ),
  ],
  id: [Number, PrimaryGeneratedColumn()],
})

declare(Tracks, 'tracks', {
  title: [String, Column({ type: 'text' })],
  position: [Number, Column({ type: 'integer' })],
  seconds: [Number, Column({ type: 'integer' })],
  explicit: [Boolean, Column({ type: 'boolean' })],
  lyrics: [String, Column({ type: 'text' })],
  recordedOn: [String, Column({ type: 'date', name: 'recorded_on' })],
  album: [
    Object,
    ManyToOne(
      () => Albums,
      (album) => album.tracks,
    ),
    JoinColumn({ name: 'album_id' }),
  ],
  id: [Number, PrimaryGeneratedColumn()],
})

/** @param {Function} entity @param {string} table @param {Record<string, [Function, ...PropertyDecorator[]]>} members */
function declare(entity, table, members) {
  for (const [name, [type, ...decorators]] of Object.entries(members)) {
    Reflect.decorate([...decorators, Reflect.metadata('design:type', type)], entity.prototype, name, undefined)
  }
  Reflect.decorate([Entity(table)], entity)
}

// Generated from schema.zmodel by `zen generate` of @zenstackhq/cli 3.9.4, without types.
import { ExpressionUtils } from '@zenstackhq/schema'
export class SchemaType {
  provider = {
    type: 'postgresql',
  }
  models = {
    artists: {
      name: 'artists',
      fields: {
        id: {
          name: 'id',
          type: 'Int',
          id: true,
          attributes: [
            { name: '@id' },
            { name: '@default', args: [{ name: 'value', value: ExpressionUtils.call('autoincrement') }] },
          ],
          default: ExpressionUtils.call('autoincrement'),
        },
        name: {
          name: 'name',
          type: 'String',
        },
        country: {
          name: 'country',
          type: 'String',
        },
        foundedIn: {
          name: 'foundedIn',
          type: 'Int',
          optional: true,
          attributes: [{ name: '@map', args: [{ name: 'name', value: ExpressionUtils.literal('founded_in') }] }],
        },
        biography: {
          name: 'biography',
          type: 'String',
        },
        albums: {
          name: 'albums',
          type: 'albums',
          array: true,
          relation: { opposite: 'artist' },
        },
      },
      idFields: ['id'],
      uniqueFields: {
        id: { type: 'Int' },
      },
    },
    albums: {
      name: 'albums',
      fields: {
        id: {
          name: 'id',
          type: 'Int',
          id: true,
          attributes: [
            { name: '@id' },
            { name: '@default', args: [{ name: 'value', value: ExpressionUtils.call('autoincrement') }] },
          ],
          default: ExpressionUtils.call('autoincrement'),
        },
        title: {
          name: 'title',
          type: 'String',
        },
        status: {
          name: 'status',
          type: 'String',
        },
        label: {
          name: 'label',
          type: 'String',
          optional: true,
        },
        releasedAt: {
          name: 'releasedAt',
          type: 'DateTime',
          attributes: [
            { name: '@map', args: [{ name: 'name', value: ExpressionUtils.literal('released_at') }] },
            { name: '@db.Timestamptz' },
          ],
        },
        explicit: {
          name: 'explicit',
          type: 'Boolean',
        },
        trackCount: {
          name: 'trackCount',
          type: 'Int',
          attributes: [{ name: '@map', args: [{ name: 'name', value: ExpressionUtils.literal('track_count') }] }],
        },
        description: {
          name: 'description',
          type: 'String',
        },
        artistId: {
          name: 'artistId',
          type: 'Int',
          omit: true,
          attributes: [
            { name: '@map', args: [{ name: 'name', value: ExpressionUtils.literal('artist_id') }] },
            { name: '@omit' },
          ],
          foreignKeyFor: ['artist'],
        },
        artist: {
          name: 'artist',
          type: 'artists',
          attributes: [
            {
              name: '@relation',
              args: [
                { name: 'fields', value: ExpressionUtils.array('Int', [ExpressionUtils.field('artistId')]) },
                { name: 'references', value: ExpressionUtils.array('Int', [ExpressionUtils.field('id')]) },
              ],
            },
          ],
          relation: { opposite: 'albums', fields: ['artistId'], references: ['id'] },
        },
        tracks: {
          name: 'tracks',
          type: 'tracks',
          array: true,
          relation: { opposite: 'album' },
        },
      },
      idFields: ['id'],
      uniqueFields: {
        id: { type: 'Int' },
      },
    },
    tracks: {
      name: 'tracks',
      fields: {
        id: {
          name: 'id',
          type: 'Int',
          id: true,
          attributes: [
            { name: '@id' },
            { name: '@default', args: [{ name: 'value', value: ExpressionUtils.call('autoincrement') }] },
          ],
          default: ExpressionUtils.call('autoincrement'),
        },
        title: {
          name: 'title',
          type: 'String',
        },
        position: {
          name: 'position',
          type: 'Int',
        },
        seconds: {
          name: 'seconds',
          type: 'Int',
        },
        explicit: {
          name: 'explicit',
          type: 'Boolean',
        },
        lyrics: {
          name: 'lyrics',
          type: 'String',
        },
        recordedOn: {
          name: 'recordedOn',
          type: 'String',
          attributes: [{ name: '@map', args: [{ name: 'name', value: ExpressionUtils.literal('recorded_on') }] }],
        },
        albumId: {
          name: 'albumId',
          type: 'Int',
          omit: true,
          attributes: [
            { name: '@map', args: [{ name: 'name', value: ExpressionUtils.literal('album_id') }] },
            { name: '@omit' },
          ],
          foreignKeyFor: ['album'],
        },
        album: {
          name: 'album',
          type: 'albums',
          attributes: [
            {
              name: '@relation',
              args: [
                { name: 'fields', value: ExpressionUtils.array('Int', [ExpressionUtils.field('albumId')]) },
                { name: 'references', value: ExpressionUtils.array('Int', [ExpressionUtils.field('id')]) },
              ],
            },
          ],
          relation: { opposite: 'tracks', fields: ['albumId'], references: ['id'] },
        },
      },
      idFields: ['id'],
      uniqueFields: {
        id: { type: 'Int' },
      },
    },
  }
  plugins = {}
}
export const schema = new SchemaType()

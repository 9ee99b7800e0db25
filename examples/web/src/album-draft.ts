import type { ChangedAttributes, Changes, Found, ResourceOf } from '@ashlar/client'
import type { Api } from './api.js'
import type { Artist } from './artist-picker.tsx'
import { type Status, statusNames } from './statuses.ts'

/** The part of the query of all requests for one album. */
export const withArtist = { include: ['artist'], fields: { artists: ['name'] } } as const

/** An album with its artist, as these requests return it. */
type Album = ResourceOf<Api, 'albums', 'artist', typeof withArtist.fields>

/** The values of the form. Their names are the keys of `error.at`. */
export interface Draft {
  readonly title: string
  readonly artist: Artist | null
  readonly releasedAt: string
  readonly status: Status
  readonly explicit: boolean
  readonly availableFrom: string
  readonly availableUntil: string
  readonly 'releaseInfo.label': string
  readonly 'releaseInfo.catalogueNumber': string
}

export type FieldName = keyof Draft

/** The label of each field, in the order of the form. */
export const labels: Readonly<Record<FieldName, string>> = {
  title: 'Title',
  artist: 'Artist',
  releasedAt: 'Released (UTC)',
  status: 'Status',
  explicit: 'Explicit',
  availableFrom: 'Available from',
  availableUntil: 'Available until',
  'releaseInfo.label': 'Label',
  'releaseInfo.catalogueNumber': 'Catalogue number',
}

export const fieldNames: readonly FieldName[] = [
  'title',
  'artist',
  'releasedAt',
  'status',
  'explicit',
  'availableFrom',
  'availableUntil',
  'releaseInfo.label',
  'releaseInfo.catalogueNumber',
]

/** One version of an album: its values, and its ETag. */
export interface Version {
  readonly draft: Draft
  readonly etag: string | null
}

export function versionOf({ data: album, etag }: Pick<Found<Album>, 'data' | 'etag'>): Version {
  const { title, artist, status, explicit } = album
  return {
    etag,
    draft: {
      title,
      artist,
      status,
      explicit,
      // Without seconds and offset, the format of an input of the type datetime-local.
      releasedAt: album.releasedAt.slice(0, 16),
      availableFrom: album.availableFrom ?? '',
      availableUntil: album.availableUntil ?? '',
      'releaseInfo.label': album.releaseInfo?.label ?? '',
      'releaseInfo.catalogueNumber': album.releaseInfo?.catalogueNumber ?? '',
    },
  }
}

/** Returns the value of a field as a text, to show and to compare. */
export function textOf(draft: Draft, name: FieldName): string {
  switch (name) {
    case 'artist':
      return draft.artist?.name ?? ''
    case 'status':
      return statusNames[draft.status]
    case 'explicit':
      return draft.explicit ? 'Yes' : 'No'
    case 'releasedAt':
      return draft.releasedAt.replace('T', ' ')
    default:
      return draft[name]
  }
}

/** Returns the fields in which two drafts differ. */
export function differences(one: Draft, other: Draft): readonly FieldName[] {
  return fieldNames.filter((name) =>
    name === 'artist' ? one.artist?.id !== other.artist?.id : one[name] !== other[name],
  )
}

/** Returns only the fields that differ between two drafts, so that a save does not overwrite other fields. */
export function changesBetween(from: Draft, to: Draft): Changes<Api, 'albums'> {
  const changed = new Set(differences(from, to))
  const releaseInfo = {
    label: to['releaseInfo.label'] || null,
    catalogueNumber: to['releaseInfo.catalogueNumber'] || null,
  }
  const attributes: ChangedAttributes<Api, 'albums'> = {
    ...(changed.has('title') && { title: to.title }),
    ...(changed.has('releasedAt') && { releasedAt: `${to.releasedAt}:00Z` }),
    ...(changed.has('status') && { status: to.status }),
    ...(changed.has('explicit') && { explicit: to.explicit }),
    ...(changed.has('availableFrom') && { availableFrom: to.availableFrom || null }),
    ...(changed.has('availableUntil') && { availableUntil: to.availableUntil || null }),
    ...((changed.has('releaseInfo.label') || changed.has('releaseInfo.catalogueNumber')) && { releaseInfo }),
  }
  const artist = to.artist === null ? null : { type: 'artists' as const, id: to.artist.id }
  return { attributes, ...(changed.has('artist') && { relationships: { artist } }) }
}

import { id, model } from 'ashlar'

export interface AlbumRow {
  id: number
  title: string
  subtitle: string | null
  note?: string
  year: number
  live: boolean
  releasedAt: Date | null
  tags: string[]
  extra: object
  artistId: number | null
  mood: 'calm' | 'loud'
}

/** The common part of the declarations of these files. */
export const album = { model: model<AlbumRow>('albums'), id: id() }

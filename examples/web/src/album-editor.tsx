import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ClientError } from 'ashlar/client'
import { useEffect, useRef, useState } from 'react'
import {
  changesBetween,
  differences,
  type Draft,
  type FoundAlbum,
  type Version,
  versionOf,
  withArtist,
} from './album-draft.ts'
import { AlbumForm } from './album-form.tsx'
import { albums } from './client.ts'
import { Conflict } from './conflict.tsx'
import { otherMessages } from './errors.ts'
import { Link } from './link.tsx'
import { Problem } from './problem.tsx'

/** Reads an album, and lets the user change it. */
export function AlbumEditor({ id }: { readonly id: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const album = useQuery(albums.get(id, withArtist))
  const title = album.data?.data.title ?? 'Album'

  useEffect(() => heading.current?.focus(), [])

  return (
    <>
      <title>{`${title} – Music catalogue`}</title>
      <p>
        <Link to={{ album: null }}>Back to the albums</Link>
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {album.isPending ? <p role="status">Loading …</p> : null}
      {album.isError && album.data === undefined ? (
        <Problem summary="The album cannot be shown." messages={otherMessages(album.error)} />
      ) : null}
      {album.data === undefined ? null : <LoadedEditor id={id} found={album.data} />}
    </>
  )
}

/** The form of an album. It begins with the version that was read first; later ones do not overwrite what the user types. */
function LoadedEditor({ id, found }: { readonly id: string; readonly found: FoundAlbum }) {
  const queryClient = useQueryClient()
  const [base, setBase] = useState(() => versionOf(found))
  const [draft, setDraft] = useState(base.draft)
  /** The version of somebody else, while the user decides. */
  const [theirs, setTheirs] = useState<Version | null>(null)
  const [message, setMessage] = useState('')
  const update = useMutation(albums.update(withArtist))

  const continueWith = (version: Version, note: string) => {
    setBase(version)
    setDraft(version.draft)
    setTheirs(null)
    setMessage(note)
    update.reset()
  }

  /** Saves what differs from a version, unless there is a later one by then. */
  const save = async (from: Version, to: Draft) => {
    setDraft(to)
    setMessage('')
    if (differences(from.draft, to).length === 0) return continueWith(from, 'Nothing has changed.')
    try {
      const saved = await update.mutateAsync({ id, ...changesBetween(from.draft, to), ifMatch: from.etag })
      continueWith(versionOf(saved), 'Saved.')
    } catch (error) {
      setBase(from)
      const isConflict = error instanceof ClientError && error.status === 412
      setTheirs(
        isConflict ? versionOf(await queryClient.fetchQuery({ ...albums.get(id, withArtist), staleTime: 0 })) : null,
      )
    }
  }

  return (
    <>
      <p role="status">{update.isPending ? 'Saving …' : message}</p>
      {theirs === null ? (
        <AlbumForm
          draft={draft}
          onChange={setDraft}
          onSave={() => void save(base, draft)}
          isSaving={update.isPending}
          error={update.error}
        />
      ) : (
        <Conflict
          key={theirs.etag}
          base={base.draft}
          yours={draft}
          theirs={theirs.draft}
          onSave={(merged) => void save(theirs, merged)}
          onDiscard={() => continueWith(theirs, 'You have kept their version.')}
        />
      )}
    </>
  )
}

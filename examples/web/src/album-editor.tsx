import { useMutation, useQuery } from '@tanstack/react-query'
import { ClientError } from '@ashlar/client'
import { useEffect, useRef, useState } from 'react'
import { changesBetween, differences, type Draft, type Version, versionOf, withArtist } from './album-draft.ts'
import { AlbumForm } from './album-form.tsx'
import { albums } from './client.ts'
import { Conflict } from './conflict.tsx'
import { otherMessages } from './errors.ts'
import { Link } from './link.tsx'
import { Problem } from './problem.tsx'

/** Reads an album, and lets the user change it. */
export function AlbumEditor({ id }: { readonly id: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The user starts with the latest version, not with a cached one.
  const album = useQuery({ ...albums.get(id, withArtist), staleTime: 0 })
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
      {album.isFetchedAfterMount ? null : <p role="status">Loading …</p>}
      {album.isError && album.data === undefined ? (
        <Problem summary="The album cannot be shown." messages={otherMessages(album.error)} />
      ) : null}
      {album.isFetchedAfterMount && album.data !== undefined ? (
        <VersionEditor id={id} latest={versionOf(album.data)} />
      ) : null}
    </>
  )
}

interface VersionEditorProps {
  readonly id: string
  /** The latest version. The queries read it again after each attempt to save. */
  readonly latest: Version
}

/** The form of an album. It starts with one version; later versions do not overwrite the user's input. */
function VersionEditor({ id, latest }: VersionEditorProps) {
  const [base, setBase] = useState(latest)
  const [draft, setDraft] = useState(latest.draft)
  const [message, setMessage] = useState('')
  const status = useRef<HTMLParagraphElement>(null)
  const update = useMutation(albums.update(withArtist))
  const isOutdated = update.error instanceof ClientError && update.error.status === 412
  const isConflict = isOutdated && latest.etag !== base.etag

  const continueWith = (version: Version, note: string) => {
    setBase(version)
    setDraft(version.draft)
    setMessage(note)
    update.reset()
  }

  /** Saves the differences from a version, unless the album has changed since. */
  const save = (from: Version, to: Draft) => {
    if (differences(from.draft, to).length === 0) return continueWith(from, 'There is nothing to save.')
    setBase(from)
    setDraft(to)
    setMessage('')
    update.mutate(
      { id, ...changesBetween(from.draft, to), ifMatch: from.etag },
      { onSuccess: (saved) => continueWith(versionOf(saved), 'Saved.') },
    )
  }

  /** Moves the focus, because the focused button disappears with the conflict. */
  const resolve = (solution: () => void) => {
    status.current?.focus()
    solution()
  }

  return (
    <>
      <p ref={status} role="status" tabIndex={-1}>
        {update.isPending ? 'Saving …' : message}
      </p>
      {isConflict ? (
        <Conflict
          key={latest.etag}
          base={base.draft}
          yours={draft}
          theirs={latest.draft}
          onSave={(merged) => resolve(() => save(latest, merged))}
          onDiscard={() => resolve(() => continueWith(latest, 'Their version is kept.'))}
        />
      ) : (
        <AlbumForm
          draft={draft}
          onChange={setDraft}
          onSave={() => save(base, draft)}
          isSaving={update.isPending}
          error={update.error}
        />
      )}
    </>
  )
}

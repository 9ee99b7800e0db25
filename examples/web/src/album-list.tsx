import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { AlbumFilters, filterPlaces, noFilters } from './album-filters.tsx'
import {
  albumCount,
  type AlbumPage,
  albumPage,
  firstPage,
  orderIn,
  placeOf,
  type SortableColumn,
} from './album-search.ts'
import { otherMessages } from './errors.ts'
import { Link } from './link.tsx'
import { type Changes, navigate, useSearch } from './location.ts'
import { Problem } from './problem.tsx'
import { statusNames } from './statuses.ts'

/** A page of the albums, with filters, orders, and ways to the pages around it. */
export function AlbumList() {
  const search = useSearch()
  const heading = useRef<HTMLHeadingElement>(null)
  const page = useQuery({ ...albumPage(search), placeholderData: keepPreviousData })
  const count = useQuery({ ...albumCount(search), placeholderData: keepPreviousData })

  // A link to this view, or the button of the sign-in, had the focus, and is gone.
  useEffect(() => heading.current?.focus(), [])

  const turnTo = (changes: Changes) => {
    navigate(changes)
    heading.current?.focus()
  }

  return (
    <>
      <title>Albums – Music catalogue</title>
      <h1 ref={heading} tabIndex={-1}>
        Albums
      </h1>
      <AlbumFilters error={page.error} />
      <p role="status">{page.isPending ? 'Loading …' : page.isError ? '' : numberOf(count.data?.total ?? null)}</p>
      {page.isError ? (
        <Problem summary="The albums cannot be shown." messages={otherMessages(page.error, filterPlaces)}>
          <button type="button" onClick={() => turnTo({ ...noFilters, ...firstPage })}>
            Show all albums
          </button>
        </Problem>
      ) : null}
      {page.isSuccess ? (
        <>
          <AlbumTable page={page.data} isOutdated={page.isPlaceholderData} />
          <nav className="pages" aria-label="Pages">
            <PageButton label="Previous page" place={placeOf(page.data.previousPage)} onTurn={turnTo} />
            <PageButton label="Next page" place={placeOf(page.data.nextPage)} onTurn={turnTo} />
          </nav>
        </>
      ) : null}
    </>
  )
}

function AlbumTable({ page, isOutdated }: { readonly page: AlbumPage; readonly isOutdated: boolean }) {
  if (page.data.length === 0) return null
  return (
    <table aria-busy={isOutdated}>
      <thead>
        <tr>
          <SortableHeader name="title" label="Title" />
          <SortableHeader name="artist.name" label="Artist" />
          <SortableHeader name="releasedAt" label="Released" />
          <SortableHeader name="status" label="Status" />
        </tr>
      </thead>
      <tbody>
        {page.data.map((album) => (
          <tr key={album.id}>
            <th scope="row">
              <Link to={{ album: album.id }}>{album.title}</Link>{' '}
              {album.explicit ? <span className="tag">Explicit</span> : null}
            </th>
            <td>{album.artist?.name ?? '–'}</td>
            <td>{days.format(new Date(album.releasedAt))}</td>
            <td>{statusNames[album.status]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

function numberOf(total: number | null): string {
  if (total === null) return ''
  if (total === 0) return 'No album matches these filters.'
  return total === 1 ? '1 album' : `${total} albums`
}

function SortableHeader({ name, label }: { readonly name: SortableColumn; readonly label: string }) {
  const order = orderIn(useSearch())
  const direction = order === name ? 'ascending' : order === `-${name}` ? 'descending' : 'none'
  const next = direction === 'ascending' ? `-${name}` : name
  return (
    <th scope="col" aria-sort={direction}>
      <button type="button" onClick={() => navigate({ ...firstPage, sort: next })}>
        {label}
      </button>
    </th>
  )
}

interface PageButtonProps {
  readonly label: string
  /** `null` if there is no such page. */
  readonly place: Changes | null
  readonly onTurn: (place: Changes) => void
}

function PageButton({ label, place, onTurn }: PageButtonProps) {
  return (
    <button type="button" disabled={place === null} onClick={() => place !== null && onTurn(place)}>
      {label}
    </button>
  )
}

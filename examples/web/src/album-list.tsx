import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { AlbumFilters, filterParameters, noFilters } from './album-filters.tsx'
import {
  albumCount,
  type AlbumPage,
  albumPage,
  firstPage,
  orderIn,
  pageChanges,
  type SortableColumn,
} from './album-search.ts'
import { otherMessages } from './errors.ts'
import { Link } from './link.tsx'
import { type Changes, navigate, useSearch } from './location.ts'
import { Problem } from './problem.tsx'
import { statusNames } from './statuses.ts'

/** A page of albums, with filters, sorting, and buttons for the previous and the next page. */
export function AlbumList() {
  const search = useSearch()
  const heading = useRef<HTMLHeadingElement>(null)
  const page = useQuery({ ...albumPage(search), placeholderData: keepPreviousData })
  const count = useQuery({ ...albumCount(search), placeholderData: keepPreviousData })

  // The element that had the focus is gone: a link to this view, or the button of the sign-in.
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
        <Problem summary="The albums cannot be shown." messages={otherMessages(page.error, filterParameters)}>
          <button type="button" onClick={() => turnTo({ ...noFilters, ...firstPage })}>
            Show all albums
          </button>
        </Problem>
      ) : null}
      {page.isSuccess ? (
        <>
          <AlbumTable page={page.data} isOutdated={page.isPlaceholderData} />
          <nav className="pages" aria-label="Pages">
            <PageButton label="Previous page" changes={pageChanges(page.data.previousPage)} onTurn={turnTo} />
            <PageButton label="Next page" changes={pageChanges(page.data.nextPage)} onTurn={turnTo} />
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
  readonly changes: Changes | null
  readonly onTurn: (changes: Changes) => void
}

function PageButton({ label, changes, onTurn }: PageButtonProps) {
  return (
    <button type="button" disabled={changes === null} onClick={() => changes !== null && onTurn(changes)}>
      {label}
    </button>
  )
}

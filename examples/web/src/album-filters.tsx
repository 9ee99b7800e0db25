import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { firstPage, isYear } from './album-search.ts'
import { ArtistPicker } from './artist-picker.tsx'
import { artists } from './client.ts'
import { messagesAt } from './errors.ts'
import { Field, type InputProps } from './field.tsx'
import { type Changes, navigate, useSearch } from './location.ts'
import { statuses, statusNames } from './statuses.ts'

/** The query parameters whose errors are shown at an input. */
export const filterParameters = ['filter[title]', 'filter[artist]', 'filter[status]']

export const noFilters: Changes = { title: null, artist: null, year: null, status: null }

/** The filters of the list. An error about a filter is shown at its input. */
export function AlbumFilters({ error }: { readonly error: Error | null }) {
  const search = useSearch()
  const artist = search.get('artist')
  const year = search.get('year') ?? ''
  const chosen = useQuery({
    ...artists.get(artist ?? '', { fields: { artists: ['name'] } }),
    enabled: artist !== null,
  })

  return (
    <search className="filters">
      <Field label="Title" errors={messagesAt(error, 'filter[title]')}>
        {(props) => <TypedFilter {...props} name="title" type="search" />}
      </Field>
      <Field label="Artist" errors={messagesAt(error, 'filter[artist]')}>
        {(props) => (
          <ArtistPicker
            {...props}
            artist={artist === null ? null : (chosen.data?.data ?? { id: artist, name: '…' })}
            onPick={(picked) => set('artist', picked?.id ?? null)}
          />
        )}
      </Field>
      <Field label="Year" errors={year === '' || isYear(year) ? [] : ['A year has four digits.']}>
        {(props) => <TypedFilter {...props} name="year" inputMode="numeric" maxLength={4} size={5} />}
      </Field>
      <Field label="Status" errors={messagesAt(error, 'filter[status]')}>
        {(props) => (
          <select {...props} value={search.get('status') ?? ''} onChange={({ target }) => set('status', target.value)}>
            <option value="">Any</option>
            {statuses.map((status) => (
              <option key={status} value={status}>
                {statusNames[status]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </search>
  )
}

function set(name: string, value: string | null): void {
  navigate({ ...firstPage, [name]: value })
}

interface TypedFilterProps extends InputProps {
  /** The name of the filter in the address. */
  readonly name: string
  readonly type?: 'search' | 'text'
  readonly inputMode?: 'numeric'
  readonly maxLength?: number
  readonly size?: number
}

/** An input that changes the address 300 milliseconds after the last keystroke. */
function TypedFilter({ name, ...props }: TypedFilterProps) {
  const value = useSearch().get(name) ?? ''
  const [typed, setTyped] = useState<string | null>(null)
  const commit = useEffectEvent(() => {
    navigate({ ...firstPage, [name]: typed?.trim() ?? null }, name)
    setTyped(null)
  })
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(commit, 300)
    return () => clearTimeout(timer)
  }, [typed])
  return <input {...props} value={typed ?? value} onChange={({ target }) => setTyped(target.value)} />
}

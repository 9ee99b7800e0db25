import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useState } from 'react'
import { artists } from './client.ts'
import type { InputProps } from './field.tsx'

export interface Artist {
  readonly id: string
  readonly name: string
}

interface ArtistPickerProps extends InputProps {
  readonly artist: Artist | null
  /** Called with `null` when the user has emptied the input. */
  readonly onPick: (artist: Artist | null) => void
}

/** An input that finds artists by a part of their name: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
export function ArtistPicker({ artist, onPick, ...props }: ArtistPickerProps) {
  /** What the user has typed; `null` while the list is closed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const q = useDeferredValue(typed?.trim() ?? '')
  const found = useQuery({
    ...artists.list({ filter: { q }, sort: ['name'], page: { size: 8 }, fields: { artists: ['name'] } }),
    enabled: typed !== null,
    placeholderData: keepPreviousData,
  })
  const options = typed === null ? [] : (found.data?.data ?? [])
  const listId = `${props.id}-list`

  const open = (text: string) => {
    setTyped(text)
    setActive(0)
  }
  const pick = (picked: Artist | null) => {
    setTyped(null)
    if (picked?.id !== artist?.id) onPick(picked)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const picked = options[active]
    if (event.key === 'ArrowDown' && typed === null) open('')
    else if (event.key === 'ArrowDown') setActive(Math.min(active + 1, options.length - 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
    else if (event.key === 'Enter' && picked !== undefined) pick(picked)
    else if (event.key === 'Escape' && typed !== null) setTyped(null)
    else return
    event.preventDefault()
  }

  return (
    <div className="picker">
      <input
        {...props}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={listId}
        aria-activedescendant={options.length > 0 ? `${listId}-${active}` : undefined}
        value={typed ?? artist?.name ?? ''}
        onChange={({ target }) => open(target.value)}
        onKeyDown={onKeyDown}
        // Text that is no choice gives way to the former choice; no text is none.
        onBlur={() => (typed === '' ? pick(null) : setTyped(null))}
      />
      <ul id={listId} role="listbox" aria-label="Artists" hidden={options.length === 0}>
        {options.map((option, index) => (
          <li
            key={option.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            // The input keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(option)}
          >
            {option.name}
          </li>
        ))}
      </ul>
      <span className="unseen" role="status">
        {typed === null || found.isFetching
          ? ''
          : options.length === 0
            ? 'No artist found.'
            : `${options.length} artists.`}
      </span>
    </div>
  )
}

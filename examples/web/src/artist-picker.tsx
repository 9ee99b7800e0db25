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
  const [isOpen, setIsOpen] = useState(false)
  /** The text that the user has typed since the last choice; `null` if none. */
  const [typed, setTyped] = useState<string | null>(null)
  /** The option that Enter chooses; -1 for none. */
  const [active, setActive] = useState(-1)
  const q = useDeferredValue(typed?.trim() ?? '')
  const found = useQuery({
    ...artists.list({ filter: { q }, sort: ['name'], page: { size: 8 }, fields: { artists: ['name'] } }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const options = isOpen ? (found.data?.data ?? []) : []
  const listId = `${props.id}-list`

  const type = (text: string) => {
    setIsOpen(true)
    setTyped(text)
    setActive(text === '' ? -1 : 0)
  }
  const close = () => {
    setIsOpen(false)
    setTyped(null)
    setActive(-1)
  }
  const pick = (picked: Artist | null) => {
    close()
    if (picked?.id !== artist?.id) onPick(picked)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const picked = options[active]
    if (event.key === 'ArrowDown') {
      setIsOpen(true)
      setActive(Math.min(active + 1, options.length - 1))
    } else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
    else if (event.key === 'Enter' && picked !== undefined) pick(picked)
    else if (event.key === 'Enter' && typed === '') pick(null)
    else if (event.key === 'Escape' && isOpen) close()
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
        aria-activedescendant={options[active] === undefined ? undefined : `${listId}-${active}`}
        value={typed ?? artist?.name ?? ''}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
        // Text without a choice is replaced by the previous choice. An empty input chooses no artist.
        onBlur={() => (typed === '' ? pick(null) : close())}
      />
      <div id={listId} role="listbox" aria-label="Artists" hidden={options.length === 0}>
        {options.map((option, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the input has focus and keys
          <div
            key={option.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            // The input keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(option)}
          >
            {option.name}
          </div>
        ))}
      </div>
      <span className="unseen" role="status">
        {isOpen && found.isSuccess && !found.isFetching ? numberOf(options.length) : ''}
      </span>
    </div>
  )
}

function numberOf(options: number): string {
  if (options === 0) return 'No artist has such a name.'
  return options === 1 ? '1 artist.' : `${options} artists.`
}

import type { MouseEvent, ReactNode } from 'react'
import { addressWith, type Changes, navigate } from './location.ts'

/** A link that changes values in the address. It can be opened in another tab, like any link. */
export function Link({ to, children }: { readonly to: Changes; readonly children: ReactNode }) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a href={addressWith(to)} onClick={follow}>
      {children}
    </a>
  )
}

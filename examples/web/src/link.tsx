import type { MouseEvent, ReactNode } from 'react'
import { addressWith, type Changes, navigate } from './location.ts'

/** A link to the page with other values in its address. It can be opened in another tab, as any link. */
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

import type { ReactNode } from 'react'

interface ProblemProps {
  /** What was not possible. */
  readonly summary: string
  /** Why. */
  readonly messages: readonly string[]
  /** Ways out. */
  readonly children?: ReactNode
}

/** Something that failed as a whole. Screen readers announce it, and it can have the focus. */
export function Problem({ summary, messages, children }: ProblemProps) {
  return (
    <div className="problem" role="alert" tabIndex={-1}>
      <p>{summary}</p>
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
      {children}
    </div>
  )
}

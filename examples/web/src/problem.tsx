import type { ReactNode } from 'react'

interface ProblemProps {
  /** What has failed. */
  readonly summary: string
  /** The reasons. */
  readonly messages: readonly string[]
  /** Buttons or links that help. */
  readonly children?: ReactNode
}

/** An error message. Screen readers announce it, and it can have the focus. */
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

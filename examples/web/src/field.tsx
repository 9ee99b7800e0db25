import { type ReactNode, useId } from 'react'

/** The attributes that connect an input with its label, hint and errors. */
export interface InputProps {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string
}

interface FieldProps {
  readonly label: string
  readonly hint?: string
  /** Messages about the value. */
  readonly errors?: readonly string[]
  /** Renders the input. */
  readonly children: (input: InputProps) => ReactNode
}

/** An input with its label, its hint and its errors. */
export function Field({ label, hint, errors = [], children }: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': errors.length > 0, 'aria-describedby': `${id}-hint ${id}-errors` })}
      <div className="hint" id={`${id}-hint`}>
        {hint}
      </div>
      <div className="error" id={`${id}-errors`}>
        {errors.map((error) => (
          <p key={error}>{error}</p>
        ))}
      </div>
    </div>
  )
}

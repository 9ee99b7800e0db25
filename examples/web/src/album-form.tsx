import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { type Draft, type FieldName, fieldNames, labels } from './album-draft.ts'
import { ArtistPicker } from './artist-picker.tsx'
import { messagesAt, otherMessages } from './errors.ts'
import { Field, type InputProps } from './field.tsx'
import { Problem } from './problem.tsx'
import { statuses, statusNames } from './statuses.ts'

interface AlbumFormProps {
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  readonly onSave: () => void
  readonly isSaving: boolean
  /** The error of the last attempt to save. */
  readonly error: Error | null
}

/** The fields of an album. Only the service validates values. Each message is shown at its input. */
export function AlbumForm({ draft, onChange, onSave, isSaving, error }: AlbumFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const set = <Name extends FieldName>(name: Name, value: Draft[Name]) => onChange({ ...draft, [name]: value })
  const field = (name: FieldName, input: (props: InputProps) => ReactNode) => (
    <Field label={labels[name]} errors={messagesAt(error, name)}>
      {input}
    </Field>
  )
  const text = (name: TextName, type: 'text' | 'date' | 'datetime-local' = 'text') =>
    field(name, (props) => (
      <input {...props} type={type} value={draft[name]} onChange={({ target }) => set(name, target.value)} />
    ))

  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus()
  }, [error])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isSaving) onSave()
  }

  const others = otherMessages(error, fieldNames)
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {others.length === 0 ? null : <Problem summary="The album is not saved." messages={others} />}
      {text('title')}
      {field('artist', (props) => (
        <ArtistPicker {...props} artist={draft.artist} onPick={(artist) => set('artist', artist)} />
      ))}
      {text('releasedAt', 'datetime-local')}
      {field('status', (props) => (
        <select
          {...props}
          value={draft.status}
          onChange={({ target }) => set('status', statuses.find((status) => status === target.value) ?? draft.status)}
        >
          {statuses.map((status) => (
            <option key={status} value={status}>
              {statusNames[status]}
            </option>
          ))}
        </select>
      ))}
      {field('explicit', (props) => (
        <input
          {...props}
          type="checkbox"
          checked={draft.explicit}
          onChange={({ target }) => set('explicit', target.checked)}
        />
      ))}
      <fieldset>
        <legend>On sale</legend>
        {text('availableFrom', 'date')}
        {text('availableUntil', 'date')}
      </fieldset>
      <fieldset>
        <legend>Release</legend>
        {text('releaseInfo.label')}
        {text('releaseInfo.catalogueNumber')}
      </fieldset>
      <button className="primary" aria-disabled={isSaving}>
        Save
      </button>
    </form>
  )
}

/** The fields whose values are texts that users type. */
type TextName = Exclude<FieldName, 'artist' | 'status' | 'explicit'>
